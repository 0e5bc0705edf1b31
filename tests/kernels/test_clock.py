from time import perf_counter

import numpy as np
from numba import njit

from boltzmix.kernels.clock import working_time


def test_the_clock_stands_still_while_a_kernel_is_compiled():
    @njit
    def total(values):
        result = 0.0
        for value in values:
            result += value
        return result

    began, worked = perf_counter(), working_time()
    total(np.ones(3))
    taken, at_work = perf_counter() - began, working_time() - worked
    assert 0 <= at_work < 0.5 * taken
    began, worked = perf_counter(), working_time()
    total(np.ones(1000))
    assert abs((perf_counter() - began) - (working_time() - worked)) < 1e-3
