"""Simulated points on several curves at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..data import FloatArray, IntArray, check_choice, read_generator

LabelledCurves = tuple[FloatArray, FloatArray, IntArray]
Curves = Callable[[FloatArray], FloatArray]  # inputs (n,) to values (n, K, m)

SPAN = 10.0  # the inputs of the random curves lie between zero and this
GRID = np.linspace(0, SPAN, 250)
N_WAVES = 100  # in the sum that makes a random smooth curve


class DataAssociation(NamedTuple):
    """Points on several curves, and the curves themselves.

    Parameters
    ----------
    inputs : array, shape (n, 1)
        In ascending order.
    targets : array, shape (n,) or (n, m)
    labels : array of int, shape (n,)
        Which curve each point lies on.
    functions : array, shape (n, K) or (n, K, m)
        The value of every curve at every input.
    noise : array, shape (K,)
        Variance of the points around each curve, in every column of the targets.
    """

    inputs: FloatArray
    targets: FloatArray
    labels: IntArray
    functions: FloatArray
    noise: FloatArray

    @property
    def most_likely(self) -> IntArray:
        """Labels (n,) of the true curves under which points have the highest likelihood."""
        n, n_curves = self.functions.shape[:2]
        residuals = (self.targets[:, None] - self.functions).reshape(n, n_curves, -1)
        n_targets = residuals.shape[2]
        squared = (residuals**2).sum(axis=2) / self.noise
        return np.asarray((squared + n_targets * np.log(self.noise)).argmin(axis=1))


def make_data_association(kind: str = "crossing", random_state: object = None) -> LabelledCurves:
    """Draw points on several curves, for methods that find the curve of each point.

    Parameters
    ----------
    kind : {"crossing", "sinusoids", "waves", "tracking"}, default="crossing"
        "crossing": two random smooth functions on [0, 10] that cross three to five times, with
        125 points on each and noise of variance 0.01 (the paper's data association problem).
        "sinusoids": a sine and its negative over one cycle, on [0, 2π], irregularly sampled at 75
        and 60 points, with noise of variances 0.3 and 0.2; targets are then scaled to zero mean
        and unit variance (the problem in the paper's appendix). "waves": three sine waves on
        [0, 10], a third of a cycle apart at zero, with angular frequencies drawn between 0.8 and
        1.2, 100 points on each and noise of variance 0.01. "tracking": the positions of three
        targets in the plane at 100 random times each on [0, 10], with noise of variance 0.01;
        every target comes close to another on its way.
    random_state : int, Generator or None

    Returns
    -------
    X : array, shape (n, 1)
        In ascending order.
    y : array, shape (n,), or (n, 2) for "tracking"
    labels : array of int, shape (n,)

    See Also
    --------
    draw_data_association : The same points, with the functions they lie on.

    Examples
    --------
    >>> X, y, labels = make_data_association(random_state=0)
    >>> X.shape, y.shape, np.bincount(labels)
    ((250, 1), (250,), array([125, 125]))
    """
    drawn = draw_data_association(kind, random_state)
    return drawn.inputs, drawn.targets, drawn.labels


def draw_data_association(kind: str = "crossing", random_state: object = None) -> DataAssociation:
    """Draw the points of `make_data_association`, and return the true functions with them.

    Examples
    --------
    >>> drawn = draw_data_association("sinusoids", random_state=0)
    >>> drawn.functions.shape, float((drawn.most_likely == drawn.labels).mean().round(2))
    ((135, 2), 0.89)
    """
    check_choice("kind", kind, KINDS)
    return KINDS[kind](read_generator(random_state))


def _crossing(rng: np.random.Generator) -> DataAssociation:
    curves = _draw_until(_crosses, rng, n_curves=2, n_targets=1, deviation=0.36, length=1.0)
    drawn = _observe(curves, np.full(2, 125), np.full(2, 0.01), rng)
    return drawn._replace(targets=drawn.targets[:, 0], functions=drawn.functions[:, :, 0])


def _sinusoids(rng: np.random.Generator) -> DataAssociation:
    grid, sizes, noise = np.linspace(0, 2 * np.pi, 100), (75, 60), np.array([0.3, 0.2])
    kept = [rng.choice(grid, size, replace=False) for size in sizes]
    inputs, labels = _in_order(np.concatenate(kept), np.repeat([0, 1], sizes))
    functions = np.column_stack([np.sin(inputs), -np.sin(inputs)])
    targets = functions[np.arange(len(labels)), labels] + rng.normal(scale=np.sqrt(noise[labels]))
    centre, scale = targets.mean(), targets.std()
    return DataAssociation(
        inputs[:, None],
        (targets - centre) / scale,
        labels,
        (functions - centre) / scale,
        noise / scale**2,
    )


def _waves(rng: np.random.Generator) -> DataAssociation:
    frequencies = rng.uniform(0.8, 1.2, 3)
    phases = rng.uniform(0, 2 * np.pi) + 2 * np.pi / 3 * np.arange(3)

    def curves(inputs: FloatArray) -> FloatArray:
        return np.sin(inputs[:, None] * frequencies + phases)[:, :, None]

    drawn = _observe(curves, np.full(3, 100), np.full(3, 0.01), rng)
    return drawn._replace(targets=drawn.targets[:, 0], functions=drawn.functions[:, :, 0])


def _tracking(rng: np.random.Generator) -> DataAssociation:
    curves = _draw_until(_meets, rng, n_curves=3, n_targets=2, deviation=1.0, length=2.0)
    return _observe(curves, np.full(3, 100), np.full(3, 0.01), rng)


KINDS: dict[str, Callable[[np.random.Generator], DataAssociation]] = {
    "crossing": _crossing,
    "sinusoids": _sinusoids,
    "waves": _waves,
    "tracking": _tracking,
}


def _observe(
    curves: Curves, sizes: IntArray, noise: FloatArray, rng: np.random.Generator
) -> DataAssociation:
    """Draw `sizes` points on each curve, at inputs uniform on [0, SPAN]."""
    inputs, labels = _in_order(
        rng.uniform(0, SPAN, sizes.sum()), np.repeat(np.arange(len(sizes)), sizes)
    )
    functions = curves(inputs)
    on_curve = functions[np.arange(len(labels)), labels]
    errors = rng.normal(size=on_curve.shape) * np.sqrt(noise[labels])[:, None]
    return DataAssociation(inputs[:, None], on_curve + errors, labels, functions, noise)


def _in_order(inputs: FloatArray, labels: IntArray) -> tuple[FloatArray, IntArray]:
    order = np.argsort(inputs, kind="stable")
    return inputs[order], labels[order]


def _draw_until(
    fits: Callable[[FloatArray], bool], rng: np.random.Generator, **kind: Any
) -> Curves:
    """Draw curves until `fits` accepts their values on the grid, shape (len(GRID), K, m)."""
    while True:
        curves = _draw_smooth(rng, **kind)
        if fits(curves(GRID)):
            return curves


def _draw_smooth(
    rng: np.random.Generator, n_curves: int, n_targets: int, deviation: float, length: float
) -> Curves:
    """Draw curves from a Gaussian process with a squared exponential kernel.

    Each is a sum of waves whose frequencies come from the kernel's spectral density.
    """
    shape = (N_WAVES, n_curves, n_targets)
    frequencies = rng.normal(scale=1 / length, size=shape)
    phases = rng.uniform(0, 2 * np.pi, size=shape)
    heights = deviation * np.sqrt(2 / N_WAVES)

    def curves(inputs: FloatArray) -> FloatArray:
        waves = np.cos(inputs[:, None, None, None] * frequencies + phases)
        return heights * waves.sum(axis=1)

    return curves


def _crosses(values: FloatArray) -> bool:
    """Return whether two curves cross three to five times."""
    above = values[:, 0, 0] > values[:, 1, 0]
    return bool(3 <= np.count_nonzero(np.diff(above)) <= 5)


def _meets(values: FloatArray) -> bool:
    """Return whether every curve comes closer to another than a fifth of its deviation."""
    distances = np.linalg.norm(values[:, :, None] - values[:, None], axis=3).min(axis=0)
    np.fill_diagonal(distances, np.inf)
    return bool((distances.min(axis=1) < 0.2).all())
