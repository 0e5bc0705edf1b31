import io
import os
import zipfile
from http.client import IncompleteRead
from urllib.error import URLError

import numpy as np
import pytest
from scipy.io import savemat

from boltzmix.datasets import load_character_trajectories, trajectories

KEY = ["a", "b", "c", "d", "e", "g", "z"]
COUNTS = {"a": 3, "b": 1, "c": 2, "d": 2, "e": 1}
WRITTEN = "abgcaddzecag"  # as many of a-e as COUNTS says, and three others


@pytest.fixture(autouse=True)
def isolated(tmp_path, monkeypatch):
    """Remove the data folder and the network, empty the cache, and expect few sequences."""
    monkeypatch.delenv("BOLTZMIX_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(trajectories, "UCI_COUNTS", COUNTS)
    monkeypatch.setattr(trajectories, "urlopen", failing(URLError("no network here")))


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache" / "boltzmix" / trajectories.FILE


def failing(error):
    def opener(address, timeout):
        raise error

    return opener


def serve(monkeypatch, archive):
    """Replace UCI by `archive`, and return the list of requests."""
    requests = []

    def opener(address, timeout):
        requests.append((address, timeout))
        return io.BytesIO(archive)

    monkeypatch.setattr(trajectories, "urlopen", opener)
    return requests


def pen_strokes(n=12, seed=0):
    """Return sequences (T_i, 3), not zero at either end, but with a pause within."""
    rng = np.random.default_rng(seed)
    strokes = [rng.normal(size=(rng.integers(4, 9), 3)) for _ in range(n)]
    for stroke in strokes:
        stroke[2] = 0
        stroke[0, :2] = 0  # a step moves if any of its values does
    return strokes


def mat_file(strokes, written=WRITTEN, **changes):
    """Write strokes the way UCI has them: (3, T), with zeros around the movement."""
    cells = np.empty((1, len(strokes)), dtype=object)
    for i, stroke in enumerate(strokes):
        cells[0, i] = np.pad(stroke, [(i % 3, (i + 1) % 4), (0, 0)]).T
    key = np.empty((1, len(KEY)), dtype=object)
    key[0, :] = KEY
    numbers = np.array([[KEY.index(letter) + 1 for letter in written]], dtype=np.uint8)
    consts = {"dt": 0.005, "ridge": 0.05, "key": key, "charlabels": numbers}
    file = io.BytesIO()
    savemat(file, {"mixout": cells, "consts": consts, **changes}, do_compression=True)
    return file.getvalue()


def zipped(content, name=trajectories.UCI_FILE):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("trajectories.names", "about the data")
        archive.writestr(f"__MACOSX/._{trajectories.UCI_FILE}", "not this one")
        archive.writestr(name, content)
    return file.getvalue()


def write_file(folder, **changes):
    """Write a file of three trajectories, of letters b, a and b."""
    content = {
        "values": np.arange(18, dtype=np.float32).reshape(6, 3),
        "lengths": np.array([1, 3, 2]),
        "labels": np.array(["b", "a", "b"]),
        **changes,
    }
    np.savez(folder / trajectories.FILE, **{k: v for k, v in content.items() if v is not None})
    return folder


def assert_same(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_folder_is_read(tmp_path):
    X, labels = load_character_trajectories(folder=write_file(tmp_path))
    assert labels.tolist() == [1, 0, 1]
    assert labels.dtype.kind == "i"
    assert all(x.dtype == float for x in X)
    values = np.arange(18.0).reshape(6, 3)
    assert_same(X, [values[:1], values[1:4], values[4:]])


def test_labels_are_indices_of_letters(tmp_path):
    folder = write_file(tmp_path)
    assert load_character_trajectories("ba", folder)[1].tolist() == [0, 1, 0]
    assert load_character_trajectories(["e", "b"], str(folder))[1].tolist() == [1, 1]
    X, labels = load_character_trajectories("a", folder)
    assert labels.tolist() == [0]
    assert X[0].shape == (3, 3)


def test_the_environment_names_the_folder_unless_an_argument_does(tmp_path, monkeypatch):
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    one = write_file(tmp_path / "one")
    other = write_file(tmp_path / "other", labels=np.array(["c", "c", "c"]))
    monkeypatch.setenv("BOLTZMIX_DATA", str(one))
    assert load_character_trajectories()[1].tolist() == [1, 0, 1]
    assert load_character_trajectories(folder=other)[1].tolist() == [2, 2, 2]


def test_a_folder_without_the_file_raises_and_nothing_is_downloaded(tmp_path, monkeypatch):
    requests = serve(monkeypatch, zipped(mat_file(pen_strokes())))
    with pytest.raises(FileNotFoundError, match=r"There is no character_trajectories_a-e\.npz in"):
        load_character_trajectories(folder=tmp_path / "nowhere")
    monkeypatch.setenv("BOLTZMIX_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="with folder= or BOLTZMIX_DATA, or name none"):
        load_character_trajectories()
    assert not requests


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"values": np.ones((6, 2))}, r"values have shape \(6, 2\)"),
        ({"values": np.ones((6, 3), dtype=complex)}, "dtype complex"),
        ({"values": np.full((6, 3), np.nan)}, "not finite"),
        ({"lengths": np.array([1, 3, 3])}, "do not add up"),
        ({"lengths": np.array([0, 4, 2])}, "at least 1"),
        ({"lengths": np.array([1.0, 3.0, 2.0])}, "whole numbers"),
        ({"labels": np.array(["a", "b"])}, "one label per sequence"),
        ({"labels": np.array(["a", "b", "c"], dtype=object)}, "allow_pickle"),
        ({"labels": None}, "labels"),
    ],
)
def test_a_file_with_other_content_raises(tmp_path, changes, message):
    with pytest.raises(ValueError, match=rf"\.npz does not hold .*{message}.*remove or replace it"):
        load_character_trajectories(folder=write_file(tmp_path, **changes))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"plain text"])
def test_a_damaged_file_raises(tmp_path, content):
    (tmp_path / trajectories.FILE).write_bytes(content)
    with pytest.raises(ValueError, match="does not hold the trajectories it should"):
        load_character_trajectories(folder=tmp_path)


@pytest.mark.parametrize("name", [trajectories.UCI_FILE, f"data/{trajectories.UCI_FILE}"])
def test_downloaded_trajectories_are_trimmed_and_labelled(monkeypatch, name):
    strokes = pen_strokes()
    requests = serve(monkeypatch, zipped(mat_file(strokes), name))
    X, labels = load_character_trajectories()
    kept = [i for i, letter in enumerate(WRITTEN) if letter in "abcde"]
    assert labels.tolist() == ["abcde".index(WRITTEN[i]) for i in kept]
    assert_same(X, [strokes[i].astype(np.float32) for i in kept])
    assert requests == [(trajectories.UCI_ADDRESS, 30)]


def test_downloaded_trajectories_are_cached_in_the_layout_of_the_file(monkeypatch, cache):
    requests = serve(monkeypatch, zipped(mat_file(pen_strokes())))
    first, labels = load_character_trajectories()
    again, same_labels = load_character_trajectories()
    elsewhere, _ = load_character_trajectories(folder=cache.parent)
    assert_same(again, first)
    assert_same(elsewhere, first)
    np.testing.assert_array_equal(same_labels, labels)
    assert len(requests) == 1
    assert list(cache.parent.iterdir()) == [cache]
    with np.load(cache) as file:
        assert sorted(file) == ["labels", "lengths", "values"]
        assert file["values"].dtype == np.float32
        assert file["labels"].dtype == "<U1"


def test_the_cache_is_in_the_home_folder_by_default(tmp_path, monkeypatch):
    serve(monkeypatch, zipped(mat_file(pen_strokes())))
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    load_character_trajectories()
    assert (tmp_path / ".cache" / "boltzmix" / trajectories.FILE).is_file()


def with_value(value, part=slice(None)):
    strokes = pen_strokes()
    strokes[0] = strokes[0].astype(type(value))
    strokes[0][1, part] = value
    return strokes


BAD_ARCHIVES = {
    "not a zip file": (b"<html>please log in</html>", "not a zip file"),
    "another zip file": (zipped(b"", "other.mat"), "no item named 'mixoutALL_shifted.mat'"),
    "not a matlab file": (zipped(b"nothing" * 100), ""),
    "cut off": (zipped(mat_file(pen_strokes())[:1000]), ""),
    "nothing inside": (zipped(mat_file(pen_strokes(), consts=1.0)), ""),
    "one letter more": (
        zipped(mat_file(pen_strokes(13), WRITTEN + "a")), "sequences per letter are .*'a': 4"
    ),
    "no letters": (zipped(mat_file(pen_strokes(2), "gz")), "sequences per letter are {}"),
    "one stroke without label": (zipped(mat_file(pen_strokes(13))), "shorter"),
    "two channels": (zipped(mat_file([s[:, :2] + 1 for s in pen_strokes()])), r"\(\d+, 2\)"),
    "one with two channels": (
        zipped(mat_file([pen_strokes()[0][:, 1:], *pen_strokes()[1:]])), "dimensions"
    ),
    "NaN": (zipped(mat_file(with_value(np.nan, 0))), "not finite"),
    "infinity": (zipped(mat_file(with_value(np.inf, 0))), "not finite"),
    "complex numbers": (zipped(mat_file(with_value(1j))), "same_kind"),
    "a pen that never moves": (zipped(mat_file([0 * s for s in pen_strokes()])), "at least 1"),
}  # fmt: skip


@pytest.mark.parametrize(("archive", "message"), BAD_ARCHIVES.values(), ids=BAD_ARCHIVES)
def test_any_other_download_raises_and_is_not_cached(monkeypatch, cache, archive, message):
    serve(monkeypatch, archive)
    with pytest.raises(
        ValueError, match=rf"not the data set expected, and was not kept.*{message}"
    ):
        load_character_trajectories()
    assert not cache.parent.exists()


@pytest.mark.parametrize(
    "error", [URLError("no route"), TimeoutError("timed out"), IncompleteRead(b"half")]
)
def test_without_folder_and_network_the_message_says_what_is_needed(monkeypatch, cache, error):
    monkeypatch.setattr(trajectories, "urlopen", failing(error))
    with pytest.raises(FileNotFoundError) as raised:
        load_character_trajectories()
    message = str(raised.value)
    assert "BOLTZMIX_DATA" in message
    assert trajectories.FILE in message
    assert trajectories.UCI_ADDRESS in message
    assert "\n" not in message
    assert not cache.parent.exists()


def test_an_empty_environment_variable_names_no_folder(monkeypatch):
    monkeypatch.setenv("BOLTZMIX_DATA", "")
    with pytest.raises(FileNotFoundError, match="or a network"):
        load_character_trajectories()


def test_a_failed_write_leaves_no_cache(monkeypatch, cache):
    serve(monkeypatch, zipped(mat_file(pen_strokes())))

    def write_half(path, **arrays):
        path.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", write_half)
    with pytest.warns(UserWarning, match="could not be written .disk full.* downloaded again"):
        X, _ = load_character_trajectories()
    assert len(X) == sum(COUNTS.values())
    assert not list(cache.parent.iterdir())


def test_the_expected_counts_are_those_of_the_paper(monkeypatch):
    monkeypatch.undo()
    assert trajectories.UCI_COUNTS == {"a": 171, "b": 141, "c": 142, "d": 157, "e": 186}


@pytest.mark.parametrize("letters", ["", [], "abf", "A", "aa", "a b", ["ab"], [1], None, 5])
def test_bad_letters_raise(letters):
    with pytest.raises(ValueError, match="letters must be different ones of 'abcde', not"):
        load_character_trajectories(letters)


needs_data = pytest.mark.skipif(
    not os.environ.get("BOLTZMIX_DATA"),
    reason="BOLTZMIX_DATA does not name the folder with the character trajectories",
)
DATA = os.environ.get("BOLTZMIX_DATA")


@needs_data
def test_the_real_trajectories_are_finite_trimmed_and_as_long_as_the_paper_says():
    X, labels = load_character_trajectories(folder=DATA)
    assert len(X) == len(labels) > 0
    assert set(labels) == {0, 1, 2, 3, 4}
    assert all(x.shape[1] == 3 and np.isfinite(x).all() for x in X)
    assert all(x[0].any() and x[-1].any() for x in X)
    np.testing.assert_allclose(np.mean([len(x) for x in X]), 117, atol=1)


@needs_data
def test_some_of_the_real_letters_can_be_chosen():
    X, labels = load_character_trajectories(folder=DATA)
    some, places = load_character_trajectories("da", folder=DATA)
    assert_same(some, [x for x, label in zip(X, labels, strict=True) if label in (0, 3)])
    assert places.tolist() == [0 if label == 3 else 1 for label in labels if label in (0, 3)]
