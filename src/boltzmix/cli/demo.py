"""`boltzmix demo`: a fit of simulated data, with a picture."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as Grid

from ..datasets import make_rainbow
from ..files import check_writable
from ..metrics import (
    adjusted_rand_score,
    homogeneity_score,
    normalized_mutual_info_score,
    purity_score,
)
from ..mixture import Mixture
from .app import app
from .console import note, out
from .errors import one_sentence_errors
from .outputs import PICTURES, check_seed, print_written, write_picture
from .progress import fit_model


@app.command()
def demo(
    picture: Annotated[Path, typer.Option("--out", help="Where to write the picture.")] = Path(
        "boltzmix-demo.png"
    ),
    seed: Annotated[int, typer.Option(help="Seed of data and fit.")] = 0,
) -> None:
    """Fit eight overlapping clusters along a rainbow, and draw the fit.

    For example:

    boltzmix demo

    boltzmix demo --seed 3 --out rainbow.svg
    """
    with one_sentence_errors():
        check_writable("--out", picture, PICTURES)
        check_seed(seed)
        X, labels = make_rainbow(random_state=seed)
        model = Mixture(n_components=8, n_init=5, random_state=seed)
        for sentence in fit_model(model, X):
            note(sentence)
        grid = Grid("purity", "homogeneity", "NMI", "ARI", "iterations")
        scores = (
            purity_score,
            homogeneity_score,
            normalized_mutual_info_score,
            adjusted_rand_score,
        )
        figures = [f"{score(labels, model.labels_):.3f}" for score in scores]
        grid.add_row(*figures, str(model.n_iter_))
        write_picture(model, X, picture)
        out.print("Rainbow: 1000 points from 8 overlapping clusters, found without their labels.")
        out.print(grid)
        print_written({"Picture": picture}, out)
