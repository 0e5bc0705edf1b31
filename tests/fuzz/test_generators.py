"""A small part of what `python -m fuzz --what …` runs."""

import random

import pytest

from fuzz.generators import GENERATORS, generator
from fuzz.generators.formulas import make_formula
from fuzz.generators.models import Writes, make_file, problem_of
from fuzz.generators.watching import watched


@pytest.mark.parametrize("name", GENERATORS)
def test_every_generator_can_be_run(name):
    assert callable(generator(name).run)


def test_damaged_model_files_are_models_or_sentences():
    found = {number: problem_of(number) for number in range(5_000_000, 5_000_120)}
    assert {number: problem for number, (problem, _) in found.items() if problem} == {}
    assert 0 < sum(loaded for _, loaded in found.values()) < 60


@pytest.mark.parametrize("number", [20330])
def test_model_files_that_failed_once_do_not_fail(number):
    assert problem_of(number)[0] == ""


def test_a_case_is_made_from_its_number_alone():
    random.seed(1)
    first = [make_formula(number) for number in range(50)], make_file(3)
    random.seed(2)
    assert first == ([make_formula(number) for number in range(50)], make_file(3))
    assert len(set(first[0])) > 40


def test_a_written_file_is_noticed(tmp_path):
    events = Writes("canary_of_this_test")
    with watched(events):
        (tmp_path / "trace").write_text("trace")
    assert "trace was opened to write" in events.problem()
