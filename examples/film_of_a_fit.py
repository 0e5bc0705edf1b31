"""A film of a fit: components explore, whole ones are moved, and EM polishes.

The data's seed is chosen so that moves are seen: from many seeds exploration alone is enough.

Run it:  .venv/bin/python examples/film_of_a_fit.py   (it writes exploration.gif where you are)
"""

from pathlib import Path

from boltzmix import Mixture, plots
from boltzmix.datasets import make_mixture
from boltzmix.learning import State
from boltzmix.metrics import purity_score

FILM = Path("exploration.gif")


def main() -> None:
    """Fit fifteen clusters, and film it."""
    X, truth = make_mixture(900, n_components=15, separation=5, random_state=2)
    states: list[State] = []
    model = Mixture(n_components=15, random_state=0, verbose=states.append).fit(X)
    for step, move in enumerate(model.history_.moves):
        if move:
            print(f"before step {step}: {move}")
    print(f"purity {purity_score(truth, model.labels_):.3f}")
    plots.film(model, X, states).save(FILM, n_frames=60)
    print(f"{FILM}: {FILM.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
