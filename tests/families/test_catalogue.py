"""Families are found where they are defined, and a family outside the package is a full one."""

import sys
from importlib import import_module
from inspect import isabstract

import numpy as np
import pytest

import boltzmix
from boltzmix import Mixture, families
from boltzmix.checks import check_family
from boltzmix.families import AdditiveFamily, Family, JointFamily, distributions
from boltzmix.families.catalogue import classes_in, command_name, families_in
from boltzmix.saving.registry import CLASSES
from tests.own_family_file import Rayleigh

LENGTHS = np.concatenate(
    [np.random.default_rng(0).rayleigh(scale, 150) for scale in (0.5, 8.0)]
)[:, None]  # fmt: skip
ONE_FILE = '''
from dataclasses import dataclass
from boltzmix.families import Exponential, Family

@dataclass(frozen=True)
class HalfNormal(Family):
    scale: float | None = None
    def fit(self, data, *, weights=None, rng=None):
        return HalfNormal(1.0)
    def log_prob(self, data):
        return data.values[:, 0]

class Unfinished(Family):
    """It has no log_prob, so it cannot be fitted."""
    def fit(self, data, *, weights=None, rng=None):
        return self

class _Private(HalfNormal):
    pass
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "one_file_families"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "half_normal.py").write_text(ONE_FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield import_module("one_file_families")
    for name in [name for name in sys.modules if name.startswith("one_file_families")]:
        del sys.modules[name]


def test_a_new_file_is_a_new_family(package):
    (found,) = families_in(package)
    assert found.__name__ == "HalfNormal"
    assert command_name(found) == "half-normal"


def test_classes_that_a_module_imports_are_not_its_own(package):
    assert {kind.__name__ for kind in classes_in(package)} == {"HalfNormal", "Unfinished"}


def test_the_command_has_every_distribution():
    assert set(families_in(distributions)) | {families.Automatic} == set(families.FAMILIES.values())
    assert list(families.FAMILIES) == sorted(families.FAMILIES)


def test_every_distribution_has_a_file_of_its_own():
    modules = [kind.__module__ for kind in families_in(distributions)]
    assert len(modules) == len(set(modules))


@pytest.mark.parametrize("kind", families.FAMILIES.values(), ids=lambda kind: kind.__name__)
def test_no_family_has_more_than_five_ancestors(kind):
    assert sum(issubclass(one, families.Family) for one in kind.__mro__[1:]) <= 5


def test_only_some_families_have_statistics_and_hyper_parameters():
    for name in ("summarise", "from_statistics", "freeze"):
        assert not hasattr(Family, name)
    assert {"summarise", "from_statistics"} <= AdditiveFamily.__abstractmethods__
    assert hasattr(JointFamily, "freeze")


@pytest.mark.parametrize("kind", families.FAMILIES.values(), ids=lambda kind: kind.__name__)
def test_model_files_may_name_every_family(kind):
    assert not isabstract(kind)
    assert kind in CLASSES.values()


def test_model_files_name_no_class_of_the_user():
    assert Rayleigh not in CLASSES.values()


def test_a_family_outside_the_package_keeps_the_contract():
    check_family(Rayleigh(), LENGTHS)


@pytest.fixture(scope="module")
def model():
    return Mixture(Rayleigh(), 2, random_state=0).fit(LENGTHS)


def test_a_family_outside_the_package_describes_itself(model):
    scales = sorted(one.describe().columns[0].parameters["scale"] for one in model.components_)
    assert scales == pytest.approx([0.5, 8.0], rel=0.2)


def test_a_family_outside_the_package_is_saved_and_loaded(model, tmp_path):
    path = tmp_path / "lengths.bmix"
    model.save(path)
    same = boltzmix.load(path, families=[Rayleigh])
    assert np.array_equal(same.predict_proba(LENGTHS), model.predict_proba(LENGTHS))
    for one, other in zip(same.components_, model.components_, strict=True):
        assert one.describe().parameters == other.describe().parameters


def test_a_family_outside_the_package_is_not_loaded_unless_handed_over(model, tmp_path):
    path = tmp_path / "lengths.bmix"
    model.save(path)
    with pytest.raises(ValueError, match=r"load\(path, families=\[Rayleigh\]\)"):
        boltzmix.load(path)
