"""Log densities and weights of rows under K Student t distributions.

Shapes: values (K, n), minus half the squared lengths of whitened rows; constants (K,), the log
densities at the locations; log_densities (K, n); responsibilities and weighted (K, n).
"""

from typing import Any

from .compile import kernel
from .logarithm import logarithm


@kernel(fastmath={"contract"})
def log_densities(
    values: Any, constants: Any, degrees: float, d: float, log_densities: Any
) -> None:
    """Write log densities in d dimensions; `log_densities` may be `values` itself."""
    power, scale = (degrees + d) / 2.0, -2.0 / degrees
    for k in range(values.shape[0]):
        own, found, constant = values[k], log_densities[k], constants[k]
        for t in range(len(own)):
            found[t] = constant - power * logarithm(1.0 + scale * own[t])


@kernel(fastmath={"contract", "reassoc"})
def weigh(
    values: Any,
    log_densities: Any,
    constants: Any,
    degrees: float,
    d: float,
    responsibilities: Any,
    weighted: Any,
    pulls: Any,
) -> None:
    """Write responsibilities times the expected precisions of rows, and what these sum up to.

    `weighted` may be `values` itself.

    `pulls` (K,) is the sum of the responsibilities times the expected logarithm of the precision
    less the precision, but for a constant. Rows that are too far away for double precision have a
    precision of zero, and are left out.
    """
    power = (degrees + d) / 2.0
    for k in range(values.shape[0]):
        own, found, out = values[k], responsibilities[k], weighted[k]
        log_density, constant = log_densities[k], constants[k]
        pull = 0.0
        for t in range(len(own)):
            precision = (degrees + d) / (degrees - 2.0 * own[t])
            out[t] = found[t] * precision
            rise = (log_density[t] - constant) / power - precision
            pull += found[t] * rise if precision > 0.0 else 0.0
        pulls[k] = pull
