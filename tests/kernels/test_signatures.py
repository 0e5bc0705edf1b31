"""Kernels that Python calls take arrays and numbers, and return nothing or a number.

An exception that is raised while Numba makes Python objects of arrays or tuples, such as that of
Ctrl-C, ends the process.
"""

import pkgutil
import warnings
from importlib import import_module

import numpy as np
from numba import types
from numba.core.dispatcher import Dispatcher

from boltzmix import kernels
from tests import warm_up

PARTS = (
    warm_up.sequences,
    warm_up.curves,
    warm_up.trajectories,
    warm_up.rows,
    warm_up.wide_rows,
)
OF_NUMBERS = {"boltzmix.kernels.exponential.exponential", "boltzmix.kernels.logarithm.logarithm"}


def kernels_for_python():
    """Return the kernels that have an entry for Python, by name."""
    modules = [
        import_module(f"boltzmix.kernels.{one.name}")
        for one in pkgutil.iter_modules(kernels.__path__)
    ]
    return {
        f"{found.__module__}.{found.__name__}": found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, Dispatcher)
        and not found.targetoptions.get("no_cpython_wrapper")
        and found.targetoptions.get("nogil")  # others become a part of kernels
    }


def test_kernels_make_no_objects_of_python():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in PARTS:
            part()
        kernels.assignment.mean_entropy(np.zeros((2, 5)), 1.0)
    found = [
        (name, signature)
        for name, one in kernels_for_python().items()
        for signature in one.nopython_signatures or [None]
    ]
    assert {name for name, signature in found if signature is None} <= OF_NUMBERS
    for name, signature in found:
        if signature is None:
            continue
        returned = signature.return_type
        assert returned == types.none or isinstance(returned, types.Number | types.Boolean), name
        for argument in signature.args:
            assert isinstance(argument, types.Array | types.Number | types.Boolean), name
