"""Log densities and weights of rows under K Student t distributions.

Shapes: values (K, n), minus half the squared lengths of whitened rows; constants (K,), the log
densities at the locations; log_densities (K, n); responsibilities (K, n).
"""

from typing import Any

import numpy as np

from .compile import kernel
from .logarithm import logarithm
from .moments import measure_soft, workspace


@kernel(fastmath={"contract"})
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
    work, weighted = workspace(x, responsibilities), np.empty(len(x))
    d = float(x.shape[1])
    for k, own in enumerate(responsibilities):
        given = values[k], log_densities[k], constants[k], degrees, d, own
        totals[k], pulls[k] = weigh(*given, weighted)
        counts[k] = measure_soft(x, work, weighted, k, means[k], scatters[k])


@kernel(fastmath={"contract", "reassoc"})
def weigh(
    values: Any,
    log_densities: Any,
    constant: float,
    degrees: float,
    d: float,
    responsibilities: Any,
    weighted: Any,
) -> tuple[float, float]:
    """Write responsibilities times the expected precisions of rows, under one component.

    Return the total of the responsibilities, and the pull. Rows that are too far away for double
    precision have a precision of zero, and are left out of the pull. `weighted` must be an array of
    its own: the compiler vectorises the loop only then.
    """
    per_power = 2.0 / (degrees + d)
    total, pull = 0.0, 0.0
    for t in range(len(values)):
        precision = (degrees + d) / (degrees - 2.0 * values[t])
        weighted[t] = responsibilities[t] * precision
        rise = (log_densities[t] - constant) * per_power - precision
        total += responsibilities[t]
        pull += responsibilities[t] * rise if precision > 0.0 else 0.0
    return total, pull
