"""The `boltzmix` command: demo, fit, reproduce."""

import importlib
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

from . import plots
from .datasets import make_rainbow
from .families import FAMILIES, Family
from .files import (
    CSV_SEPARATORS,
    PARQUET,
    check_folder,
    check_writable,
    read_table,
    write_table,
    write_whole,
)
from .metrics import (
    adjusted_rand_score,
    homogeneity_score,
    normalized_mutual_info_score,
    purity_score,
)
from .mixture import Mixture

PICTURES = (".png", ".svg", ".pdf")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Fit mixtures of any base distribution, without caring about initialisation.",
)
plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
out, err = Console(soft_wrap=True, **plain), Console(stderr=True, soft_wrap=True, **plain)


@app.command()
def demo(
    picture: Annotated[Path, typer.Option("--out", help="Where to write the picture.")] = Path(
        "boltzmix-demo.png"
    ),
    seed: Annotated[int, typer.Option(help="Seed of data and fit.")] = 0,
) -> None:
    """Fit eight overlapping clusters along a rainbow, and draw what happened."""
    with _one_sentence_errors():
        check_writable("--out", picture, PICTURES)
        X, labels = make_rainbow(random_state=seed)
        model = Mixture(n_components=8, n_init=5, random_state=seed)
        _fit(model, X)
        grid = Grid("purity", "homogeneity", "NMI", "ARI", "iterations")
        scores = (
            purity_score,
            homogeneity_score,
            normalized_mutual_info_score,
            adjusted_rand_score,
        )
        figures = [f"{score(labels, model.labels_):.3f}" for score in scores]
        grid.add_row(*figures, str(model.n_iter_))
        out.print("Rainbow: 1000 points from 8 overlapping clusters, found without their labels.")
        out.print(grid)
        _write_picture(model, X, picture)


@app.command()
def fit(
    file: Annotated[Path, typer.Argument(help="A CSV or Parquet file, one row per observation.")],
    n_components: Annotated[int, typer.Option("-k", "--components", help="Number of components.")],
    family: Annotated[
        str,
        typer.Option(help=f"{', '.join(FAMILIES)}, or your own as module:Class."),
    ] = "gaussian",
    covariance: Annotated[
        str | None, typer.Option(help="full, tied, diag or spherical (Gaussian only).")
    ] = None,
    algorithm: Annotated[str, typer.Option(help="auto, beem, em, daem, sem or cem.")] = "auto",
    init: Annotated[str, typer.Option(help="random, points, kmeans or kmeans++.")] = "random",
    n_init: Annotated[int, typer.Option(help="Number of runs; the best is kept.")] = 1,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same result.")] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to use, as a,b,c; all numeric ones if absent.")
    ] = None,
    labels_file: Annotated[
        Path | None, typer.Option("--out", help="Write labels here, as CSV, TSV or Parquet.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the fit here, as PNG, SVG or PDF.")
    ] = None,
) -> None:
    """Cluster the rows of a file.

    Example: boltzmix fit flowers.csv -k 3 --out labels.csv --plot clusters.png
    """
    with _one_sentence_errors():
        if labels_file:
            check_writable("--out", labels_file, (*CSV_SEPARATORS, *PARQUET))
        if picture:
            check_writable("--plot", picture, PICTURES)
        for option, path in (("--out", labels_file), ("--plot", picture)):
            if path and path.resolve() == file.resolve():
                raise ValueError(f"{option} would overwrite {file}: choose another name.")
        template = _family(family, covariance)
        frame, notes = read_table(file, columns.split(",") if columns else None)
        model = Mixture(
            template,
            n_components,
            algorithm=algorithm,
            init=init,
            n_init=n_init,
            random_state=seed,
        )
        _fit(model, frame)
        for note in notes:
            err.print(f"boltzmix: note: {note}.")
        _summarise(model, frame)
        if labels_file:
            certainty = model.predict_proba(frame).max(axis=1)
            labelled = pl.DataFrame({"label": model.labels_, "probability": certainty})
            write_table(labelled, labels_file)
            out.print(f"Labels: {labels_file}")
        if picture:
            _write_picture(model, frame, picture)


@app.command()
def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="A table or figure of the paper; all if absent.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Number of seeds.")] = 100,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write; experiments/results if absent.")
    ] = None,
) -> None:
    """Measure the paper's tables again, and write them beside the paper's figures."""
    with _one_sentence_errors():
        experiments, home = _experiments()
        folder = folder or home / "results"
        check_folder("--out", folder)
        if repeats < 1:
            raise ValueError(f"--repeats must be at least 1, not {repeats}.")
        known = [*experiments.TABLES, *experiments.FIGURES]
        if name is not None and name not in known:
            raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(known)}.")
        for chosen in [name] if name else known:
            if chosen in experiments.FIGURES:
                written = [experiments.write_figure(chosen, folder)]
            else:
                written = _reproduce_table(experiments, experiments.TABLES[chosen], repeats, folder)
            out.print(f"Written: {', '.join(path.name for path in written)} in {folder}")


def _reproduce_table(experiments: Any, table: Any, repeats: int, folder: Path) -> list[Path]:
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeElapsedColumn(), TimeRemainingColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task(table.name)
        results = experiments.measure(
            table, repeats, lambda done, of: progress.update(task, completed=done, total=of)
        )
    path = folder / f"{table.name}.json"
    results.save(path)
    title = f"{table.title}: mean (std), and the paper's below"
    grid = Grid(title=title, show_lines=True, padding=0)
    for column in experiments.COLUMNS:
        grid.add_column(column)
    for row in experiments.rows(table, results):
        grid.add_row(*(cell.replace(" \\| ", "\n").replace("\\*", "*") for cell in row))
    out.print(grid)
    return [path, *experiments.write_pages(table, results, folder)]


def _experiments() -> tuple[Any, Path]:
    """Import the experiments, which live beside the package in a source checkout."""
    for root in (Path.cwd(), Path(__file__).parents[2]):
        if (root / "experiments" / "measure.py").is_file():
            sys.path.insert(0, str(root))
            try:
                return importlib.import_module("experiments"), root / "experiments"
            except ImportError as error:
                raise ValueError(f"The experiments need a package more: {error}.") from None
    raise ValueError(
        "The experiments are part of the source checkout: run this command inside a clone."
    )


def _family(name: str, covariance: str | None) -> Family:
    """Return a built-in family by its name, or a user's own by module:Class."""
    options = {} if covariance is None else {"covariance": covariance}
    if ":" in name:
        module, _, attribute = name.partition(":")
        sys.path.insert(0, str(Path.cwd()))
        try:
            factory = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"The family {name} could not be imported: {error}.") from None
    elif name in FAMILIES:
        factory = FAMILIES[name]
    else:
        raise ValueError(
            f"There is no family {name!r}: choose one of {', '.join(FAMILIES)}, or give your own"
            " as module:Class."
        )
    try:
        family = factory(**options)
    except TypeError as error:
        raise ValueError(f"The family {name} could not be made: {error}.") from None
    if not isinstance(family, Family):
        raise ValueError(f"{name} is not a boltzmix family.")
    return family


def _fit(model: Mixture, X: Any) -> None:
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    ) as progress:  # fmt: skip
        task = progress.add_task("fitting", total=None)

        def tell(state: Any) -> None:
            step = state.step
            progress.update(
                task,
                description=f"{step.phase} iteration {step.iteration}, temperature"
                f" {step.temperature:.3f}, score {step.score:.4f}",
            )

        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            model.set_params(verbose=tell).fit(X)
    for note in noted:
        err.print(f"boltzmix: note: {note.message}")


def _summarise(model: Mixture, frame: pl.DataFrame) -> None:
    out.print(
        f"{len(model.components_)} components on {frame.height} rows of {frame.width} column(s):"
        f" {', '.join(frame.columns[:8])}{', …' if frame.width > 8 else ''}"
    )
    phases = ", ".join(
        f"{name} {(model.history_.phase == name).sum() - 1}" for name in model.history_.phases
    )
    try:
        bic = f"BIC {model.bic(frame):.1f}, "
    except NotImplementedError:  # a family that does not count its parameters
        bic = ""
    out.print(f"Mean log-likelihood {model.lower_bound_:.4f}, {bic}iterations: {phases}")
    grid = Grid("component", "weight", "rows", "fitted")
    sizes = np.bincount(model.labels_, minlength=len(model.components_))
    for k, (component, weight) in enumerate(zip(model.components_, model.weights_, strict=True)):
        grid.add_row(str(k), f"{weight:.3f}", str(sizes[k]), repr(component))
    out.print(grid)


def _write_picture(model: Mixture, X: Any, path: Path) -> None:
    figure = plots.overview(model, X)
    write_whole(path, lambda draft: figure.savefig(draft, dpi=130))
    out.print(f"Picture: {path}")


@contextmanager
def _one_sentence_errors() -> Iterator[None]:
    """Show what went wrong as one sentence, without a traceback."""
    try:
        yield
    except Exception as error:
        told = isinstance(error, (ValueError, TypeError, OSError, ImportError))
        sentence = str(error) if told else f"{type(error).__name__}: {error}"
        err.print(f"boltzmix: {sentence}")
        raise typer.Exit(1) from None
