"""Measure the purity of mixtures of curves, beside OMGP and the true functions."""

import argparse
import warnings
from time import process_time
from typing import Any

import numpy as np

from boltzmix import Mixture
from boltzmix.datasets import draw_data_association
from boltzmix.families import GaussianProcess
from boltzmix.metrics import purity_score
from experiments.baselines import OMGP

SEEDS = {"crossing": 50, "sinusoids": 50, "waves": 20}


def measure(kind: str, seed: int, with_peer: bool = True) -> dict[str, float]:
    """Return purities, and seconds of processor time, of one draw of points."""
    drawn = draw_data_association(kind, seed)
    n_curves = drawn.functions.shape[1]
    found = {"true functions": purity_score(drawn.labels, drawn.most_likely)}
    models: dict[str, Any] = {"auto": Mixture(GaussianProcess(), n_curves, random_state=seed)}
    if with_peer:
        models["OMGP"] = OMGP(n_curves, random_state=seed)
    for name, model in models.items():
        began = process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # OMGP may not converge, and a curve may be empty
            model.fit(drawn.inputs, drawn.targets)
        found[f"{name} seconds"] = process_time() - began
        found[name] = purity_score(drawn.labels, model.labels_)
    return found


def main() -> None:
    """Print the means of each kind of curves as a row of a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(SEEDS))
    parser.add_argument("--no-peer", action="store_true", help="leave OMGP out")
    options = parser.parse_args()
    for kind in options.kinds:
        rows = [measure(kind, seed, not options.no_peer) for seed in range(SEEDS[kind])]
        means = {name: np.mean([row[name] for row in rows]) for name in rows[0]}
        print(kind, len(rows), *(f"{name} {mean:.3f}" for name, mean in means.items()), flush=True)


if __name__ == "__main__":
    main()
