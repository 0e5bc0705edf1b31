"""Positive, skewed numbers: the areas of cells, by Gamma, log-normal and Gaussian components.

Run it:  .venv/bin/python examples/areas.py
"""

from sklearn.datasets import load_breast_cancer

from boltzmix import Mixture
from boltzmix.families import Gamma, Gaussian, LogNormal
from boltzmix.metrics import purity_score


def main() -> None:
    """Compare families and numbers of components by BIC (lower is better)."""
    data = load_breast_cancer()
    areas = data.data[:, [3]]
    print("569 mean areas of cell nuclei, benign and malignant: BIC by number of components")
    for family in (Gamma(), LogNormal(), Gaussian()):
        models = [Mixture(family, k, random_state=0).fit(areas) for k in (1, 2, 3)]
        scores = "  ".join(f"{model.bic(areas):7.0f}" for model in models)
        purity = purity_score(data.target, models[1].labels_)
        print(f"{family.name:10} {scores}   purity of two: {purity:.2f}")
    print("Two skewed components have a lower BIC than any number of Gaussians here.")


if __name__ == "__main__":
    main()
