"""Exponentials that fill the vector unit."""

from typing import Any

from .compile import kernel

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
ROUNDER = 6755399441055744.0  # 1.5 * 2^52: adding it leaves a whole number in the lowest bits


@kernel()
def exponentials(
    x: Any, least: float, rounded: Any, whole: Any, powers: Any, power_bits: Any
) -> None:
    """Replace x (n,), none above zero, by e^x; by zero below `least`, which is above -708.

    e^x = 2^w e^r with w whole and |r| < ln(2) / 2, e^r by its series. `rounded` and `powers` (n,)
    are room to work in, `whole` and `power_bits` their bits.
    """
    n = len(x)
    for t in range(n):
        rounded[t] = x[t] * LOG2_E + ROUNDER
    for t in range(n):
        power_bits[t] = (whole[t] + 1023) << 52
    for t in range(n):
        w = rounded[t] - ROUNDER
        r = (x[t] - w * LN2_HIGH) - w * LN2_LOW
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
        x[t] = p * powers[t] if x[t] > least else 0.0
