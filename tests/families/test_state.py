"""What fits and `prepare` find is kept in copies and files, but no constructor takes it."""

from dataclasses import fields, is_dataclass
from inspect import signature

import numpy as np
import pytest

import boltzmix
from boltzmix import Mixture
from boltzmix.data import Table
from boltzmix.families import FAMILIES, Gaussian, LinearRegression, Poisson, replaced
from boltzmix.families.named_families import settings_of, with_settings

ROWS = Table.of(np.random.default_rng(0).poisson(3, (60, 2)))


def state_of(family):
    return {one.name for one in fields(family) if not one.init}


@pytest.mark.parametrize("kind", FAMILIES.values(), ids=list(FAMILIES))
def test_constructors_and_settings_leave_state_out(kind):
    if not is_dataclass(kind):
        return
    assert not state_of(kind) & {*signature(kind).parameters}
    assert not state_of(kind) & {*settings_of(kind())}
    for name in state_of(kind):
        with pytest.raises(TypeError, match=name):
            kind(**{name: 3})


def test_state_is_kept_by_copies_and_files(tmp_path):
    prepared = Poisson().prepare(ROWS, 2)
    assert prepared.pooled_rate is not None
    changed = replaced(prepared, prior=2.0)
    np.testing.assert_array_equal(changed.pooled_rate, prepared.pooled_rate)
    assert changed.prior == 2
    assert with_settings(Poisson(), {"prior": 2.0}).pooled_rate is None
    model = Mixture(Gaussian(), 2, random_state=0).fit(
        np.random.default_rng(0).normal(size=(50, 2))
    )
    model.save(tmp_path / "model.bmix")
    again = boltzmix.load(tmp_path / "model.bmix")
    for one, other in zip(model.components_, again.components_, strict=True):
        for name in state_of(one):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_copies_are_validated_and_know_their_fields():
    with pytest.raises(ValueError, match="prior must be zero or a positive number"):
        replaced(Poisson(), prior=-1.0)
    with pytest.raises(TypeError, match="LinearRegression has no field 'slope'"):
        replaced(LinearRegression(), slope=1.0)
