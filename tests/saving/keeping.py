"""Model files that are kept as data, so that later versions are tested to read them.

`python -m tests.saving.keeping NAME` writes the file of one case, or of all without a name, and the
predictions of its model. Files that are there stay as they are, unless the version of the format
changes: a file that was written before a class was renamed is what the test needs.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.gaussian_process import kernels

from boltzmix import EM, GaussianMixture, Mixture
from boltzmix.families import (
    HMM,
    Categorical,
    Gaussian,
    GaussianProcess,
    GrowthCurve,
    LinearRegression,
    Logarithms,
    MarkovChain,
    Poisson,
    Product,
    RobustGaussian,
    ScipyFamily,
    StudentT,
)

FOLDER = Path(__file__).parent / "kept"
PREDICTIONS = FOLDER / "predictions.json"

STEPS = np.arange(24.0)
SIDE = 5 * (STEPS % 2)
POINTS = np.column_stack([SIDE + np.sin(STEPS), SIDE - np.cos(3 * STEPS)])
COUNTS = np.column_stack([STEPS % 4 + SIDE, STEPS % 3])
FRAME = pd.DataFrame(
    {
        "height": POINTS[:, 0].round(2) + 2,
        "visits": COUNTS[:, 0],
        "colour": ["red", "blue", "green", "blue"] * 6,
        "y": POINTS[:, 1] + STEPS,
    }
)
CHAINS = [POINTS[k : k + 6] for k in range(12)]
WORDS = [(COUNTS[k : k + 8, 1:] + k) % 3 for k in range(10)]
TRACKS = [(STEPS[:6] + k, np.sin(STEPS[:6] + k) + 3 * (k % 2)) for k in range(10)]
INPUTS, TARGETS = STEPS[:, None] / 4, np.sin(STEPS) + SIDE
PARTS = {"height": Logarithms(), "visits": Poisson(), "colour": Categorical()}

CASES = {  # a mixture, and what it is fitted to
    "gaussian": (Mixture(Gaussian("VEV"), 2, noise=True), (POINTS,)),
    "gaussian-mixture": (GaussianMixture(2, covariance_type="tied"), (POINTS,)),
    "robust": (Mixture(RobustGaussian(), 2, algorithm=EM(1e-3)), (POINTS,)),
    "student": (Mixture(StudentT(), 2, n_clusters=1), (POINTS,)),
    "auto": (Mixture("auto", 2), (FRAME,)),
    "product": (Mixture(Product(PARTS), 2), (FRAME[list(PARTS)],)),
    "membership": (
        Mixture(Gaussian("diag"), 2, membership="visits"),
        (FRAME[["height", "visits"]],),
    ),
    "chosen": (Mixture(Gaussian(), range(1, 3), criterion="bic"), (POINTS,)),
    "scipy": (Mixture(ScipyFamily(stats.norm), 2), (POINTS[:, :1],)),
    "hmm": (Mixture(HMM(2), 2), (CHAINS,)),
    "markov": (Mixture(MarkovChain(), 2), (WORDS,)),
    "growth": (Mixture(GrowthCurve(), 2), (TRACKS,)),
    "process": (
        Mixture(GaussianProcess(kernels.RBF() + kernels.WhiteKernel()), 2),
        (INPUTS, TARGETS),
    ),
    "regression": (Mixture(LinearRegression(formula="y ~ height"), 2), (FRAME,)),
}
SHORT = {"growth", "hmm", "markov", "membership", "process", "product", "regression", "scipy"}


def keep(name: str) -> list[float]:
    """Write the model file of a case; return the log densities that the model predicts."""
    model, data = CASES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in SHORT:
            model.set_params(algorithm="cem")
        model.set_params(random_state=0, max_iter=5).fit(*data).save(FOLDER / f"{name}.bmix")
        return model.score_samples(*data).tolist()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    known = json.loads(PREDICTIONS.read_text()) if PREDICTIONS.exists() else {}
    known |= {name: keep(name) for name in sys.argv[1:] or CASES}
    PREDICTIONS.write_text(json.dumps(known) + "\n")
