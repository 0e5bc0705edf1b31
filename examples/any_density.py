"""Families without a class: a distribution of scipy, an estimator of scikit-learn.

Run it:  .venv/bin/python examples/any_density.py
"""

from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.neighbors import KernelDensity

from boltzmix import Mixture
from boltzmix.families import ScipyFamily, SklearnFamily
from boltzmix.metrics import purity_score


def main() -> None:
    """Cluster areas by inverse Gaussians, and flowers by kernel densities."""
    areas = load_breast_cancer().data[:, [3]]
    family = ScipyFamily(stats.invgauss, fixed={"loc": 0})
    print("569 areas of cell nuclei, by scipy's inverse Gaussian:")
    for k in (1, 2):
        model = Mixture(family, k, random_state=0).fit(areas)
        print(f"  {k} component(s): BIC {model.bic(areas):.0f}")

    flowers = load_iris()
    petals = flowers.data[:, 2:]
    densities = SklearnFamily(KernelDensity(bandwidth=0.4))
    model = Mixture(densities, 3, random_state=0).fit(petals)
    purity = purity_score(flowers.target, model.labels_)
    print(f"150 irises, by scikit-learn's kernel densities: purity {purity:.2f}")


if __name__ == "__main__":
    main()
