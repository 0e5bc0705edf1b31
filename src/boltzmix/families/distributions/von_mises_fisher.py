"""The von Mises–Fisher distribution of directions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy.special import ive

from ...data import DATA, FloatArray, InputError, Rng, Rows, Table, Weights, as_number, shown
from ..columns.exponential_family import ExponentialFamily, Totals
from ..contract.description import Description, columns_of, text_of
from ..shared.constants import LOG_2_PI
from ..shared.copies import replaced
from ..shared.validation import check_several_columns, fitted, read_arrays, read_floor, row_name

NORM_TOLERANCE = 1e-6
LEAST_CONCENTRATION, MOST_CONCENTRATION = 1e-6, 1e8
NEWTON_STEPS = 20
LEAST_SLOPE = 1e-10  # below which Newton's method would divide by rounding errors
LEAST_SPREAD = 1e-4  # of all data, from which the highest concentration is taken


@dataclass(frozen=True, eq=False)
class VonMisesFisher(ExponentialFamily):
    """Directions: rows of unit length in two or more dimensions.

    Parameters
    ----------
    floor : float, default=1e-4
        The least spread of a component, so that none collapses onto a few rows: a fraction of the
        spread that rows would have in each of K components that filled the space of the data
        evenly.
    highest_concentration : float, optional
        The largest concentration, in place of `floor`.
    direction : array, shape (d,), optional
        Mean direction, of unit length. Present once fitted.
    concentration : float, optional
        Zero for uniform directions; if large, about one over the variance around the mean
        direction. Present once fitted.

    Examples
    --------
    >>> rows = Table.of([[1.0, 0.0], [0.8, 0.6], [0.8, -0.6]])
    >>> fitted = VonMisesFisher().fit(rows)
    >>> fitted.direction, round(fitted.concentration, 2)
    (array([1., 0.]), 4.08)
    """

    floor: float = 1e-4
    highest_concentration: float | None = None
    direction: FloatArray | None = None
    concentration: float | None = None

    def __post_init__(self) -> None:
        read_floor(self)
        for name in ("highest_concentration", "concentration"):
            given = getattr(self, name)
            if given is not None and not (0 <= as_number(given) <= MOST_CONCENTRATION):
                raise ValueError(
                    f"{name} must be a number of zero to {MOST_CONCENTRATION:.0e}, not"
                    f" {shown(given)}."
                )
        read_arrays(self, "direction", axes=(1,))
        if self.direction is not None and not (
            np.ndim(self.direction) == 1 and abs(np.linalg.norm(self.direction) - 1) < 1e-6
        ):
            raise ValueError(
                f"direction must be a vector of norm one, not {shown(self.direction)}."
            )

    def __repr__(self) -> str:
        concentration = None if self.concentration is None else f"{self.concentration:.4g}"
        known = {"direction": self.direction, "concentration": concentration}
        return text_of("VonMisesFisher", [], known, suppress=True)

    @property
    def n_parameters(self) -> int:
        return len(self._fitted()[0])

    @property
    def slopes(self) -> FloatArray:
        """Direction times concentration, shape (d,)."""
        direction, concentration = self._fitted()
        return direction * concentration

    @cached_property
    def intercept(self) -> float:
        """Log of the normalising constant."""
        direction, concentration = self._fitted()
        d, concentration = len(direction), max(concentration, LEAST_CONCENTRATION)
        order = d / 2 - 1
        bessel = _log_bessel(order, concentration) + concentration
        return float(order * np.log(concentration) - d / 2 * LOG_2_PI - bessel)

    def describe(self) -> Description:
        """Return mean direction and concentration; each column has its part of the direction."""
        direction, concentration = self._fitted()
        return Description(
            {"direction": direction, "concentration": concentration},
            columns=columns_of({"direction": direction}),
        )

    def prepare(self, data: Rows, n_components: int, weights: Weights = None) -> Self:
        """Check the rows, and take the highest concentration from them."""
        totals = self.summarise_blocks(data, weights, check=True)
        if self.highest_concentration is not None:
            return self
        freedom = data.n_features - 1
        spread = max(1 - float(np.linalg.norm(totals.means)), LEAST_SPREAD)
        least = self.floor * spread / n_components ** (2 / freedom)
        return replaced(self, highest_concentration=min(freedom / (2 * least), MOST_CONCENTRATION))

    def check(self, data: Table, first_row: int | None = None) -> None:
        """Raise a ValueError if there are rows that are not of unit length."""
        check_several_columns(data, "VonMisesFisher", "directions")
        norms = _norms(data.values)
        off = np.abs(norms - 1) > NORM_TOLERANCE
        if off.any():
            row = int(off.argmax())
            raise InputError(
                f"{row_name(row, first_row)} of {DATA} has a norm of {norms[row]:.9g}, but"
                " VonMisesFisher takes directions, of norm one: divide each row by its norm."
            )

    def features(self, values: FloatArray) -> FloatArray:
        """Return the rows, divided by their lengths."""
        return values / _norms(values)[:, None]

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw `n` rows of unit length, shape (n, d)."""
        direction, concentration = self._fitted()
        gaps = _draw_gaps(concentration, len(direction), n, rng)[:, None]
        across = rng.standard_normal((n, len(direction)))
        across -= (across @ direction)[:, None] * direction
        across /= _norms(across)[:, None]
        drawn = (1 - gaps) * direction + np.sqrt(gaps * (2 - gaps)) * across
        return drawn / _norms(drawn)[:, None]

    def moved_to(self, observation: Table) -> Self:
        """Return this component with another mean direction."""
        return replaced(self, direction=self.features(observation.values.astype(float))[0])

    def from_statistics(self, statistics: Totals, rng: Rng = None) -> Self:
        """Return the component whose expected direction is the mean one."""
        d, length = len(statistics.sums), float(np.linalg.norm(statistics.means))
        highest = self.highest_concentration
        highest = MOST_CONCENTRATION if highest is None else highest
        if length > 0:
            direction = statistics.means / length
        else:
            direction = np.eye(d)[0] if self.direction is None else self.direction
        direction = direction / np.linalg.norm(direction)
        concentration = _most_likely(min(length, 1.0), d, highest)
        return replaced(self, direction=direction, concentration=concentration)

    def _fitted(self) -> tuple[FloatArray, float]:
        direction, concentration = fitted(self, "direction", "concentration")
        return np.asarray(direction, dtype=float), float(concentration)


def _norms(values: FloatArray) -> FloatArray:
    """Return the lengths of rows, shape (n,)."""
    return np.sqrt(np.einsum("nd,nd->n", values, values, dtype=float))


def _most_likely(length: float, d: int, highest: float) -> float:
    """Return the concentration at which the mean resultant has a length.

    Newton's method from the approximation of Banerjee et al. (2005), which is nearly exact for
    lengths close to one.
    """
    beyond = 1 - length**2
    if beyond <= 0 or length * (d - length**2) >= highest * beyond:
        return float(highest)
    found = length * (d - length**2) / beyond
    for _ in range(NEWTON_STEPS):
        found = max(found, LEAST_CONCENTRATION)
        ratio = _bessel_ratio(d / 2 - 1, found)
        slope = 1 - ratio**2 - (d - 1) / found * ratio
        if slope < LEAST_SLOPE:
            break
        before, found = found, found - (ratio - length) / slope
        if abs(found - before) <= 1e-12 * before:
            break
    return float(np.clip(found, LEAST_CONCENTRATION, highest))


def _bessel_ratio(order: float, x: float) -> float:
    """Return I_{order+1}(x) / I_order(x)."""
    return float(np.exp(_log_bessel(order + 1, x) - _log_bessel(order, x)))


def _log_bessel(order: float, x: float) -> float:
    """Return the log of exp(-x) I_order(x), also where that underflows."""
    scaled = float(ive(order, x))
    return float(np.log(scaled)) if scaled > 1e-290 else _log_bessel_of_large_order(order, x)


def _log_bessel_of_large_order(order: float, x: float) -> float:
    """Return the log of exp(-x) I_order(x) by Debye's expansion for large orders.

    The function is too small for double precision only for orders above 40, for which the
    expansion is accurate.
    """
    z = x / order
    root = np.hypot(1.0, z)
    p = 1 / root
    p2 = p * p
    first = p * (3 - 5 * p2) / 24
    second = p2 * (81 - 462 * p2 + 385 * p2**2) / 1152
    third = p * p2 * (30375 - 369603 * p2 + 765765 * p2**2 - 425425 * p2**3) / 414720
    series = first / order + second / order**2 + third / order**3
    exponent = order * (1 / (root + z) + np.log(z / (1 + root)))
    return float(exponent - 0.5 * np.log(2 * np.pi * order * root) + np.log1p(series))


def _draw_gaps(concentration: float, d: int, n: int, rng: np.random.Generator) -> FloatArray:
    """Draw one less the cosines of the angles to the mean direction, shape (n,): Wood (1994)."""
    freedom = d - 1
    b = freedom / (2 * concentration + np.hypot(2 * concentration, freedom))
    centre = (1 - b) / (1 + b)
    gaps, missing = np.empty(n), np.arange(n)
    while len(missing):
        draws = rng.beta(freedom / 2, freedom / 2, len(missing))
        gap = 2 * b * draws / (1 - (1 - b) * draws)
        odds = concentration * (2 * b / (1 + b) - gap) + freedom * (
            np.log(2 * b / (1 + b) + centre * gap) - np.log(4 * b / (1 + b) ** 2)
        )
        accepted = odds >= -rng.standard_exponential(len(missing))
        gaps[missing[accepted]] = gap[accepted]
        missing = missing[~accepted]
    return gaps
