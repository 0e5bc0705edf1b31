"""A few interrupts of fits; `python -m fuzz --what interrupts` sends more."""

import os

import pytest

from fuzz.generators import interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="interrupts are signals of POSIX")


def test_interrupted_fits_end_as_such_and_can_be_repeated(capsys):
    assert interrupts.run(4, 0, 1.0, ["sequences"]) == 0
    assert "sequences: 4 interrupts" in capsys.readouterr().out


@pytest.mark.slow
def test_interrupted_fits_of_every_kind_can_be_repeated(capsys):
    assert interrupts.run(20, 100, 10.0) == 0
    assert "points: 20 interrupts" in capsys.readouterr().out
