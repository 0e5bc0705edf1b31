"""The zip: a header that names version and checksums, then the model, then its arrays.

Entries are stored as they are, not compressed, so no file unfolds to more than its own size.
Nothing is ever unpacked to disk. A file is moved to its path once it is complete.
"""

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

from ..data import InputError


class ModelFileError(ValueError):
    """A model file that cannot be read; the sentence names the file and says why."""


class UnknownFamilyError(ModelFileError):
    """A model file with components of a family of the user that was not passed to `load`.

    Parameters
    ----------
    path : Path
    family : str
        The name of its class.
    """

    def __init__(self, path: Path, family: str) -> None:
        super().__init__(
            f"{path} has components of the family {family}, which is not boltzmix's own: hand its"
            f" class over, as in load(path, families=[{family}])."
        )
        self.path, self.family = path, family


class CheckpointError(InputError):
    """A checkpoint that cannot be used; the sentence names the file and says why."""


Array = np.ndarray[Any, Any]
SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (4, 8)}
ARRAY_VERSION = (1, 0)


def to_bytes(array: Array) -> bytes:
    """Return an array as bytes; raise if it holds objects."""
    if not _is_plain(array.dtype):
        raise ValueError(f"an array of {array.dtype} is neither of numbers nor of text")
    file = BytesIO()
    npy.write_array(
        file, array.astype(array.dtype.newbyteorder("<")), ARRAY_VERSION, allow_pickle=False
    )
    return file.getvalue()


def from_bytes(content: bytes) -> Array:
    """Read an array; raise if its header does not match the bytes that follow."""
    file = BytesIO(content)
    if npy.read_magic(file) != ARRAY_VERSION:
        raise ValueError("an array is of an unknown version")
    shape, by_columns, dtype = npy.read_array_header_1_0(file)
    rest = memoryview(content)[file.tell() :]
    if not _is_plain(dtype) or dtype.byteorder == ">":
        raise ValueError(f"an array is of {dtype}")
    if any(size < 0 for size in shape) or prod(shape) * dtype.itemsize != len(rest):
        raise ValueError("an array is longer or shorter than it says")
    array = np.frombuffer(rest, dtype).reshape(shape, order="F" if by_columns else "C")
    if dtype.kind == "f" and np.isnan(array).any():
        raise ValueError("an array holds NaN")
    return array.copy(order="K")


def _is_plain(dtype: np.dtype[Any]) -> bool:
    if dtype.kind == "U":
        return dtype.itemsize > 0
    return dtype.itemsize in SIZES.get(dtype.kind, ())


VERSION = 2  # since version 2, files name classes by identifiers
MODEL_FORMAT, CHECKPOINT_FORMAT = "boltzmix model", "boltzmix checkpoint"
KINDS = {MODEL_FORMAT: "model", CHECKPOINT_FORMAT: "checkpoint"}
HINTS = {
    MODEL_FORMAT: "model.save and boltzmix fit --save write models",
    CHECKPOINT_FORMAT: "a fit writes its checkpoint to a file of its own",
}
HEADER, MODEL = "header.json", "model.json"


class Container(NamedTuple):
    """The content of a model file.

    Parameters
    ----------
    model : values of JSON
    arrays : list of bytes
        In NumPy's format, in the order of their numbers.
    written_by : dict of str to str
        Versions of the packages that wrote the file.
    """

    model: object
    arrays: list[bytes]
    written_by: Mapping[str, str]


def pack(path: Path, content: Container) -> None:
    """Write a model file."""
    entries = {MODEL: as_json(content.model)}
    entries |= {_array_name(number): array for number, array in enumerate(content.arrays)}
    write_entries(path, entries, MODEL_FORMAT, content.written_by)


def unpack(path: Path) -> Container:
    """Read a model file; raise if it is damaged or another kind of file."""
    entries, written_by = read_entries(path, MODEL_FORMAT)
    try:
        arrays = [entries[_array_name(number)] for number in range(len(entries) - 1)]
        return Container(json.loads(entries[MODEL]), arrays, written_by)
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing") from None


def write_entries(
    path: Path, entries: Mapping[str, bytes], kind: str, written_by: Mapping[str, str]
) -> None:
    """Write named entries, after a header with the format `kind` and a checksum of each."""
    header = {
        "format": kind,
        "version": VERSION,
        "written_by": dict(written_by),
        "sha256": {name: sha256(entry).hexdigest() for name, entry in entries.items()},
    }
    with ZipFile(path, "w", ZIP_STORED) as file:
        for name, entry in {HEADER: as_json(header), **entries}.items():
            file.writestr(ZipInfo(name), entry)  # with no date: the same model is the same file


def read_entries(path: Path, kind: str) -> tuple[dict[str, bytes], Mapping[str, str]]:
    """Return the entries of a file of the format `kind`, and the versions that wrote it.

    An error is raised if it is damaged or of another format.
    """
    try:
        with ZipFile(path) as file:
            _check_sizes(file, path.stat().st_size)
            header = json.loads(file.read(HEADER))
            _check_version(header, path, kind)
            entries = {name: file.read(name) for name in header["sha256"]}
            if len(entries) + 1 != len(file.infolist()):
                raise ValueError("it holds what its header does not name")
    except BadZipFile as error:
        raise _explain_bad_zip(path, kind, error) from None
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing") from None
    for name, digest in header["sha256"].items():
        if sha256(entries[name]).hexdigest() != digest:
            raise ValueError(f"the checksum of {name} is wrong")
    return entries, header["written_by"]


def as_json(values: object) -> bytes:
    """Write values as JSON, in which there are no infinities."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False).encode()


def _array_name(number: int) -> str:
    return f"arrays/{number}.npy"


def _check_sizes(file: ZipFile, size: int) -> None:
    """Raise if an entry is compressed, or claims to be larger than the file."""
    infos = file.infolist()
    if any(info.compress_type != ZIP_STORED for info in infos):
        raise ValueError("an entry is compressed, as those of model files never are")
    if sum(info.file_size for info in infos) > size:
        raise ValueError("its entries say that they are larger than the file")


def _check_version(header: Any, path: Path, kind: str) -> None:
    found = header["format"]
    if found not in KINDS:
        raise ValueError("its header is of another format")
    if found != kind:
        raise ModelFileError(f"{path} is a {KINDS[found]}, not a {KINDS[kind]}: {HINTS[kind]}.")
    version = header["version"]
    if type(version) is not int or version < 1:
        raise ValueError(f"there is no version {version!r} of the format")
    if version == VERSION:
        return
    age, advice = "a newer", "install a newer boltzmix"
    if version < VERSION:
        age, advice = "an older", "use that one, or fit the mixture again"
    raise ModelFileError(
        f"{path} is of version {version} of the format, written by {age} boltzmix"
        f" ({header.get('written_by', {}).get('boltzmix', 'unknown')}), and this one reads"
        f" version {VERSION}: {advice}."
    )


def _explain_bad_zip(path: Path, kind: str, error: BadZipFile) -> Exception:
    with path.open("rb") as file:
        start = file.read(4)
    if start and not start.startswith(b"PK"):
        explained = {
            MODEL_FORMAT: "a model file of boltzmix: give one that model.save or boltzmix fit"
            " --save has written",
            CHECKPOINT_FORMAT: "a checkpoint of boltzmix: choose another name",
        }
        return ModelFileError(f"{path} is not {explained[kind]}.")
    return ValueError(str(error).rstrip(".") or "it is no whole zip")


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a draft in a folder beside the path, see it to the disk, and move it to the path.

    Raises
    ------
    ValueError
        If the path cannot be that of a file.
    OSError
        If the file cannot be written, as on a full disk. Its message names the file.
    """
    if not path.parent.is_dir():
        raise ValueError(f"The folder {path.parent} does not exist: make it first.")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it.")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".boltzmix-") as folder:
            draft = Path(folder) / path.name
            write(draft)
            _to_disk(draft, os.O_RDWR)
            draft.replace(path)
    except OSError as error:
        reason = error.strerror or str(error) or type(error).__name__
        raise type(error)(f"{path} could not be written: {reason.rstrip('.')}.") from None
    with suppress(OSError):  # not every system can do this with a folder
        _to_disk(path.parent, os.O_RDONLY)


def _to_disk(path: Path, mode: int) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    opened = os.open(path, mode)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
