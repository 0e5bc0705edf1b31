"""Model files that earlier versions wrote are read, and files name no class and no module."""

import json
import warnings
from zipfile import ZipFile

import numpy as np
import pytest

import boltzmix
from boltzmix.saving.registry import (
    CLASSES,
    IDENTIFIERS,
    KERNELS,
    NOT_SAVED,
    RENAMED_FIELDS,
    saved_classes,
)
from boltzmix.saving.states import BANKS, RECORDS
from tests.checkpoint.runs import Interrupt
from tests.saving.keeping import CASES, FOLDER, PREDICTIONS
from tests.saving.test_damaged import entries_of, write

PREDICTED = json.loads(PREDICTIONS.read_text())


@pytest.mark.parametrize("name", CASES)
def test_a_kept_file_predicts_as_when_it_was_written(name):
    _, data = CASES[name]
    model = boltzmix.load(FOLDER / f"{name}.bmix")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = model.score_samples(*data)
    np.testing.assert_allclose(found, PREDICTED[name], rtol=1e-6, atol=1e-8)
    assert repr(model)
    assert model.summary() is not None


def test_every_kept_file_has_a_case():
    assert {one.stem for one in FOLDER.glob("*.bmix")} == {*CASES} == {*PREDICTED}


def named(node):
    """Yield the names of the classes in a JSON document."""
    if isinstance(node, dict):
        yield from (own[0] for key, own in node.items() if key in ("object", "bank state"))
    for one in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from named(one)


def assert_has_identifiers(content):
    """Check that a JSON document names its classes by identifiers, and no module."""
    found = {*named(json.loads(content))}
    assert found
    assert found <= {*IDENTIFIERS, *KERNELS}
    assert b"boltzmix." not in content
    assert b"sklearn." not in content


@pytest.mark.parametrize("name", CASES)
def test_a_model_file_names_no_class_and_no_module(name):
    assert_has_identifiers(entries_of(FOLDER / f"{name}.bmix")["model.json"])


@pytest.mark.parametrize("name", ["gaussian", "product", "hmm", "growth", "student"])
def test_a_checkpoint_names_no_class_and_no_module(name, tmp_path):
    model, data = CASES[name]
    path = tmp_path / "run.bmix"
    with pytest.raises(KeyboardInterrupt), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = {"checkpoint": path, "verbose": Interrupt(5), "random_state": 0}
        boltzmix.Mixture(**{**model.get_params(deep=False), **options}).fit(*data)
    with ZipFile(path) as file:
        records = [file.read(one) for one in file.namelist() if not one.endswith(".json")]
    assert records
    for content in records:
        length = int.from_bytes(content[:8], "little")
        assert_has_identifiers(content[8 : 8 + length])


def test_every_class_that_can_be_saved_has_an_identifier():
    """A new class goes into `IDENTIFIERS`, and one that was renamed has its new name there."""
    known = {boltzmix.Mixture, boltzmix.GaussianMixture}
    known |= {*saved_classes(), *RECORDS.values(), *BANKS.values()}
    assert {*IDENTIFIERS.values()} == {kind.__name__ for kind in known}
    assert not {*CLASSES.values()} & {*NOT_SAVED}


def test_a_renamed_field_is_found_by_its_old_name(tmp_path, monkeypatch):
    entries = entries_of(FOLDER / "gaussian.bmix")
    old = (
        entries["model.json"].replace(b'"centre"', b'"middle"').replace(b'"mean":', b'"centroid":')
    )
    assert old != entries["model.json"]
    write(tmp_path / "old.bmix", {**entries, "model.json": old})
    with pytest.raises(boltzmix.ModelFileError):
        boltzmix.load(tmp_path / "old.bmix")
    monkeypatch.setitem(RENAMED_FIELDS, ("gaussian", "centroid"), "mean")
    monkeypatch.setitem(RENAMED_FIELDS, ("gaussian", "middle"), "centre")
    found = boltzmix.load(tmp_path / "old.bmix").score_samples(*CASES["gaussian"][1])
    np.testing.assert_allclose(found, PREDICTED["gaussian"], rtol=1e-6, atol=1e-8)
