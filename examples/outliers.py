"""Outliers: they have little influence on Student t components, but much on Gaussian ones.

Run it:  .venv/bin/python examples/outliers.py
"""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

from boltzmix import Mixture
from boltzmix.families import StudentT
from boltzmix.metrics import adjusted_rand_score, purity_score

ALCOHOL_FLAVANOIDS_COLOUR = [0, 6, 9]


def main() -> None:
    """Cluster wines of three growers, with twelve simulated outliers."""
    wine = load_wine()
    wines = StandardScaler().fit_transform(wine.data[:, ALCOHOL_FLAVANOIDS_COLOUR])
    outliers = np.random.default_rng(0).uniform(-12, 12, (12, 3))
    rows = np.vstack([wines, outliers])
    models = {
        "StudentT": Mixture(StudentT(), 3, n_init=5, random_state=0).fit(rows),
        "scikit-learn's GaussianMixture": GaussianMixture(3, n_init=5, random_state=0).fit(rows),
    }
    print("178 wines of three growers, and 12 outliers; scores of the wines alone")
    for name, model in models.items():
        labels = model.predict(wines)
        purity = purity_score(wine.target, labels)
        rand = adjusted_rand_score(wine.target, labels)
        print(f"{name:31} purity {purity:.2f}, adjusted Rand index {rand:.2f}")
    degrees = ", ".join(f"{one.degrees:.1f}" for one in models["StudentT"].components_)
    print(f"Learned degrees of freedom (low values mean heavy tails): {degrees}")


if __name__ == "__main__":
    main()
