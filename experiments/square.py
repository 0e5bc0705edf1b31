"""The square simulations: four clusters at the corners, of unequal and of equal size."""

from boltzmix.datasets import make_square

from .methods import beem, daem, em
from .table import Method, PaperTable, paper

UNBALANCED_SQUARE = PaperTable(
    name="unbalanced-square",
    title="Unbalanced square simulation",
    make_data=lambda seed: make_square(random_state=seed),
    methods=(
        Method(
            "BEEM", "A", "I", beem(4),
            paper((0.99, 0.02), (0.96, 0.05), (0.96, 0.07), (0.94, 0.11), (39.84, 12.48)),
        ),
        Method(
            "BEEM", "A", "II", beem(4, weights="learned"),
            paper((0.85, 0.11), (0.76, 0.18), (0.85, 0.12), (0.72, 0.22)),
        ),
        Method(
            "EM 100", "A", "–", em(4, n_init=100),
            paper((1.00, 0.00), (1.00, 0.00), (1.00, 0.00), (1.00, 0.00), (20.89, 3.98)),
        ),
        Method(
            "EM", "A", "–", em(4),
            paper((0.86, 0.11), (0.76, 0.18), (0.86, 0.11), (0.75, 0.21), (12.02, 9.45)),
        ),
        Method(
            "DAEM", "A", "–", daem(4),
            paper((0.85, 0.12), (0.76, 0.19), (0.84, 0.12), (0.73, 0.22)),
        ),
    ),
)  # fmt: skip

BALANCED_SQUARE = PaperTable(
    name="balanced-square",
    title="Balanced square simulation",
    make_data=lambda seed: make_square((50, 50, 50, 50), random_state=seed),
    methods=(
        Method(
            "BEEM", "A", "I", beem(4),
            paper((0.91, 0.12), (0.90, 0.13), (0.93, 0.10), (0.87, 0.18)),
        ),
        Method(
            "BEEM", "A", "II", beem(4, weights="learned"),
            paper((0.75, 0.09), (0.74, 0.09), (0.85, 0.07), (0.71, 0.09)),
        ),
    ),
)  # fmt: skip
