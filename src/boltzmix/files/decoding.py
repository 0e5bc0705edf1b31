"""The bytes of a file as text: unpacked, and in UTF-8."""

import bz2
import codecs
import lzma
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from .formats import Limit

PACKED: Mapping[bytes, Callable[[int], Any]] = {
    b"\x1f\x8b": lambda most: zlib.decompressobj(zlib.MAX_WBITS | 16),
    b"BZh": lambda most: bz2.BZ2Decompressor(),
    b"\xfd7zXZ": lambda most: lzma.LZMADecompressor(memlimit=max(most, LEAST_OF_XZ)),
}
LEAST_OF_XZ = 2**27  # bytes of memory that unpacking an xz file may take
MARKS = {  # UTF-32 first, because its mark begins with that of UTF-16
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
SAMPLE = 65_536
CONTROLS = bytes({*range(32)} - {*b"\t\n\v\f\r\x1a\x1b"})
MOST_CONTROLS = 0.01  # share of control characters above which bytes are not text


def unpack(data: bytes, name: str, limit: Limit) -> bytes:
    """Return the content of a gzip, bzip2 or xz file, or else the same bytes.

    Raise if it is damaged, or larger than the limit, as far as it has been unpacked then.
    """
    for mark, make in PACKED.items():
        if data.startswith(mark):
            try:
                found = _unpacked(data, mark, make, limit.most_unpacked)
            except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
                reason = str(error).rstrip(".")
                raise ValueError(f"{name} could not be unpacked: {reason}.") from None
            if len(found) > limit.most_unpacked:
                raise limit.too_large_unpacked(name)
            return found
    return data


def _unpacked(data: bytes, mark: bytes, make: Callable[[int], Any], most: int) -> bytes:
    """Return the content of all parts of packed bytes, up to one byte more than `most`."""
    parts: list[bytes] = []
    left = most + 1
    while data.startswith(mark) and left > 0:
        part = make(most)
        parts.append(part.decompress(data, left))
        left -= len(parts[-1])
        if left > 0 and not part.eof:
            raise EOFError("it ends too early")
        data = part.unused_data.lstrip(b"\0")  # with which archives may be filled up
    return b"".join(parts)


def to_utf8(data: bytes, encoding: str | None, name: str) -> tuple[bytes, str | None]:
    """Return text in UTF-8, without a byte order mark, and its encoding, if that was guessed.

    Text that is not valid UTF-8 is read as Windows-1252, which contains Latin-1.
    """
    named = None if encoding is None else codecs.lookup(encoding).name
    for mark, marked in MARKS.items():
        if data.startswith(mark) and named in (None, marked, marked[:6]):
            return _decoded(data[len(mark) :], marked, name), None
    if encoding is not None:
        return _decoded(data, encoding, name), None
    guessed = guess_encoding(data, name)
    return _decoded(data, guessed, name), None if guessed == "utf-8" else guessed


def _decoded(data: bytes, encoding: str, name: str) -> bytes:
    """Return text in UTF-8; raise if it is not written in an encoding."""
    is_utf8 = codecs.lookup(encoding).name == "utf-8"
    if is_utf8 and data.isascii():
        return data
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{name} is not written in the encoding {encoding} (in line {line}): name its encoding"
            " with --encoding, such as latin-1 or utf-16."
        ) from None
    return data if is_utf8 else text.encode()


def guess_encoding(data: bytes, name: str) -> str:
    """Return the encoding of text without a byte order mark; raise if the bytes are not text."""
    sample = data[:SAMPLE]
    half = max(len(sample) / 2, 1)
    for encoding, place in (("utf-16-le", 1), ("utf-16-be", 0)):
        if sample[place::2].count(0) > 0.4 * half and sample[1 - place :: 2].count(0) == 0:
            return encoding
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    if b"\0" in data or controls > MOST_CONTROLS * len(sample):
        raise ValueError(
            f"{name} is not a table that can be read: its content is neither text nor Parquet,"
            " Feather or Excel."
        )
    if data.isascii() or _decodes(data, "utf-8"):
        return "utf-8"
    return "cp1252" if _decodes(data, "cp1252") else "latin-1"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
