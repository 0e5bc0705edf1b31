"""A few hundred fuzzed fits, and what the fuzzer counts as a failure."""

import warnings

import numpy as np
import pytest

from boltzmix import Mixture, families
from boltzmix.families import Gaussian
from fuzz.cases import make_case
from fuzz.judging import foreign_warnings, is_own_error, not_finite
from fuzz.running import Outcome, run
from fuzz.templates import TEMPLATES, add_other_families

CHUNK = 12
FAILED_ONCE = (
    1493,
    900370,
    7000212,
    10000668,
    10001883,
    10002914,
    20002385,
    40029018,
    40053610,
    40080082,
)


@pytest.mark.parametrize("first", range(0, 2 * CHUNK, CHUNK))
def test_fuzzed_fits_end_in_a_finite_mixture_or_in_a_sentence(first):
    failures = {
        f"python -m fuzz --case {number}": outcome.failures
        for number in range(first, first + CHUNK)
        if (outcome := run(make_case(number))).failures
    }
    assert failures == {}


@pytest.mark.parametrize("number", FAILED_ONCE)
def test_cases_that_failed_once_do_not_fail(number):
    assert run(make_case(number)).failures == []


@pytest.mark.slow
@pytest.mark.parametrize("name", TEMPLATES)
def test_fuzzed_fits_of_every_family(name):
    for number in range(20):
        assert run(make_case(number, [name])).failures == [], f"--family {name} --case {number}"


def test_every_family_is_fuzzed():
    fuzzed = {one.make for one in TEMPLATES.values()}
    assert set(families.FAMILIES.values()) - {families.Automatic} <= fuzzed
    templates = {}
    add_other_families(templates)
    assert {one.kind for one in templates.values()} == {
        "table",
        "sequences",
        "regression",
        "trajectories",
    }


def test_a_case_is_made_from_its_number_alone():
    for number in range(30):
        one, other = make_case(number), make_case(number)
        assert one.describe() == other.describe()
        assert repr(one.data.X)[:500] == repr(other.data.X)[:500] or " at 0x" in repr(one.data.X)


def error_of(work):
    with pytest.raises(Exception) as caught:
        work()
    return caught.value


def test_errors_that_boltzmix_did_not_word_are_failures():
    assert is_own_error(error_of(lambda: Mixture(Gaussian(), 0).fit([[1.0], [2.0]])))
    assert not is_own_error(error_of(lambda: np.zeros(2) + np.zeros(3)))
    assert not is_own_error(error_of(lambda: Gaussian().fit("text")))


def test_warnings_that_boltzmix_did_not_issue_are_failures():
    with foreign_warnings() as found:
        Mixture(Gaussian(), 2, max_iter=1, random_state=0).fit(np.eye(6))
    assert found == []
    with foreign_warnings() as found:
        np.log(np.zeros(1))
        warnings.warn("of somebody else", stacklevel=1)
    assert [one.split(":")[0] for one in found] == ["RuntimeWarning", "UserWarning"]


def test_results_that_are_not_finite_and_long_calls_are_failures(monkeypatch):
    assert not_finite("score", [1.0, np.nan]) == ["score has nan (1 of 2)"]
    assert not_finite("score", [1.0]) == []
    monkeypatch.setattr("fuzz.running.MOST_SECONDS", 0.1)
    outcome = Outcome()
    outcome.call("fit", lambda: all(True for _ in iter(int, 1)))
    assert outcome.failures[0].startswith("fit: took")


def test_cases_of_trajectories_without_times_are_made():
    for number in (11003117, 11003285):
        make_case(number, ["GrowthCurve"])
