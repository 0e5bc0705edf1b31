"""Damaged, forged or hostile files raise an error in one sentence, and run no code."""

import io
import json
import os
import pickle
import warnings
from hashlib import sha256
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

import boltzmix
from boltzmix import Mixture, ModelFileError
from boltzmix.families import HMM, Categorical, Gaussian, MarkovChain

X, _ = boltzmix.datasets.make_square(random_state=0)
X = X[::5]
RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 3, (60, 2)).astype(float)
CHAINS = [RNG.normal(size=(6, 2)) for _ in range(12)]
WORDS = [RNG.integers(0, 3, (6, 1)) for _ in range(20)]
MODELS = {
    "gaussian": (Gaussian(), X),
    "categorical": (Categorical(), CODES),
    "hmm": (HMM(2), CHAINS),
    "markov": (MarkovChain(), WORDS),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for name, (family, data) in MODELS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Mixture(family, 2, random_state=0, max_iter=3, noise=True).fit(data).save(folder / name)
    return folder


def entries_of(path):
    with ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write(path, entries, compression=ZIP_STORED, checksums=True):
    """Write entries as a model file, with valid checksums by default."""
    header = json.loads(entries["header.json"])
    if checksums:
        others = {name: one for name, one in entries.items() if name != "header.json"}
        header["sha256"] = {name: sha256(one).hexdigest() for name, one in others.items()}
    with ZipFile(path, "w", compression) as file:
        for name, one in {**entries, "header.json": json.dumps(header).encode()}.items():
            file.writestr(name, one)


def load_error(path):
    """Return the message of the error that `load` raises, which is one sentence."""
    with pytest.raises(ModelFileError) as caught:
        boltzmix.load(path)
    sentence = str(caught.value)
    assert len(sentence.splitlines()) == 1
    assert sentence.endswith(".")
    assert str(path) in sentence
    return sentence


def with_header(entries, **changes):
    header = {**json.loads(entries["header.json"]), **changes}
    return {**entries, "header.json": json.dumps(header).encode()}


class Bomb:
    """An object that makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def pickled_array(path):
    file = io.BytesIO()
    np.save(file, np.array([Bomb(path)], dtype=object), allow_pickle=True)
    return file.getvalue()


@pytest.mark.parametrize("place", ["arrays/0.npy", "arrays/5.npy", "model.json", "header.json"])
@pytest.mark.parametrize("kind", ["array", "pickle"])
def test_pickles_are_never_opened(files, tmp_path, place, kind):
    trace, path = tmp_path / "trace", tmp_path / "hostile"
    bad = pickled_array(trace) if kind == "array" else pickle.dumps(Bomb(trace))
    entries = {**entries_of(files / "gaussian"), place: bad}
    if place == "header.json":
        with ZipFile(path, "w") as file:
            for name, one in entries.items():
                file.writestr(name, one)
    else:
        write(path, entries)
    load_error(path)
    assert not trace.exists()
    path.write_bytes(bad)
    load_error(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    "forged",
    [
        {"object": ["os.system", {"command": "mkdir trace"}]},
        {"object": ["posix:mkdir", {"path": "trace"}]},
        {"object": ["own Exponential", {}]},
        {"object": ["sklearn-family", {}]},
        {"object": ["kernel-kernel", {}]},
        {"object": ["gaussian", {"__class__": "os"}]},
        {"object": ["gaussian", {"mean": "trace"}]},
        {"distribution": "test"},
        {"distribution": "__builtins__"},
        {"distribution": "gaussian_kde"},
        {"distribution": ["norm"]},
        {"generator": {"dict": [["bit_generator", "default_rng"]]}},
        {"covariance": "__class__"},
        {"number": ["object", 3]},
        {"number": ["float64", "inf"]},
        {"array": -1000000},
        {"array": "0"},
        {"dict": [[{"dict": []}, 1]]},
        {"eval": "1"},
        {"object": ["gaussian", {}], "array": 0},
        {"bank": []},
        {"bank": [{"object": ["gaussian", {}]}, {"object": ["poisson", {}]}]},
        {},
    ],
    ids=str,
)
def test_forged_objects_raise(files, tmp_path, monkeypatch, forged):
    monkeypatch.chdir(tmp_path)
    entries = entries_of(files / "gaussian")
    document = json.loads(entries["model.json"])
    parameters = document["dict"][1][1]["dict"]
    for place in (dict(map(tuple, parameters)), None):
        forgery = json.loads(entries["model.json"])
        if place is None:
            forgery["dict"][2][1]["dict"].append(["labels_", forged])
        else:
            forgery["dict"][1][1]["dict"] = [*parameters, ["family", forged]]
        write(tmp_path / "forged", {**entries, "model.json": json.dumps(forgery).encode()})
        load_error(tmp_path / "forged")
    assert [one.name for one in tmp_path.iterdir()] == ["forged"]


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "..\\evil", "arrays/../../evil"])
def test_entries_with_paths_are_written_nowhere(files, tmp_path, name):
    folder = tmp_path / "inside"
    folder.mkdir()
    write(folder / "m.bmix", {**entries_of(files / "gaussian"), name: b"evil"})
    load_error(folder / "m.bmix")
    assert [one.name for one in tmp_path.rglob("*")] == ["inside", "m.bmix"]


def test_a_newer_version_raises_with_its_number(files, tmp_path):
    newer = {"version": 3, "written_by": {"boltzmix": "9.1"}, "more": True}
    write(tmp_path / "m.bmix", with_header(entries_of(files / "gaussian"), **newer))
    assert load_error(tmp_path / "m.bmix") == (
        f"{tmp_path / 'm.bmix'} is of version 3 of the format, written by a newer boltzmix (9.1),"
        " and this one reads version 2: install a newer boltzmix."
    )


def test_an_older_version_raises_with_its_number(files, tmp_path):
    older = {"version": 1, "written_by": {"boltzmix": "0.1"}}
    write(tmp_path / "m.bmix", with_header(entries_of(files / "gaussian"), **older))
    assert load_error(tmp_path / "m.bmix") == (
        f"{tmp_path / 'm.bmix'} is of version 1 of the format, written by an older boltzmix (0.1),"
        " and this one reads version 2: use that one, or fit the mixture again."
    )


@pytest.mark.parametrize("version", [0, -1, "1", True, None, 1.0])
def test_invalid_versions_raise(files, tmp_path, version):
    write(tmp_path / "m.bmix", with_header(entries_of(files / "gaussian"), version=version))
    assert "there is no version" in load_error(tmp_path / "m.bmix")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is damaged"),
        (b"a,b\n1,2\n", "is not a model file of boltzmix"),
        (b"PK\x03\x04", "is damaged"),
    ],
)
def test_files_of_other_formats_raise(tmp_path, content, words):
    (tmp_path / "other.csv").write_bytes(content)
    assert words in load_error(tmp_path / "other.csv")


def test_absent_files_and_folders_raise(tmp_path):
    assert "There is no file" in load_error(tmp_path / "absent.bmix")
    assert "There is no file" in load_error(tmp_path)


def test_a_file_without_permission_raises_the_reason(files, monkeypatch):
    def deny(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("boltzmix.saving.container.ZipFile", deny)
    assert load_error(files / "gaussian").endswith("could not be read: Permission denied.")


def test_compressed_entries_raise_before_they_are_read(files, tmp_path):
    bomb = {**entries_of(files / "gaussian"), "arrays/0.npy": bytes(50_000_000)}
    write(tmp_path / "bomb", bomb, ZIP_DEFLATED)
    assert "compressed" in load_error(tmp_path / "bomb")


def test_entries_larger_than_the_file_raise(files, tmp_path):
    content = (files / "gaussian").read_bytes()
    start = content.rindex(
        b"PK\x01\x02"
    )  # the last entry of the directory, which contains its sizes
    huge = (2**31).to_bytes(4, "little")
    (tmp_path / "huge").write_bytes(content[: start + 20] + huge * 2 + content[start + 28 :])
    assert "larger than the file" in load_error(tmp_path / "huge")


@pytest.mark.parametrize("shape", ["(10000000000000,)", "(-1,)", "(3,)", "(1, 1e9)"])
def test_arrays_with_a_wrong_shape_raise(files, tmp_path, shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    padded = header + b" " * (118 - len(header) - 1) + b"\n"
    forged = b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + bytes(16)
    write(tmp_path / "m.bmix", {**entries_of(files / "gaussian"), "arrays/3.npy": forged})
    load_error(tmp_path / "m.bmix")


def test_a_changed_array_raises_because_of_its_checksum(files, tmp_path):
    entries = entries_of(files / "gaussian")
    entries["arrays/5.npy"] = entries["arrays/5.npy"][:-1] + b"\x01"
    write(tmp_path / "m.bmix", entries, checksums=False)
    assert "the checksum of arrays/5.npy is wrong" in load_error(tmp_path / "m.bmix")


def test_very_deep_nesting_raises(files, tmp_path):
    deep = b"[" * 100_000 + b"]" * 100_000
    write(tmp_path / "m.bmix", {**entries_of(files / "gaussian"), "model.json": deep})
    load_error(tmp_path / "m.bmix")
