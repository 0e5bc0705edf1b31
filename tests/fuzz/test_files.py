"""A few dozen malformed files: the command ends with a fit or a sentence."""

import pytest

from fuzz.generators.files import run_file


@pytest.mark.parametrize("first", range(0, 80, 20))
def test_malformed_files_end_in_a_fit_or_in_a_sentence(first):
    problems = {number: run_file(number)[0] for number in range(first, first + 20)}
    assert {number: one for number, one in problems.items() if one} == {}


@pytest.mark.parametrize("number", [1080, 2004, 2358])
def test_files_that_failed_once_do_not_fail(number):
    assert run_file(number)[0] == ""
