"""Counts: written digits as ink per pixel, by multinomial components.

Run it:  .venv/bin/python examples/pixel_counts.py
"""

from sklearn.datasets import load_digits
from sklearn.mixture import GaussianMixture

from boltzmix import Mixture
from boltzmix.families import Multinomial
from boltzmix.metrics import adjusted_rand_score, purity_score


def main() -> None:
    """Cluster the digits 0 to 4, and compare with a mixture of full Gaussians."""
    counts, digits = load_digits(n_class=5, return_X_y=True)
    model = Mixture(Multinomial(), 5, n_init=5, random_state=0).fit(counts)
    peer = GaussianMixture(5, random_state=0).fit(counts)
    free = model.components_[0].n_parameters
    print(f"{len(counts)} images of the digits 0 to 4, 64 pixels each")
    for name, labels in (
        (f"Multinomial, {free} parameters a component", model.labels_),
        ("scikit-learn's GaussianMixture, 2144 parameters", peer.predict(counts)),
    ):
        purity = purity_score(digits, labels)
        rand = adjusted_rand_score(digits, labels)
        print(f"{name:48} purity {purity:.2f}, adjusted Rand index {rand:.2f}")
    print("The pixels that are most probable in one component:")
    for row in model.components_[0].probabilities.reshape(8, 8):
        print("  " + "".join(" .:+*#@"[min(int(probability * 200), 6)] * 2 for probability in row))


if __name__ == "__main__":
    main()
