"""Fitted models of every kind of data, for tests of reports."""

from functools import cache

import numpy as np
import pandas as pd

from boltzmix import Mixture
from boltzmix.datasets import make_mixture, make_random_hmms, make_square
from boltzmix.families import HMM, GaussianProcess, MarkovChain

MARKUP = "</script><img src=x onerror=alert(1)>"


@cache
def points():
    X, _ = make_square(random_state=0)
    far = np.random.default_rng(0).uniform(-40, 40, (20, 2))
    frame = pd.DataFrame(np.vstack([X, far]), columns=["width", MARKUP])
    return Mixture(n_components=4, noise=True, random_state=3).fit(frame), (frame,)


@cache
def many_columns():
    X, _ = make_mixture(300, 3, 5, random_state=0)
    return Mixture(n_components=3, random_state=0).fit(X), (X,)


@cache
def chosen():
    X, _ = make_mixture(200, 3, 2, separation=5, random_state=0)
    return Mixture(n_components=range(1, 6), random_state=0).fit(X), (X,)


@cache
def merged():
    angles = np.random.default_rng(0).uniform(0, np.pi, (2, 150))
    upper = np.column_stack([np.cos(angles[0]), np.sin(angles[0])])
    lower = np.column_stack([1 - np.cos(angles[1]), 0.5 - np.sin(angles[1])])
    X = np.vstack([upper, lower]) + np.random.default_rng(1).normal(0, 0.06, (300, 2))
    return Mixture(n_components=8, n_clusters=2, random_state=0).fit(X), (X,)


@cache
def mixed():
    rng = np.random.default_rng(0)
    kind = rng.integers(2, size=200)
    frame = pd.DataFrame(
        {
            "income": np.exp(rng.normal(2 * kind, 0.3)),
            "city": np.where(rng.random(200) < 0.8, np.array(["York", MARKUP])[kind], "Ely"),
            "age": np.where(rng.random(200) < 0.1, np.nan, rng.normal(30 + 20 * kind, 4)),
        }
    )
    return Mixture("auto", n_components=2, random_state=0).fit(frame), (frame,)


@cache
def sequences():
    X, _ = make_random_hmms(random_state=0)
    return Mixture(HMM(3), n_components=3, random_state=0, max_iter=20).fit(X), (X,)


@cache
def symbols():
    rng = np.random.default_rng(0)
    X = [(rng.integers(2, size=(n, 1)) + i % 2).astype(float) for i, n in enumerate(range(3, 40))]
    return Mixture(MarkovChain(), n_components=2, random_state=0).fit(X), (X,)


@cache
def curves():
    x = np.linspace(0, 6, 60)[:, None]
    y = np.sin(x[:, 0]) * np.tile([1, -1], 30)
    model = Mixture(GaussianProcess(), n_components=2, random_state=0, algorithm="beem")
    return model.fit(x, y), (x, y)


ALL_CASES = (points, many_columns, merged, mixed, sequences, symbols, curves)
