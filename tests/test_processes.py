"""Fits in child processes and in threads end, and have the same bits as any other."""

import os
import subprocess
import sys

import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_backend
from sklearn.model_selection import GridSearchCV

from boltzmix import Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian

X, _ = make_mixture(600, 4, 2, random_state=0)

FORKING = """
import os, threading, time
from boltzmix import GaussianMixture, Mixture
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian

X, _ = make_mixture(20_000, 4, 3, separation=5, random_state=0)


def fit():
    GaussianMixture(3, random_state=0).fit(X[:1000])
    return Mixture(Gaussian(), 4, algorithm="em", random_state=0, n_jobs=2).fit(X).lower_bound_


def fit_on():
    while not is_over.is_set():
        fit()


expected, is_over = fit(), threading.Event()
thread = threading.Thread(target=fit_on)
thread.start()
for attempt in range({forks}):
    time.sleep(0.005 * attempt)
    child = os.fork()
    if child == 0:
        os._exit(0 if fit() == expected else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status
is_over.set()
thread.join()
print("done")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_that_is_forked_in_the_middle_of_a_fit_can_fit():
    threads = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    found = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKING.format(forks=8)],
        env={**os.environ, **threads}, capture_output=True, text=True, timeout=500,
    )  # fmt: skip
    assert found.stdout == "done\n", found.stderr


def objective(seed):
    return Mixture(Gaussian(), 3, init="kmeans", random_state=seed).fit(X).lower_bound_


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_fits_by_joblib_have_the_same_bits(backend):
    found = Parallel(n_jobs=2, backend=backend)(delayed(objective)(seed) for seed in range(2))
    assert found == [objective(seed) for seed in range(2)]


def test_grid_search_in_threads_has_the_same_bits():
    with parallel_backend("threading"):
        search = GridSearchCV(
            Mixture(Gaussian(), 1, random_state=0), {"n_components": [1, 4]}, cv=2, n_jobs=2
        ).fit(X)
    wanted = [
        Mixture(Gaussian(), k, random_state=0).fit(X[half]).score(X[rest])
        for k in (1, 4)
        for half, rest in ((slice(300, None), slice(300)), (slice(300), slice(300, None)))
    ]
    folds = [search.cv_results_[f"split{fold}_test_score"] for fold in range(2)]
    np.testing.assert_array_equal(np.transpose(folds).ravel(), wanted)
