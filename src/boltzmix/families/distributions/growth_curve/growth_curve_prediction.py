"""Predictions of a fitted growth curve: its mean curve and band, draws, and words."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....data import FloatArray, Trajectories, given_times, read_times
from ...contract.capabilities import AdditiveFamily, RegressionFamily
from ...contract.description import Curve, Description
from .growth_curve_products import KernelCurve
from .growth_curve_scales import GrowthScales

DESCRIBED = 5  # times at which a curve is described


class PredictedCurve(RegressionFamily, AdditiveFamily):
    """A mean curve with random effects and noise, whose parameters are known.

    Write ``prepared``, ``kernel_curve`` and ``effects``.
    """

    @property
    @abstractmethod
    def prepared(self) -> GrowthScales:
        """The scales of all curves; raise if they are not known yet."""

    @property
    @abstractmethod
    def kernel_curve(self) -> KernelCurve:
        """The parameters, as kernels take them; raise if there are none yet."""

    @abstractmethod
    def effects(self, X: object) -> FloatArray:
        """Return the expected random effects of each trajectory, shape (n, q)."""

    def predict(
        self, times: object, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Return the mean curve at times (g,), and on demand standard deviations around it.

        Returns
        -------
        means : array, shape (g,), or (g, m) for several outputs
        deviations : array of the same shape
            Of values, by which trajectories deviate and by noise. Only if `return_std` is set.
        """
        means, deviations, noise = self._band(_present_times(times))
        spread = np.hypot(deviations, np.sqrt(noise))
        if means.shape[1] == 1:
            means, spread = means[:, 0], spread[:, 0]
        return (means, spread) if return_std else means

    def curves(self, X: object, times: object) -> FloatArray:
        """Return the expected curve of each trajectory at other times (g,), shape (n, g, m)."""
        scales, numbers = self.prepared, _present_times(times)
        coefficients = self.kernel_curve.mean + np.tensordot(
            self.effects(X), scales.effects, (1, 2)
        )
        found = np.tensordot(coefficients, scales.basis(numbers), (2, 1))
        return np.swapaxes(found, 1, 2) + scales.centre

    def _band(self, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return means (g, m), deviations of trajectories (g, m), and noise variances (m,)."""
        coefficients, root, noise = self.kernel_curve
        scales, functions = self.prepared, self.prepared.basis(times)
        means = functions @ coefficients.T + scales.centre
        spread = np.einsum("ga,mac,cd->gmd", functions, scales.effects, root)
        return means, np.hypot.reduce(spread, axis=2), noise

    def _evenly_spaced(self, number: int) -> FloatArray:
        """Return evenly spaced times from the first to the last."""
        first, last = self.prepared.quantiles[[0, -1]].tolist()
        return np.linspace(first, last, number)

    def _when(self, time: float) -> str:
        """Return a time in words: a date, where times are dates."""
        given = given_times(np.array([time]), self.prepared.time_unit)[0]
        return f"{time:.3g}" if self.prepared.time_unit is None else str(given)[:10]

    def describe(self) -> Description:
        """Return the mean curve at some times, deviations around it there, and the noise."""
        times = self._evenly_spaced(DESCRIBED)
        means, deviations, noise = self._band(times)
        m = len(noise)
        ends = [""] if m == 1 else [f" of output {j}" for j in range(m)]
        labels = tuple(f"at {self._when(time)}{end}" for time in times for end in ends)
        parameters = {"mean": means, "deviation": deviations, "noise_deviation": np.sqrt(noise)}
        if m == 1:
            parameters = {name: array[..., 0] for name, array in parameters.items()}
        return Description(
            parameters,
            picture=Curve(self._curve, self._formula),
            labels={"mean": labels, "deviation": labels},
        )

    def _curve(self, inputs: FloatArray) -> tuple[FloatArray, FloatArray]:
        means, deviations, noise = self._band(inputs[:, 0])
        return means, np.hypot(deviations, np.sqrt(noise))

    def _formula(self, names: Sequence[str]) -> str:
        """Return the mean curve at some times, in words."""
        times = self._evenly_spaced(3)
        means, deviations, noise = self._band(times)
        lines = []
        for output in range(len(noise)):
            name = names[output] if output < len(names) else f"output {output}"
            points = [
                f"{mean:.3g} ± {deviation:.2g} at {self._when(time)}"
                for time, mean, deviation in zip(
                    times, means[:, output], deviations[:, output], strict=True
                )
            ]
            lines.append(f"{name}: {', '.join(points)}; noise ± {np.sqrt(noise[output]):.2g}")
        return "\n".join(lines)

    def sample(self, n: int, rng: np.random.Generator) -> list[tuple[Any, FloatArray]]:
        """Draw `n` trajectories (times, values), as long as those fitted to are on average."""
        scales = self.prepared
        length = max(1, round(scales.mean_length))
        levels = np.sort(rng.random((n, length)), axis=1)
        places = np.linspace(0, 1, len(scales.quantiles))
        times = np.interp(levels, places, scales.quantiles)
        empty = Trajectories(
            times.ravel(),
            np.zeros((n * length, len(scales.centre))),
            np.arange(n + 1) * length,
        )
        drawn = self.sample_like(empty, rng)
        return [
            (given_times(own, scales.time_unit), values[:, 0] if values.shape[1] == 1 else values)
            for own, values in drawn
        ]

    def sample_like(self, data: Trajectories, rng: np.random.Generator) -> Trajectories:
        """Draw one trajectory for each of `data`, at the same times, with the same gaps."""
        coefficients, root, noise = self.kernel_curve
        scales = self.prepared
        drawn = rng.standard_normal((len(data), len(root))) @ root.T
        own = coefficients + np.tensordot(drawn, scales.effects, (1, 2))
        functions = scales.basis(data.times)
        means = np.einsum(
            "ta,tma->tm", functions, own[np.repeat(np.arange(len(data)), data.lengths)]
        )
        values = scales.centre + means + np.sqrt(noise) * rng.standard_normal(means.shape)
        return replace(data, values=np.where(np.isnan(data.values), np.nan, values))


def _present_times(times: object) -> FloatArray:
    """Return times as numbers; raise if one is missing."""
    numbers = read_times(times).numbers
    if np.isnan(numbers).any():
        raise ValueError(
            f"times has a missing value at row {np.isnan(numbers).argmax()}: leave it out."
        )
    return numbers
