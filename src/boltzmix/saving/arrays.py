"""Arrays as bytes in NumPy's own format, of plain numbers, truth values and text only."""

from io import BytesIO
from math import prod
from typing import Any

import numpy as np
from numpy.lib import format as npy

Array = np.ndarray[Any, Any]
SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (4, 8)}
VERSION = (1, 0)


def to_bytes(array: Array) -> bytes:
    """Return an array as bytes; raise if it holds objects."""
    if not _is_plain(array.dtype):
        raise ValueError(f"an array of {array.dtype} is neither of numbers nor of text")
    file = BytesIO()
    npy.write_array(file, array.astype(array.dtype.newbyteorder("<")), VERSION, allow_pickle=False)
    return file.getvalue()


def from_bytes(content: bytes) -> Array:
    """Read an array; raise if its header does not match the bytes that follow."""
    file = BytesIO(content)
    if npy.read_magic(file) != VERSION:
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
