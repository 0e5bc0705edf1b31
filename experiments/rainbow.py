"""The rainbow simulation: eight overlapping clusters along a half circle."""

from boltzmix.datasets import make_rainbow

from .methods import affinity_propagation, beem, daem, em, hdbscan, kmeans_labels, power_kmeans
from .table import Method, PaperTable, paper

RAINBOW = PaperTable(
    name="rainbow",
    title="Rainbow simulation",
    make_data=lambda seed: make_rainbow(random_state=seed),
    methods=(
        Method(
            "EM", "B", "–", em(8, init="kmeans"),
            paper((0.93, 0.05), (0.89, 0.04), (0.89, 0.04), (0.87, 0.08), (3.60, 1.83)),
        ),
        Method(
            "BEEM", "B", "I", beem(8, init=kmeans_labels),
            paper((0.96, 0.00), (0.91, 0.01), (0.91, 0.01), (0.91, 0.01), (11.00, 0.00)),
        ),
        Method(
            "EM 100", "A", "–", em(8, n_init=100),
            paper((0.49, 0.14), (0.51, 0.14), (0.62, 0.10), (0.41, 0.14), (13.09, 16.92)),
        ),
        Method(
            "EM", "A", "–", em(8),
            paper((0.43, 0.05), (0.46, 0.06), (0.61, 0.05), (0.33, 0.07), (2.68, 4.85)),
        ),
        Method(
            "BEEM", "A", "I", beem(8),
            paper((0.93, 0.05), (0.89, 0.04), (0.89, 0.04), (0.87, 0.06), (76.88, 17.18)),
        ),
        Method(
            "DAEM", "A", "–", daem(8),
            paper((0.75, 0.08), (0.75, 0.06), (0.79, 0.06), (0.66, 0.09)),
        ),
        Method(
            "AP", "–", "–", affinity_propagation,
            paper((0.93, 0.01), (0.91, 0.01), (0.78, 0.03), (0.59, 0.06)),
        ),
        Method(
            "HDBSCAN", "–", "–", hdbscan,
            paper((0.70, 0.09), (0.66, 0.07), (0.67, 0.04), (0.46, 0.08)),
        ),
        Method(
            "power (s₀ = −1)", "–", "–", power_kmeans(8, -1),
            paper((0.94, 0.05), (0.90, 0.04), (0.90, 0.03), (0.88, 0.07)),
        ),
        Method(
            "power (s₀ = −3)", "–", "–", power_kmeans(8, -3),
            paper((0.91, 0.06), (0.88, 0.05), (0.88, 0.04), (0.84, 0.09)),
        ),
        Method(
            "power (s₀ = −9)", "–", "–", power_kmeans(8, -9),
            paper((0.87, 0.07), (0.85, 0.05), (0.85, 0.05), (0.78, 0.09)),
        ),
        Method(
            "power (s₀ = −18)", "–", "–", power_kmeans(8, -18),
            paper((0.85, 0.07), (0.83, 0.05), (0.84, 0.05), (0.75, 0.09)),
        ),
    ),
)  # fmt: skip
