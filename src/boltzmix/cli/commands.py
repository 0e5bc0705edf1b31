"""`boltzmix fit`: a file in, labels, a picture, a model and a report out."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..comparison import DEFAULT_CRITERION
from ..families.covariance.covariance import COVARIANCES
from ..files import STREAM, Read, shown
from ..mixture import Mixture
from ..report import Agreement
from ..saving import check_can_be_saved
from ..views import describe_problems, find_bic
from . import options as given
from .app import app
from .console import err, in_options, one_sentence_errors, out, print_json, print_notes
from .facts import membership_facts, model_facts
from .families import (
    KNOWN,
    check_choice,
    check_reads_sequences,
    check_width,
    make_family,
    read_families,
)
from .fitting import fit_model
from .groups import with_groups
from .known_classes import agreement_of, leave_out, print_agreement, read_classes
from .numbers import check_components, read_clusters, read_components
from .outputs import (
    COMPONENT,
    LABELS,
    Reporting,
    check_call,
    check_names,
    check_written,
    labels_writers,
    print_written,
    write_outputs,
)
from .repeating import repeated_command
from .sources import Source, family_by_columns
from .summary import summarise


@app.command()
@with_groups
def fit(
    *,
    context: typer.Context,
    n_components: given.Components = None,
    clusters: given.Clusters = None,
    criterion: given.Criterion = None,
    source: Source,
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
    algorithm: given.Algorithm = "auto",
    init: given.Init = "auto",
    n_init: given.Runs = 1,
    max_iter: given.Iterations = 1000,
    seed: given.Seed = None,
    noise: given.Noise = False,
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
        check_call(
            source.file, {**outputs, "--checkpoint": checkpoint}, json, seed, algorithm, init
        )
        numbers = read_components(n_components)
        n_clusters = read_clusters(clusters)
        _check_criterion(criterion, numbers)
        names_of_labels = [*LABELS, *([COMPONENT] if n_clusters is not None else [])]
        if labels_file:
            check_names("--out", source.sequence or source.trajectory, names_of_labels)
        named, of_columns = read_families(family)
        name = named or ("auto" if of_columns else source.default_family(covariance))
        options = leave_out(source.options([name], emission), compare_with)
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
        if model_file:
            check_can_be_saved(template)
        read = options.read(source.file)
        if not family:
            template, options, read = family_by_columns(template, options, read)
        check_width([name], read, options.written.limit)
        classes = read_classes(read, compare_with)
        notes = print_notes(f"{sentence}." for sentence in read.notes)
        if labels_file:
            check_written(read, with_columns, names_of_labels)
        elif with_columns:
            raise ValueError("--with-columns is for --out: name a file of labels, or leave it out.")
        if source.sequence:
            check_reads_sequences(template, name, read.X)
        check_components(numbers, len(read.X))
        model = Mixture(
            template,
            numbers,
            n_clusters=n_clusters,
            criterion=criterion or DEFAULT_CRITERION,
            algorithm=algorithm,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            random_state=seed,
            noise=noise,
            membership=source.membership,
            checkpoint=checkpoint,
        )
        notes += print_notes(fit_model(model, read.X, read.covariates))
        read = read.with_covariates(model)
        reporting = Reporting(source.file, repeated_command(context, model.seed_), classes)
        about = {"file": shown(source.file), "way": options.resolved(read).as_dict()}
        writers = labels_writers(model, read, about, reporting, with_columns, escape_formulas)
        written = write_outputs(writers, outputs, "Labels")
        agreement = agreement_of(model, classes)
        if json:
            print_notes(map(in_options, describe_problems(model)))
            print_json(_facts(model, read, source.file, notes, written, agreement))
            return
        console = err if labels_file == STREAM else out
        summarise(model, read, console)
        print_agreement(agreement, console)
        print_written(written, console)


def _check_criterion(criterion: str | None, numbers: Any) -> None:
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
) -> dict[str, Any]:
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
