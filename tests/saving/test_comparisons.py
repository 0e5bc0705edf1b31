"""A saved model keeps the table by which its number of components was chosen."""

import json
import pickle

import numpy as np
import pytest
from sklearn.base import clone

import boltzmix
from boltzmix import Mixture, ModelFileError
from boltzmix.families import Gaussian
from tests.saving.test_damaged import entries_of, write
from tests.saving.test_fuzzing import assert_raises_or_predicts, mutate_json

X, _ = boltzmix.datasets.make_square(random_state=0)


@pytest.fixture(scope="module")
def model():
    return Mixture(Gaussian(), range(1, 6), random_state=0).fit(X)


@pytest.fixture
def path(model, tmp_path):
    model.save(tmp_path / "m.bmix")
    return tmp_path / "m.bmix"


def fitted_entry(document, name):
    """Return the JSON of a fitted attribute, as a pair of its name and value."""
    content = dict(document["dict"])
    return next(pair for pair in content["fitted"]["dict"] if pair[0] == name)


def changed(path, change):
    """Change the JSON of the comparison in a model file."""
    entries = entries_of(path)
    document = json.loads(entries["model.json"])
    change(document, fitted_entry(document, "comparison_"))
    write(path, {**entries, "model.json": json.dumps(document).encode()})


def test_a_loaded_comparison_has_the_same_table_and_choice(model, path):
    loaded, saved = boltzmix.load(path).comparison_, model.comparison_
    assert loaded.rows() == saved.rows()
    assert (repr(loaded), loaded.chosen_by) == (repr(saved), saved.chosen_by)
    assert loaded.best_candidate().n_components == boltzmix.load(path).n_components_ == 4
    assert len(loaded.plot().lines) == len(saved.plot().lines)


def test_a_loaded_comparison_has_no_models_and_no_data(model, path):
    loaded = boltzmix.load(path).comparison_
    with pytest.raises(ValueError, match="read from a file has no fitted mixtures"):
        _ = loaded.best
    with pytest.raises(ValueError, match="needs the data"):
        loaded.bootstrap_test()
    alone = clone(model).set_params(n_components=4).fit(X)
    alone.save(path.with_name("alone.bmix"))
    assert path.stat().st_size < 2 * path.with_name("alone.bmix").stat().st_size


def test_a_loaded_model_can_be_saved_and_fitted_again(model, path):
    loaded = boltzmix.load(path)
    assert loaded.n_components == [1, 2, 3, 4, 5]
    loaded.save(path)
    assert boltzmix.load(path).comparison_.rows() == loaded.comparison_.rows()
    np.testing.assert_array_equal(loaded.fit(X).labels_, model.labels_)
    assert loaded.comparison_.best.n_components_ == 4


def test_files_without_a_comparison_can_be_loaded(path):
    def leave_out(document, pair):
        content = dict(document["dict"])
        content["fitted"]["dict"].remove(pair)

    changed(path, leave_out)
    assert not hasattr(boltzmix.load(path), "comparison_")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda state: state.update(data=3), "holds models or data"),
        (lambda state: state["candidates"][0]["object"][1].update(model=3), "models or data"),
        (lambda state: state["candidates"].pop(3), "another number of components"),
        (lambda state: state.update(candidates=[]), "at least one candidate"),
        (lambda state: state.update(candidates=[3]), "candidates of Comparison cannot be"),
        (lambda state: state.update(chosen_by="magic"), "criterion must be one of"),
    ],
)
def test_a_forged_comparison_raises(path, change, words):
    changed(path, lambda _, pair: change(pair[1]["object"][1]))
    with pytest.raises(ModelFileError, match=words):
        boltzmix.load(path)


def test_random_changes_of_a_comparison_raise_or_predict(path):
    rng = np.random.default_rng(0)
    entries = entries_of(path)
    for _ in range(200):
        document = json.loads(entries["model.json"])
        mutate_json(fitted_entry(document, "comparison_"), rng)
        write(path, {**entries, "model.json": json.dumps(document).encode()})
        assert_raises_or_predicts(path, X)


def test_a_pickle_keeps_everything_and_a_clone_nothing(model):
    same = pickle.loads(pickle.dumps(model))
    assert same.comparison_.rows() == model.comparison_.rows()
    assert same.comparison_.best.n_components_ == 4
    np.testing.assert_array_equal(same.predict(X), model.labels_)
    assert not hasattr(clone(model), "comparison_")
