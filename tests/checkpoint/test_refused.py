"""Checkpoints of other fits, damaged ones, other files and bad paths raise one sentence."""

import os

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity

import boltzmix
from boltzmix import CheckpointError, GaussianMixture, Mixture
from boltzmix.families import Gaussian, SklearnFamily, StudentT

from .runs import SQUARE, Interrupt, bits

WEIGHTS = np.linspace(1, 2, len(SQUARE))


def mixture(**options):
    return Mixture(**{"family": Gaussian(), "n_components": 4, "random_state": 0, **options})


def fit_error(model, *given):
    """Return the message of the error that `fit` raises before it has learned anything."""
    watch = Interrupt()
    with pytest.raises(CheckpointError) as caught:
        model.set_params(verbose=watch).fit(*given)
    sentence = str(caught.value)
    assert len(sentence.splitlines()) == 1
    assert sentence.endswith(".")
    assert watch.n_seen == 0
    return sentence


@pytest.fixture
def path(tmp_path):
    """Return the checkpoint of a fit that was interrupted."""
    with pytest.raises(KeyboardInterrupt):
        mixture(checkpoint=tmp_path / "run.bmix", verbose=Interrupt(5)).fit(SQUARE)
    return tmp_path / "run.bmix"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 5}, "n_components was 4 and is 5"),
        ({"family": StudentT()}, "family was Gaussian"),
        ({"family": Gaussian("diag")}, "family was Gaussian"),
        ({"random_state": 1}, "random_state was 0 and is 1"),
        ({"random_state": None}, "random_state was 0 and is None"),
        ({"algorithm": "em"}, "algorithm was 'auto' and is 'em'"),
        ({"max_iter": 7, "noise": True}, "max_iter was 1000 and is 7, and noise was False"),
        ({"init": np.arange(len(SQUARE)) % 4}, "init was 'auto' and is array"),
    ],
)
def test_other_settings_are_named(path, options, words):
    before = path.read_bytes()
    sentence = fit_error(mixture(checkpoint=path, **options), SQUARE)
    assert words in sentence
    assert str(path) in sentence
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((SQUARE[:-1],), "the data are not the same"),
        ((np.nextafter(SQUARE, 9),), "the data are not the same"),
        ((SQUARE[::-1],), "the data are not the same"),
        ((SQUARE, None, WEIGHTS), "sample_weight is not the same"),
        ((SQUARE, None, None, np.arange(len(SQUARE)) % 4), "labels are not the same"),
    ],
)
def test_other_data_are_named(path, given, words):
    assert words in fit_error(mixture(checkpoint=path), *given)


def test_functions_with_other_code_are_other_settings(tmp_path):
    path = tmp_path / "run.bmix"
    mixture(init=lambda data, k, rng: np.arange(len(data)) % k, checkpoint=path).fit(SQUARE)
    mixture(init=lambda data, k, rng: np.arange(len(data)) % k, checkpoint=path).fit(SQUARE)
    other = mixture(init=lambda data, k, rng: np.arange(len(data)) // 2 % k, checkpoint=path)
    assert "init" in fit_error(other, SQUARE)


def test_another_version_is_named(path, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda package: "9.1")
    monkeypatch.setattr("boltzmix.saving.models.version", lambda package: "9.1")
    assert "and is 9.1" in fit_error(mixture(checkpoint=path), SQUARE)


def test_a_checkpoint_cut_off_at_any_byte_is_never_used(path):
    whole, expected = path.read_bytes(), bits(mixture().fit(SQUARE))
    cuts = {*range(0, len(whole), max(len(whole) // 150, 1)), *range(len(whole) - 40, len(whole))}
    for cut in sorted(cuts):
        path.write_bytes(whole[:cut])
        assert "delete it" in fit_error(mixture(checkpoint=path), SQUARE)
    path.write_bytes(whole)
    assert bits(mixture(checkpoint=path).fit(SQUARE)) == expected


def test_a_changed_byte_is_never_used(path):
    whole = path.read_bytes()
    expected = bits(mixture().fit(SQUARE))
    for place in np.random.default_rng(0).integers(len(whole), size=60):
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        path.write_bytes(bytes(changed))
        try:
            found = mixture(checkpoint=path).fit(SQUARE)
        except CheckpointError as error:
            assert str(path) in str(error)
        else:  # a byte that means nothing, such as a date in the zip
            assert bits(found) == expected


def test_models_and_checkpoints_are_told_apart(path, tmp_path):
    model = tmp_path / "model.bmix"
    mixture().fit(SQUARE).save(model)
    assert "is a model, not a checkpoint" in fit_error(mixture(checkpoint=model), SQUARE)
    with pytest.raises(boltzmix.ModelFileError, match="is a checkpoint, not a model"):
        boltzmix.load(path)


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("a,b\n1,2\n")
    assert "is not a checkpoint" in fit_error(mixture(checkpoint=path), SQUARE)
    assert path.read_text() == "a,b\n1,2\n"


def test_paths_that_cannot_be_written_raise_at_once(tmp_path):
    assert "is a folder" in fit_error(mixture(checkpoint=tmp_path), SQUARE)
    absent = tmp_path / "absent" / "run.bmix"
    assert "does not exist: make it first" in fit_error(mixture(checkpoint=absent), SQUARE)
    long = tmp_path / ("n" * 300)
    assert "has a name of 300 bytes" in fit_error(mixture(checkpoint=long), SQUARE)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_raises_at_once(tmp_path):
    tmp_path.chmod(0o500)
    path = tmp_path / "run.bmix"
    assert "cannot be written" in fit_error(mixture(checkpoint=path), SQUARE)


def test_what_cannot_be_kept_raises(tmp_path):
    path = tmp_path / "run.bmix"
    family = SklearnFamily(KernelDensity())
    assert "SklearnFamily cannot be saved" in fit_error(
        mixture(family=family, checkpoint=path), SQUARE
    )
    with pytest.raises(ValueError, match="partial_fit writes no checkpoint"):
        mixture(checkpoint=path).partial_fit(SQUARE)
    with pytest.raises(ValueError, match="compare keeps no checkpoint"):
        boltzmix.compare(SQUARE, checkpoint=path)
    with pytest.raises(ValueError, match="checkpoint and warm_start"):
        GaussianMixture(4, warm_start=True, checkpoint=path).fit(SQUARE)
    with pytest.raises(TypeError, match="checkpoint must be a path, such as"):
        mixture(checkpoint=3).fit(SQUARE)


def test_a_fit_that_could_not_begin_leaves_no_checkpoint(tmp_path):
    with pytest.raises(ValueError, match="use at most"):
        mixture(n_components=10_000, checkpoint=tmp_path / "run.bmix").fit(SQUARE)
    assert not any(tmp_path.iterdir())


def test_nothing_is_left_beside_the_checkpoint(path):
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_disk_that_is_full_does_not_end_the_fit(tmp_path, monkeypatch):
    path = tmp_path / "run.bmix"

    def remove_folder(state):
        if path.exists():
            path.unlink()
            tmp_path.rmdir()

    model = mixture(checkpoint=path, verbose=remove_folder)
    with pytest.warns(UserWarning, match="could not be brought up to date"):
        model.fit(SQUARE)
    assert bits(model) == bits(mixture().fit(SQUARE))
