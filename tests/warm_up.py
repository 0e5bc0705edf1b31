"""Compile the kernels that tests use, before the processes that run them start.

`make test` runs `python -m tests.warm_up`. Without it, every one of these processes would compile
them. Fits are small, and their results are not looked at. Two processes share the work.
"""

import os
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, ExpSineSquared, Matern

from boltzmix import BEEM, EM, GaussianMixture, Mixture, Sequences, kernels
from boltzmix.datasets import load_chick_weights, make_data_association, make_random_hmms
from boltzmix.families import HMM, Gaussian, GaussianProcess, GrowthCurve, RobustGaussian

RNG = np.random.default_rng(0)
POINTS = np.concatenate([RNG.normal(centre, 1, (60, 2)) for centre in (0, 6, 12)])
WIDE = np.concatenate([RNG.normal(centre, 1, (60, 30)) for centre in (0, 3)])


def rows() -> None:
    """Fit rows of few columns, by all algorithms."""
    for algorithm in ("auto", "beem", "em", "daem", "sem", "cem"):
        for family in (Gaussian(), Gaussian("diag"), RobustGaussian()):
            Mixture(family, 3, algorithm=algorithm, random_state=0).fit(POINTS).score(POINTS)
    Mixture(n_components="auto", random_state=0).fit(POINTS)
    Mixture(Gaussian("VEV"), 3, algorithm="em", random_state=0).fit(POINTS)
    Mixture(Gaussian("EVE"), 3, algorithm="em", random_state=0).fit(POINTS)
    GaussianMixture(3, random_state=0).fit(POINTS).predict(POINTS)


def wide_rows() -> None:
    """Fit rows of many columns, with a background for outliers and with missing values."""
    holes = np.where(RNG.uniform(size=WIDE.shape) < 0.02, np.nan, WIDE)
    for family in (Gaussian(), Gaussian("diag"), RobustGaussian()):
        Mixture(family, 2, random_state=0).fit(WIDE)
        Mixture(family, 2, algorithm=BEEM(), random_state=0).fit(WIDE)
    Mixture(Gaussian("diag"), 2, algorithm="em", random_state=0).fit(holes)
    Mixture(n_components=2, noise=True, random_state=0).fit(WIDE[:, :4])
    arrays = np.zeros((2, 30)), np.stack([np.eye(30)] * 2), np.zeros(2), np.empty((2, len(WIDE)))
    kernels.gaussian.full_log_densities_by_products(WIDE, *arrays)


def sequences() -> None:
    """Fit hidden Markov models, with every kind of pass over the steps."""
    X, _ = make_random_hmms(random_state=0)
    letters = Sequences.of([np.cumsum(RNG.normal(size=(30, 2)), axis=0) for _ in range(20)])
    for family in (HMM(3), HMM(3, topology="left-right")):
        model = Mixture(family, 2, algorithm=EM(1e-1), random_state=0).fit(letters)
        model.components_[0].decode(letters)
    Mixture(HMM(6), 2, algorithm=EM(1e-1), random_state=0).fit(X[:20])
    Mixture(HMM(2), 1, random_state=0).fit(letters.take(np.arange(5)))


def curves() -> None:
    """Fit Gaussian processes: sums of waves, periodic ones, and those by Kalman filters."""
    X, y, _ = make_data_association("crossing", random_state=0)
    Mixture(GaussianProcess(), 2, random_state=0).fit(X[::4], y[::4])
    waves = ConstantKernel(1.0) * RBF(0.3)
    for kernel in (Matern(0.5, nu=0.5), waves, waves * ExpSineSquared(1.0, 4.0)):
        data = GaussianProcess(kernel).observe(X[::4], y[::4])
        fitted = GaussianProcess(kernel).fit(data)
        fitted.log_marginal(data)
        fitted.predict(X, return_std=True)


def trajectories() -> None:
    """Fit growth curves."""
    X, _ = load_chick_weights()
    model = Mixture(GrowthCurve(), 2, algorithm=EM(1e-2), random_state=0).fit(X)
    model.components_[0].predict([0, 10, 21])


def main() -> None:
    """Compile what is not on disk yet."""
    parts = (sequences, rows, curves, wide_rows, trajectories)
    workers = min(os.cpu_count() or 1, len(parts))
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        list(pool.map(quietly, parts))


def quietly(part: Callable[[], None]) -> None:
    """Run a part; tests look at warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        part()


if __name__ == "__main__":
    main()
