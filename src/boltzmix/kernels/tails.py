"""Log densities and weights of rows under K Student t distributions.

Shapes: values (K, n), minus half the squared lengths of whitened rows; constants (K,), the log
densities at the locations; log_densities (K, n); responsibilities (K, n).
"""

from typing import Any

import numpy as np

from .compile import kernel
from .logarithm import logarithm
from .moments import soft_moments as moments_of


@kernel(allocates=False, fastmath={"contract"})
def log_densities(
    values: Any, constants: Any, degrees: float, d: float, log_densities: Any
) -> None:
    """Write log densities in d dimensions, into an array of its own."""
    power, scale = (degrees + d) / 2.0, -2.0 / degrees
    for k in range(values.shape[0]):
        own, found, constant = values[k], log_densities[k], constants[k]
        for t in range(len(own)):
            found[t] = constant - power * logarithm(1.0 + scale * own[t])


def soft_moments(
    x: Any,
    responsibilities: Any,
    values: Any,
    log_densities: Any,
    constants: Any,
    degrees: float,
    counts: Any,
    means: Any,
    scatters: Any,
    totals: Any,
    pulls: Any,
) -> None:
    """Write the moments of rows that are weighted by responsibilities times expected precisions.

    Counts, means and scatters have the shapes of `moments.soft_moments`. `totals` (K,) are the sums
    of the responsibilities, and `pulls` (K,) those of the responsibilities times the expected
    logarithm of the precision less the precision, but for a constant.
    """
    weighted = np.empty(responsibilities.shape)
    given = values, log_densities, constants, degrees, float(x.shape[1]), responsibilities
    weigh(*given, weighted, totals, pulls)
    moments_of(x, weighted, counts, means, scatters)


@kernel(allocates=False, fastmath={"contract", "reassoc"})
def weigh(
    values: Any,
    log_densities: Any,
    constants: Any,
    degrees: float,
    d: float,
    responsibilities: Any,
    weighted: Any,
    totals: Any,
    pulls: Any,
) -> None:
    """Write responsibilities times the expected precisions of rows, totals and pulls.

    Rows that are too far away for double precision have a precision of zero, and are left out of
    the pull. `weighted` (K, n) must be an array of its own: the compiler vectorises the loop only
    then.
    """
    per_power = 2.0 / (degrees + d)
    for k in range(values.shape[0]):
        value, density, share, target = (
            values[k],
            log_densities[k],
            responsibilities[k],
            weighted[k],
        )
        constant, total, pull = constants[k], 0.0, 0.0
        for t in range(len(value)):
            precision = (degrees + d) / (degrees - 2.0 * value[t])
            target[t] = share[t] * precision
            rise = (density[t] - constant) * per_power - precision
            total += share[t]
            pull += share[t] * rise if precision > 0.0 else 0.0
        totals[k], pulls[k] = total, pull
