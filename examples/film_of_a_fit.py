"""A film of a fit: components explore, moves put them right, and EM polishes.

The fit begins with a random split, so that there is something to explore: the default begins with
clusters found by distance. The seed of the data is chosen so that the film shows moves: with 12 of
the seeds 0 to 15, exploration is enough.

Run it:  .venv/bin/python examples/film_of_a_fit.py   (writes exploration.gif to the current folder)
"""

from pathlib import Path

from boltzmix import Mixture, plots
from boltzmix.datasets import make_mixture
from boltzmix.learning import State
from boltzmix.metrics import purity_score

FILM = Path("exploration.gif")


def main() -> None:
    """Fit fifteen clusters, print the accepted moves, and save a film."""
    X, truth = make_mixture(900, n_components=15, separation=5, random_state=7)
    states: list[State] = []
    model = Mixture(n_components=15, init="random", random_state=0, verbose=states.append).fit(X)
    for iteration, moves in enumerate(model.history_.moves):
        for move in moves:
            print(f"before iteration {iteration}: {move.kind} of {move.components}")
    print(f"{len(model.history_.trials)} trials")
    print(f"purity {purity_score(truth, model.labels_):.3f}")
    plots.film(model, X, states).save(FILM, n_frames=60)
    print(f"{FILM}: {FILM.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
