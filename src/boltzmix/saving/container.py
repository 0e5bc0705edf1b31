"""The zip: a header that names version and checksums, then the model, then its arrays.

Entries are stored as they are, not compressed, so no file unfolds to more than its own size.
Nothing is ever unpacked to disk.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from .errors import ModelFileError

FORMAT, VERSION = "boltzmix model", 1
HEADER, MODEL = "header.json", "model.json"


class Container(NamedTuple):
    """What is in a model file.

    Parameters
    ----------
    model : values of JSON
    arrays : list of bytes
        In NumPy's format, in the order of their numbers.
    written_by : dict of str to str
        Versions of the packages that wrote the file.
    """

    model: Any
    arrays: list[bytes]
    written_by: Mapping[str, str]


def pack(path: Path, content: Container) -> None:
    """Write a model file."""
    entries = {MODEL: as_json(content.model)}
    entries |= {_array_name(number): array for number, array in enumerate(content.arrays)}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": dict(content.written_by),
        "sha256": {name: sha256(entry).hexdigest() for name, entry in entries.items()},
    }
    with ZipFile(path, "w", ZIP_STORED) as file:
        for name, entry in {HEADER: as_json(header), **entries}.items():
            file.writestr(ZipInfo(name), entry)  # with no date: the same model is the same file


def unpack(path: Path) -> Container:
    """Read a model file; raise if it is damaged or another kind of file."""
    try:
        with ZipFile(path) as file:
            _check_sizes(file, path.stat().st_size)
            header = json.loads(file.read(HEADER))
            _check_version(header, path)
            entries = {name: file.read(name) for name in header["sha256"]}
            if len(entries) + 1 != len(file.infolist()):
                raise ValueError("it holds what its header does not name")
    except BadZipFile as error:
        raise _explain_bad_zip(path, error) from None
    except KeyError as error:
        raise ValueError(f"{error.args[0]} is missing") from None
    for name, digest in header["sha256"].items():
        if sha256(entries[name]).hexdigest() != digest:
            raise ValueError(f"the checksum of {name} is wrong")
    arrays = [entries[_array_name(number)] for number in range(len(entries) - 1)]
    return Container(json.loads(entries[MODEL]), arrays, header["written_by"])


def as_json(values: Any) -> bytes:
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


def _check_version(header: Any, path: Path) -> None:
    if header["format"] != FORMAT:
        raise ValueError("its header is of another format")
    version = header["version"]
    if type(version) is not int or version < 1:
        raise ValueError(f"there is no version {version!r} of the format")
    if version > VERSION:
        raise ModelFileError(
            f"{path} is of version {version} of the format, written by a newer boltzmix"
            f" ({header.get('written_by', {}).get('boltzmix', 'unknown')}), and this one reads up"
            f" to version {VERSION}: install a newer boltzmix."
        )


def _explain_bad_zip(path: Path, error: BadZipFile) -> Exception:
    with path.open("rb") as file:
        start = file.read(4)
    if start and not start.startswith(b"PK"):
        return ModelFileError(
            f"{path} is not a model file of boltzmix: give one that model.save or boltzmix fit"
            " --save has written."
        )
    return ValueError(str(error).rstrip(".") or "it is no whole zip")
