"""How kernels are compiled: once, kept on disk, free of the interpreter lock."""

from functools import partial

from numba import njit

kernel = partial(njit, cache=True, nogil=True, error_model="numpy")

# sums may be reordered so that they use the whole vector unit: for finite numbers only
fast_kernel = partial(kernel, fastmath={"reassoc", "contract", "nsz", "arcp"})
