"""A logarithm that the compiler can vectorise."""

from typing import Any

from numba import types
from numba.extending import intrinsic

from .compile import kernel

LN2_HIGH, LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
MANTISSA = 0x000FFFFFFFFFFFFF
ONE = 0x3FF0000000000000  # the bits of 1.0
TWO_TO_52 = 0x4330000000000000  # the bits of 2^52: a whole number in the mantissa is added to it
BIAS = 4503599627370496.0 + 1023.0  # 2^52, and the offset of exponents
SQRT_2 = 1.4142135623730951
LARGEST = 1.7976931348623157e308


def _whole_exponent(context: Any, x: Any) -> Any:
    """Return w + 2^52 + 1023 for a positive x = 2^w m, where m is from 1 to 2."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = context.get_value_type(types.int64)
        bits = builder.lshr(builder.bitcast(arguments[0], integer), integer(52))
        return builder.bitcast(builder.or_(bits, integer(TWO_TO_52)), arguments[0].type)

    return types.float64(types.float64), build


def _fraction(context: Any, x: Any) -> Any:
    """Return m for a positive x = 2^w m, where m is from 1 to 2."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        integer = context.get_value_type(types.int64)
        bits = builder.and_(builder.bitcast(arguments[0], integer), integer(MANTISSA))
        return builder.bitcast(builder.or_(bits, integer(ONE)), arguments[0].type)

    return types.float64(types.float64), build


_exponent_of: Any = intrinsic(_whole_exponent)
_mantissa_of: Any = intrinsic(_fraction)


@kernel(allocates=False, fastmath={"contract"})
def logarithm(x: float) -> float:
    """Return the natural logarithm of a normal number above zero, or of infinity.

    It is w ln(2) + log(m), for x = 2^w m and m close to one; log(m) is computed by the series of
    the inverse hyperbolic tangent.
    """
    w, m = _exponent_of(x) - BIAS, _mantissa_of(x)
    if m > SQRT_2:
        w, m = w + 1.0, m * 0.5
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    p = 1 / 21
    p = p * square + 1 / 19
    p = p * square + 1 / 17
    p = p * square + 1 / 15
    p = p * square + 1 / 13
    p = p * square + 1 / 11
    p = p * square + 1 / 9
    p = p * square + 1 / 7
    p = p * square + 1 / 5
    p = p * square + 1 / 3
    log_m = 2.0 * s + 2.0 * s * square * p
    found = w * LN2_HIGH + (w * LN2_LOW + log_m)
    return found if x <= LARGEST else x
