"""`boltzmix reproduce`: the experiments of the paper, which a source checkout has."""

import importlib
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

from ..files import check_folder
from .app import app
from .console import err, forgive_output, note, out
from .errors import one_sentence_errors


@app.command()
def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="A table or figure of the paper; all if absent.")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Number of seeds.")] = 100,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Where to write; experiments/results if absent.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of data that are not simulated; else that in BOLTZMIX_DATA."),
    ] = None,
) -> None:
    """Measure the paper's tables again, and write them next to the paper's numbers.

    For example:

    boltzmix reproduce

    boltzmix reproduce rainbow --repeats 10 --out results
    """
    with one_sentence_errors():
        experiments, home = load_experiments()
        folder = folder or home / "results"
        check_folder("--out", folder)
        if repeats < 1:
            raise ValueError(f"--repeats must be at least 1, not {repeats}.")
        known = [*experiments.TABLES, *experiments.FIGURES]
        if name is not None and name not in known:
            raise ValueError(f"There is no experiment {name!r}: choose one of {', '.join(known)}.")
        if data is not None:
            os.environ["BOLTZMIX_DATA"] = str(data)
        for chosen in [name] if name else known:
            try:
                written = reproduce_one(experiments, chosen, repeats, folder)
            except FileNotFoundError as error:  # the other experiments can still be measured
                if name:
                    raise
                note(f"{chosen} was left out: {error}")
            else:
                out.print(f"Written: {', '.join(path.name for path in written)} in {folder}")
                forgive_output()


def load_experiments() -> tuple[Any, Path]:
    """Import the experiments; return them and their folder."""
    for root in (Path.cwd(), Path(__file__).parents[3]):
        if (root / "experiments" / "measure.py").is_file():
            sys.path.insert(0, str(root))
            try:
                return importlib.import_module("experiments"), root / "experiments"
            except ImportError as error:
                raise ValueError(f"The experiments need another package: {error}.") from None
    raise ValueError(
        "The experiments are part of the source checkout: run this command inside a clone."
    )


def reproduce_one(experiments: Any, name: str, repeats: int, folder: Path) -> list[Path]:
    """Measure a table or draw a figure; return the files written."""
    if name in experiments.FIGURES:
        return [experiments.write_figure(name, folder)]
    return _reproduce_table(experiments, experiments.TABLES[name], repeats, folder)


def _reproduce_table(experiments: Any, table: Any, repeats: int, folder: Path) -> list[Path]:
    """Measure a table, show it, and return the files written."""
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
    grid = Grid(title=f"{table.title}: measured, and the paper's", show_lines=True, padding=0)
    for column in experiments.columns(table):
        grid.add_column(column)
    for row in experiments.rows(table, results):
        grid.add_row(*(cell.replace(" \\| ", "\n").replace("\\*", "*") for cell in row))
    out.print(grid)
    return [path, *experiments.write_pages(table, results, folder)]
