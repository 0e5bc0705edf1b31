"""`boltzmix fit`: a file in, labels, a picture, a model and a report out."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..families.shared.covariance import COVARIANCES
from ..files import STREAM, Read, ReadOptions, shown
from ..learning import ALGORITHMS
from ..learning.parts.starts import NAMES
from ..mixture import Mixture
from ..saving import check_can_be_saved
from ..views import describe_problems, find_bic
from .app import app
from .console import err, in_options, note, one_sentence_errors, out, print_json
from .facts import model_facts
from .families import (
    EMISSIONS,
    KNOWN,
    OF_CODES,
    TOPOLOGIES,
    check_choice,
    check_reads_sequences,
    make_family,
)
from .fitting import fit_model
from .outputs import LABELS, check_names, check_places, check_seed, write_outputs
from .summary import summarise

STARTS = ("auto", *NAMES)


@app.command()
def fit(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A CSV or Parquet file, one row per observation, or per step of a sequence; - for"
            " CSV from standard input.",
        ),
    ],
    n_components: Annotated[int, typer.Option("-k", "--components", help="Number of components.")],
    sequence: Annotated[
        str | None,
        typer.Option(help="The column that says which sequence a row belongs to; absent for rows."),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(help="The column to sort the steps of a sequence by; file order if absent."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="The column, or columns a,b, of the targets of curves."),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Columns to use, as a,b,c; all numeric ones if absent.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(KNOWN)}, or your own as module:Class or module:object;"
            " robust-gaussian if absent, hmm with --sequence, gp with --target."
        ),
    ] = None,
    covariance: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(COVARIANCES)} (gaussian, robust-gaussian and student-t only); full if"
            " absent, diag in an hmm."
        ),
    ] = None,
    states: Annotated[
        int | None, typer.Option(help="Number of hidden states (hmm only); 4 if absent.")
    ] = None,
    emission: Annotated[
        str | None,
        typer.Option(
            help=f"What a state emits (hmm only): {', '.join(EMISSIONS)}, or your own as"
            " module:Class; gaussian if absent."
        ),
    ] = None,
    topology: Annotated[
        str | None, typer.Option(help=f"{' or '.join(TOPOLOGIES)} (hmm only); ergodic if absent.")
    ] = None,
    algorithm: Annotated[str, typer.Option(help=f"{', '.join(ALGORITHMS)}.")] = "auto",
    init: Annotated[str, typer.Option(help=f"{', '.join(STARTS)}.")] = "auto",
    n_init: Annotated[int, typer.Option(help="Number of runs; the best is kept.")] = 1,
    max_iter: Annotated[int, typer.Option(help="Greatest number of iterations.")] = 1000,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same result.")] = None,
    noise: Annotated[
        bool, typer.Option("--noise", help="Let outliers be noise, with label -1.")
    ] = False,
    labels_file: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write labels here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the fit here, as PNG, SVG or PDF.")
    ] = None,
    model_file: Annotated[
        Path | None,
        typer.Option("--save", help="Save the model here, as .bmix, for boltzmix predict."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", help="Write a report here, as HTML to be opened in a browser."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")] = False,
) -> None:
    """Cluster the rows of a file, or the sequences in it.

    For example:

    boltzmix fit flowers.csv -k 3 --out labels.csv --save flowers.bmix --report flowers.html

    boltzmix fit walks.csv -k 4 --sequence walker --order time --states 6 --out labels.csv

    boltzmix fit tracks.csv -k 2 --family gp --target y --plot curves.png

    cat flowers.csv | boltzmix fit - -k 3 --out - | sort | uniq -c
    """
    with one_sentence_errors():
        outputs = {
            "--out": labels_file,
            "--plot": picture,
            "--save": model_file,
            "--report": report,
        }
        check_places({"file": file}, outputs)
        if json and labels_file == STREAM:
            raise ValueError("--json and --out - both print to standard output: leave one out.")
        check_seed(seed)
        check_choice("--algorithm", algorithm, ALGORITHMS)
        check_choice("--init", init, STARTS)
        if labels_file:
            check_names("--out", sequence, [*LABELS])
        name = family or ("gp" if target else "hmm" if sequence else "robust-gaussian")
        options = _read_options(name, columns, sequence, order, target, emission)
        template = make_family(name, sequence, covariance, emission, states, topology, target)
        if model_file:
            check_can_be_saved(template)
        read = options.read(file)
        if sequence:
            check_reads_sequences(template, name, read.X)
        model = Mixture(
            template,
            n_components,
            algorithm=algorithm,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            random_state=seed,
            noise=noise,
        )
        notes = [*fit_model(model, read.X), *(f"{sentence}." for sentence in read.notes)]
        for sentence in [*notes, *(map(in_options, describe_problems(model)) if json else ())]:
            note(sentence)
        console = err if labels_file == STREAM else out
        if not json:
            summarise(model, read, console)
        about = {"file": shown(file), "way": options.resolved(read).as_dict()}
        written = write_outputs(model, read, about, outputs)
        if json:
            print_json(_facts(model, read, file, notes, written))
            return
        for what, path in written.items():
            if path != STREAM:
                console.print(f"{what}: {path}")


def _read_options(
    name: str,
    columns: str | None,
    sequence: str | None,
    order: str | None,
    target: str | None,
    emission: str | None,
) -> ReadOptions:
    """Return how the file is read, by the options."""
    features = columns.split(",") if columns else None
    check_columns(sequence, order, features)
    if target and sequence:
        raise ValueError("--target and --sequence do not go together: leave one of them out.")
    return ReadOptions(
        columns=features,
        sequence=sequence,
        order=order,
        targets=target.split(",") if target else (),
        codes=name in OF_CODES or emission in OF_CODES,
        mixed=name == "auto",
        single=name == "markov-chain",
    )


def check_columns(sequence: str | None, order: str | None, features: list[str] | None) -> None:
    """Raise an error if a column is named by two options."""
    if order is not None and sequence is None:
        raise ValueError(
            "--order sorts the steps of sequences: name the column that says which sequence a row"
            " belongs to with --sequence."
        )
    if order is not None and order == sequence:
        raise ValueError(f"--sequence and --order both name column {order!r}: choose two.")
    for option, key in (("--sequence", sequence), ("--order", order)):
        if key is not None and key in (features or []):
            raise ValueError(f"{option} and --columns both name column {key!r}: name it once.")


def _facts(
    model: Mixture, read: Read, file: Path, notes: list[str], written: dict[str, Path]
) -> dict[str, Any]:
    return {
        "file": shown(file),
        **model_facts(model),
        "bic": find_bic(model, read.X),
        "symbols": read.symbols,
        "notes": notes,
        "written": {what.lower(): str(path) for what, path in written.items()},
    }
