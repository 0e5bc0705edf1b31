"""Some hundred calls with odd parameters and containers, and how the fuzzer judges calls."""

import numpy as np
import pytest

from boltzmix.data import check_count
from fuzz.calls import Call, judge
from fuzz.generators import GENERATORS, generator
from fuzz.generators.containers import OTHER, SAME, make_call, table
from fuzz.generators.parameters import make_call as make_parameters


@pytest.mark.parametrize("first", range(0, 120, 40))
@pytest.mark.parametrize("make", [make_call, make_parameters], ids=["containers", "parameters"])
def test_odd_arguments_end_in_a_result_or_in_a_sentence(make, first):
    calls = {number: make(number) for number in range(first, first + 40)}
    failures = {
        f"{number}: {call.described}": outcome.failures
        for number, call in calls.items()
        if (outcome := judge(call)).failures
    }
    assert failures == {}


def test_every_container_holds_what_it_says():
    X = table()
    for name, make in SAME.items():
        assert make(X) is not None, name
    for name, make in OTHER.items():
        if name != "lazy frame without the column":
            assert make(X) is not None, name
    assert {"containers", "parameters"} <= set(GENERATORS)
    assert callable(generator("containers").run)


def test_foreign_errors_warnings_and_long_messages_are_failures():
    def sentence(text):
        raise ValueError(text)

    assert judge(Call("", lambda: np.zeros(2) + np.zeros(3))).failures
    assert judge(Call("", lambda: sentence("This is a sentence of somebody else."))).failures
    assert judge(Call("", lambda: np.log(np.zeros(1)))).failures
    assert judge(Call("", lambda: check_count("n" * 2000, 0))).failures
    own = judge(Call("", lambda: check_count("n", 0)))
    assert (own.failures, own.fitted) == ([], False)
    assert "n must be a whole number of at least 1, not 0." in own.message
    assert judge(Call("", lambda: check_count("n", 1) or 3)).fitted
