"""Ten thousand random changes of model files raise an error, or give a model that predicts."""

import json
from copy import deepcopy

import numpy as np
import pytest

import boltzmix
from boltzmix import ModelFileError
from tests.saving.test_damaged import MODELS, entries_of, files, write

__all__ = ["files"]
ODD = [None, True, -1, 0, 3, 10**30, 1e308, -0.5, "", "os.system", [], {}, [[]], {"array": 0}]
ODD += [{"float": "nan"}, {"float": "inf"}, {"tuple": []}, {"bank": []}, {"array": 7}]


def assert_raises_or_predicts(path, data, before=None):
    """Check that `load` raises one sentence, or that its model predicts the given scores."""
    try:
        model = boltzmix.load(path)
    except ModelFileError as error:
        assert len(str(error).splitlines()) == 1
        return False
    scores = model.score_samples(data)
    assert np.isfinite(scores).all()
    assert before is None or np.array_equal(scores, before)
    return True


def flip(content, rng):
    place = rng.integers(len(content))
    content[place] ^= 1 << rng.integers(8)


def overwrite(content, rng):
    content[rng.integers(len(content))] = rng.integers(256)


def truncate(content, rng):
    del content[rng.integers(len(content)) :]


def insert(content, rng):
    place = rng.integers(len(content) + 1)
    content[place:place] = rng.bytes(rng.integers(1, 20))


def remove(content, rng):
    place = rng.integers(len(content))
    del content[place : place + rng.integers(1, 20)]


@pytest.mark.parametrize("mutate", [flip, overwrite, truncate, insert, remove])
@pytest.mark.parametrize("name", MODELS)
def test_damaged_files_raise_or_predict_the_same(files, tmp_path, name, mutate):
    rng, path = np.random.default_rng(0), tmp_path / "m.bmix"
    original, data = (files / name).read_bytes(), MODELS[name][1]
    before = boltzmix.load(files / name).score_samples(data)
    for _ in range(200):
        content = bytearray(original)
        mutate(content, rng)
        path.write_bytes(content)
        assert_raises_or_predicts(path, data, before)


def places(node):
    """Yield every list and dictionary in a JSON document, with each of its keys."""
    if isinstance(node, list | dict):
        for key in range(len(node)) if isinstance(node, list) else list(node):
            yield node, key
            yield from places(node[key])


def mutate_json(document, rng):
    found = list(places(document))
    node, key = found[rng.integers(len(found))]
    other, there = found[rng.integers(len(found))]
    what = rng.integers(4)
    if what == 0:
        node[key] = deepcopy(ODD[rng.integers(len(ODD))])
    elif what == 1:
        del node[key]
    elif what == 2:
        node[key] = deepcopy(other[there])
    elif isinstance(node[key], int | float):
        node[key] = node[key] * 2 + 1
    elif isinstance(node[key], str):
        node[key] = node[key][::-1]
    else:
        node[key] = [node[key]]


@pytest.mark.parametrize("name", MODELS)
def test_forged_json_raises_or_predicts(files, tmp_path, name):
    rng, entries, data = np.random.default_rng(1), entries_of(files / name), MODELS[name][1]
    n_loaded = 0
    for _ in range(250):
        document = json.loads(entries["model.json"])
        mutate_json(document, rng)
        write(tmp_path / "m.bmix", {**entries, "model.json": json.dumps(document).encode()})
        n_loaded += assert_raises_or_predicts(tmp_path / "m.bmix", data)
    assert n_loaded < 125


@pytest.mark.parametrize("name", MODELS)
def test_forged_arrays_raise_or_predict(files, tmp_path, name):
    rng, entries, data = np.random.default_rng(2), entries_of(files / name), MODELS[name][1]
    arrays = [one for one in entries if one.endswith(".npy")]
    for _ in range(200):
        chosen = arrays[rng.integers(len(arrays))]
        content = bytearray(entries[chosen])
        flip(content, rng)
        write(tmp_path / "m.bmix", {**entries, chosen: bytes(content)})
        assert_raises_or_predicts(tmp_path / "m.bmix", data)


@pytest.mark.parametrize("name", MODELS)
def test_exchanged_arrays_raise_or_predict(files, tmp_path, name):
    rng, entries, data = np.random.default_rng(3), entries_of(files / name), MODELS[name][1]
    arrays = [one for one in entries if one.endswith(".npy")]
    for _ in range(50):
        one, other = rng.choice(arrays, 2)
        write(tmp_path / "m.bmix", {**entries, one: entries[other]})
        assert_raises_or_predicts(tmp_path / "m.bmix", data)
