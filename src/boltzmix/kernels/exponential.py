"""An exponential function that the compiler can vectorise."""

from typing import Any

from numba import types
from numba.extending import intrinsic

from .compile import kernel

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
ROUNDER = 6755399441055744.0  # 1.5 * 2^52: adding it leaves a whole number in the lowest bits


def _shift_into_exponent(context: Any, rounded: Any) -> Any:
    """Return 2^w, where w is the whole number in the lowest bits of a float."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = context.get_value_type(types.int64)
        whole = builder.bitcast(arguments[0], integer)
        bits = builder.shl(builder.add(whole, integer(1023)), integer(52))
        return builder.bitcast(bits, arguments[0].type)

    return types.float64(types.float64), build


_power_of_two: Any = intrinsic(_shift_into_exponent)


@kernel(allocates=False, fastmath={"contract"})
def exponential(x: float, least: float) -> float:
    """Return e^x for x of at most zero, or zero if x is below `least`, which is above -708.

    e^x is 2^w e^r for a whole number w and |r| < ln(2) / 2; e^r is computed by its series.
    """
    rounded = x * LOG2_E + ROUNDER
    w = rounded - ROUNDER
    r = (x - w * LN2_HIGH) - w * LN2_LOW
    p = 1 / 6227020800
    p = p * r + 1 / 479001600
    p = p * r + 1 / 39916800
    p = p * r + 1 / 3628800
    p = p * r + 1 / 362880
    p = p * r + 1 / 40320
    p = p * r + 1 / 5040
    p = p * r + 1 / 720
    p = p * r + 1 / 120
    p = p * r + 1 / 24
    p = p * r + 1 / 6
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return p * _power_of_two(rounded) if x > least else 0.0
