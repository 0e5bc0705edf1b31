"""Many columns: written digits of 64 pixels, by factor analysers with four factors.

Factor analysers have a fifth of the parameters of full Gaussians, and a far lower BIC. Full
Gaussians, which need `reg_covar` in scikit-learn, still find clusters closer to the true digits.

Run it:  .venv/bin/python examples/many_columns.py
"""

from sklearn.datasets import load_digits
from sklearn.mixture import GaussianMixture

from boltzmix import Mixture
from boltzmix.families import FactorAnalyser
from boltzmix.metrics import adjusted_rand_score, purity_score


def main() -> None:
    """Cluster the digits 0 to 4 by both models, and compare parameters, BIC and purity."""
    images, digits = load_digits(n_class=5, return_X_y=True)
    images = images[:, images.std(axis=0) > 0.5]  # some pixels at the border are always empty
    family = FactorAnalyser(n_factors=4)
    model = Mixture(family, 5, init="kmeans", algorithm="em", random_state=0).fit(images)
    peer = GaussianMixture(5, random_state=0, reg_covar=1e-2).fit(images)
    d = images.shape[1]
    print(f"{len(images)} images of the digits 0 to 4, {d} pixels each; a lower BIC is better")
    for name, fitted, free in (
        ("FactorAnalyser(4)", model, model.components_[0].n_parameters),
        ("scikit-learn's GaussianMixture", peer, d + d * (d + 1) // 2),
    ):
        labels = fitted.predict(images)
        purity = purity_score(digits, labels)
        rand = adjusted_rand_score(digits, labels)
        print(
            f"{name:31} {free:4} parameters a component, BIC {fitted.bic(images):7.0f},"
            f" purity {purity:.2f}, adjusted Rand index {rand:.2f}"
        )


if __name__ == "__main__":
    main()
