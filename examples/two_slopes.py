"""Regressions: the progression of diabetes given body mass, which differs between patients.

Run it:  .venv/bin/python examples/two_slopes.py
"""

from sklearn.datasets import load_diabetes

from boltzmix import Mixture
from boltzmix.families import LinearRegression


def main() -> None:
    """Choose the number of lines by BIC, and print the lines."""
    patients, progress = load_diabetes(return_X_y=True, scaled=False)
    mass = patients[:, [2]]
    models = [
        Mixture(LinearRegression(), k, n_init=5, random_state=0).fit(mass, progress)
        for k in (1, 2, 3)
    ]
    print("442 patients: progression of diabetes in a year, given the body mass index")
    for k, model in enumerate(models, 1):
        print(f"{k} line(s): BIC {model.bic(mass, progress):.0f}")
    best = min(models, key=lambda model: model.bic(mass, progress))
    for line, weight in zip(best.components_, best.weights_, strict=True):
        print(
            f"{weight:.0%} of the patients: {line.coefficients[0, 0]:+.1f} for each unit of body"
            f" mass, standard deviation {line.variance[0] ** 0.5:.0f}"
        )


if __name__ == "__main__":
    main()
