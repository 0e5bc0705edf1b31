"""`boltzmix fit`: a file in, labels, a picture, a model and a report out."""

from pathlib import Path
from typing import Annotated

import typer

from ..comparison import DEFAULT_CRITERION
from ..families import Family
from ..families.covariance.covariance import COVARIANCES
from ..files import STREAM, Read, ReadOptions, shown
from ..mixture import Mixture
from ..report import Agreement
from ..saving import check_can_be_saved
from ..views import find_bic, marked_problems
from . import options as given
from .app import app, with_groups
from .console import err, out, print_json, print_notes
from .errors import in_options, one_sentence_errors
from .facts import membership_facts, model_facts
from .family_options import (
    KNOWN,
    check_choice,
    check_reads_sequences,
    make_family,
    read_families,
)
from .known_classes import agreement_of, leave_out, print_agreement
from .outputs import (
    COMPONENT,
    LABELS,
    check_call,
    check_names,
    check_written,
    labels_writers,
    print_written,
    repeated_command,
    write_outputs,
)
from .progress import fit_model
from .sources import FileSource, Prepared, prepare
from .summary import summarise
from .values import check_components, read_clusters, read_components


@app.command()
@with_groups
def fit(
    *,
    context: typer.Context,
    n_components: given.Components = None,
    clusters: given.Clusters = None,
    criterion: given.Criterion = None,
    source: FileSource,
    family: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{', '.join(KNOWN)}, or your own as module:Class or module:object;"
            " if absent, robust-gaussian for measurements, auto if any column holds text, codes or"
            " counts, hmm with --sequence, growth-curve with --trajectory, gp with --target. As"
            " column=gamma or a,b=gaussian, the family of one column or of several together, where"
            " auto chooses those of the others; may be given several times."
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
        int | None,
        typer.Option(help="Number of hidden states (hmm only); the data choose, if absent."),
    ] = None,
    emission: given.Emission = None,
    topology: given.Topology = None,
    learning: given.Learning,
    labels_file: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write labels here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
    with_columns: given.WithColumns = False,
    escape_formulas: given.EscapeFormulas = False,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the fit here, as PNG, SVG or PDF.")
    ] = None,
    model_file: given.ModelFile = None,
    report: given.ReportFile = None,
    compare_with: given.CompareWith = None,
    checkpoint: given.CheckpointFile = None,
    json: given.Json = False,
) -> None:
    """Cluster the rows of a file, or the sequences or trajectories in it.

    For example:

    boltzmix fit flowers.csv --out labels.csv --save flowers.bmix --report flowers.html

    boltzmix fit shapes.csv --clusters auto --out labels.csv

    boltzmix fit customers.csv -k 3 --id customer --out labels.csv --with-columns

    boltzmix fit walks.csv -k 4 --sequence walker --order time --states 6 --out labels.csv

    boltzmix fit visits.csv -k 3 --trajectory patient --time age --columns weight

    boltzmix fit tracks.csv -k 2 --family gp --target y --plot curves.png

    boltzmix fit visits.csv -k 2 --family poisson-regression --formula 'visits ~ age + sex'

    boltzmix fit flowers.csv -k 3 --compare-with species --report flowers.html

    boltzmix fit people.csv -k 3 --family auto --family income=gamma

    boltzmix fit people.csv -k 3 --membership 'age + sex'

    boltzmix fit large.parquet --checkpoint run.bmix --save large.bmix

    cat flowers.csv | boltzmix fit - -k 3 --out - | sort | uniq -c
    """
    with one_sentence_errors():
        outputs = {"--out": labels_file, "--plot": picture, "--save": model_file}
        outputs["--report"] = report
        check_call(source.file, {**outputs, "--checkpoint": checkpoint}, json, learning)
        numbers, n_clusters = read_components(n_components), read_clusters(clusters)
        _check_criterion(criterion, numbers)
        columns = [*LABELS, *([COMPONENT] if n_clusters is not None else [])]
        _check_labels(labels_file, with_columns, source, columns)
        name, options, template = _family(source, family, covariance, emission, states, topology)
        options = leave_out(options, compare_with)
        if model_file:
            check_can_be_saved(template)
        prepared = prepare(source, [name], [template], options, compare_with, bool(family))
        if labels_file:
            check_written(prepared.read, with_columns, columns)
        model = Mixture(
            prepared.families[0],
            numbers,
            n_clusters=n_clusters,
            criterion=criterion or DEFAULT_CRITERION,
            membership=source.membership,
            checkpoint=checkpoint,
            **learning.arguments,
        )
        read, notes = _fitted(model, prepared, source, name)
        reporting = prepared.reporting(source, repeated_command(context, model.seed_))
        about = prepared._replace(read=read).about(source)
        writers = labels_writers(model, read, about, reporting, with_columns, escape_formulas)
        written = write_outputs(writers, outputs, "Labels")
        agreement = agreement_of(model, prepared.classes)
        if json:
            print_notes(map(in_options, marked_problems(model)))
            print_json(_facts(model, read, source.file, notes, written, agreement))
            return
        console = err if labels_file == STREAM else out
        summarise(model, read, console)
        print_agreement(agreement, console)
        print_written(written, console)


def _family(
    source: FileSource,
    family: list[str] | None,
    covariance: str | None,
    emission: str | None,
    states: int | None,
    topology: str | None,
) -> tuple[str, ReadOptions, Family]:
    """Return the name of the family that options describe, how it is read, and the family."""
    named, of_columns = read_families(family)
    name = named or ("auto" if of_columns else source.default_family(covariance))
    options = source.options([name], emission)
    template = make_family(
        name,
        source.sequence,
        covariance,
        emission,
        states,
        topology,
        source.regression,
        source.trajectory,
        of_columns,
    )
    return name, options, template


def _fitted(
    model: Mixture, prepared: Prepared, source: FileSource, name: str
) -> tuple[Read, list[str]]:
    """Fit a mixture to a file; return what was read, with covariates, and all notes."""
    read = prepared.read
    if source.sequence:
        check_reads_sequences(prepared.families[0], name, read.X)
    check_components(model.n_components, len(read.X))
    noted = print_notes(fit_model(model, read.X, read.covariates))
    return read.with_covariates(model), prepared.notes + noted


def _check_labels(
    labels_file: Path | None, with_columns: bool, source: FileSource, columns: list[str]
) -> None:
    if labels_file:
        check_names("--out", source.sequence or source.trajectory, columns)
    elif with_columns:
        raise ValueError("--with-columns is for --out: name a file of labels, or leave it out.")


def _check_criterion(criterion: str | None, numbers: object) -> None:
    check_choice("--criterion", criterion, given.NAMES_OF_CRITERIA)
    if criterion is not None and isinstance(numbers, int):
        raise ValueError(
            f"--criterion chooses the number of components, but -k is {numbers}: leave one of them"
            " out, or let -k be several, as 1..9."
        )


def _facts(
    model: Mixture,
    read: Read,
    file: Path,
    notes: list[str],
    written: dict[str, Path],
    agreement: Agreement | None,
) -> dict[str, object]:
    return {
        "file": shown(file),
        "seed": model.seed_,
        **model_facts(model),
        **membership_facts(model, read.X),
        **({} if agreement is None else {"agreement": agreement.facts()}),
        "bic": find_bic(model, read.X),
        "symbols": read.symbols,
        "notes": notes,
        "written": {what.lower(): str(path) for what, path in written.items()},
    }
