"""`boltzmix compare`: a table of several families and numbers of components, and the best one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ..comparison import DEFAULT_CRITERION, BootstrapTest, Comparison
from ..comparison.words import describe_comparison
from ..data import counted
from ..families import Family
from ..families.covariance.covariance import COVARIANCES
from ..files import STREAM, Read, shown
from ..report import Agreement
from ..saving import check_can_be_saved
from . import options as given
from .app import app, with_groups
from .console import err, out, print_json, print_notes
from .errors import one_sentence_errors
from .facts import comparison_facts, model_facts
from .family_options import (
    KNOWN,
    check_choice,
    check_reads_sequences,
    make_families,
    read_covariances,
)
from .known_classes import agreement_of, leave_out, print_agreement
from .outputs import (
    check_call,
    comparison_writers,
    print_written,
    repeated_command,
    write_outputs,
)
from .progress import compare_models, progress_bar
from .sources import FileSource, Prepared, prepare
from .summary import describe_size
from .values import check_components, read_clusters, read_components, read_numbers


@app.command()
@with_groups
def compare(
    *,
    context: typer.Context,
    n_components: given.Components = None,
    clusters: given.Clusters = None,
    source: FileSource,
    family: Annotated[
        str | None,
        typer.Option(
            help=f"One or several, as gaussian,student-t: {', '.join(KNOWN)}, or your own as"
            " module:Class; if absent, robust-gaussian for measurements, auto if any column holds"
            " text, codes or counts, hmm with --sequence, growth-curve with --trajectory, gp with"
            " --target."
        ),
    ] = None,
    covariance: Annotated[
        str | None,
        typer.Option(
            help=f"One or several, as full,diag, or all 14: {', '.join(COVARIANCES)} (gaussian,"
            " robust-gaussian and student-t only)."
        ),
    ] = None,
    states: Annotated[
        str | None,
        typer.Option(
            help="Numbers of hidden states, as 2..5 or 2,4 (hmm only); the data choose, if absent."
        ),
    ] = None,
    criterion: given.Criterion = None,
    folds: Annotated[
        int | None, typer.Option(help="Cross-validate all candidates with so many folds.")
    ] = None,
    bootstrap: Annotated[
        int | None,
        typer.Option(
            metavar="B", help="Test the chosen K against K + 1 by so many data sets, as 99."
        ),
    ] = None,
    emission: given.Emission = None,
    topology: given.Topology = None,
    learning: given.Learning,
    table: given.TableFile = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", help="Draw the criteria here, as PNG, SVG or PDF.")
    ] = None,
    model_file: given.ModelFile = None,
    report: given.ReportFile = None,
    compare_with: given.CompareWith = None,
    json: given.Json = False,
) -> None:
    """Compare families and numbers of components, and choose the best.

    --save and --report are of the best model.

    For example:

    boltzmix compare flowers.csv --out table.csv --plot criteria.png --save best.bmix

    boltzmix compare flowers.csv -k 1..9 --family gaussian --covariance all --criterion bic

    boltzmix compare walks.csv -k 2..6 --sequence walker --order time --states 2..4
    """
    with one_sentence_errors():
        outputs = {"--out": table, "--plot": picture, "--save": model_file, "--report": report}
        check_call(source.file, outputs, json, learning)
        numbers, n_clusters = read_components(n_components), read_clusters(clusters)
        _check_choice_of_number(criterion, bootstrap, numbers)
        names = (family or source.default_family(covariance)).split(",")
        options = leave_out(source.options(names, emission), compare_with)
        families = _families(source, names, covariance, states, emission, topology)
        for template in families if model_file else ():
            check_can_be_saved(template)
        prepared = prepare(source, names, families, options, compare_with, family is not None)
        read = _checked(prepared, source, numbers)
        comparison, warned = compare_models(
            read.X,
            covariates=read.covariates,
            membership=source.membership,
            families=prepared.families,
            n_components=numbers,
            n_clusters=n_clusters,
            criterion=criterion or DEFAULT_CRITERION,
            folds=folds,
            **learning.arguments,
        )
        best = comparison.best
        read = read.with_covariates(best)
        notes = prepared.notes + print_notes(warned)
        reporting = prepared.reporting(source, repeated_command(context, best.seed_))
        about = prepared._replace(read=read).about(source)
        writers = comparison_writers(comparison, read, about, reporting)
        written = write_outputs(writers, outputs, "Table")
        test = _test(comparison, bootstrap, learning.seed)
        agreement = agreement_of(best, prepared.classes)
        if json:
            print_json(_facts(comparison, test, source.file, notes, written, agreement))
            return
        console = err if table == STREAM else out
        _show(comparison, read, agreement, test, console)
        print_written(written, console)


def _show(
    comparison: Comparison,
    read: Read,
    agreement: Agreement | None,
    test: BootstrapTest | None,
    console: Console,
) -> None:
    """Print the table of a comparison, and what was found of the best candidate."""
    console.print(f"{counted(len(comparison), 'candidate')} on {describe_size(read)}")
    console.print(describe_comparison(comparison))
    print_agreement(agreement, console)
    if test is not None:
        console.print(_describe_test(test))


def _families(
    source: FileSource,
    names: list[str],
    covariance: str | None,
    states: str | None,
    emission: str | None,
    topology: str | None,
) -> list[Family]:
    """Return the families that options describe."""
    return make_families(
        names,
        read_covariances(covariance),
        [None] if states is None else read_numbers("--states", states),
        emission,
        sequence=source.sequence,
        topology=topology,
        regression=source.regression,
        trajectory=source.trajectory,
    )


def _checked(prepared: Prepared, source: FileSource, numbers: int | str | list[int]) -> Read:
    """Return what was read; raise an error if families or numbers of components do not suit it."""
    for template in prepared.families if source.sequence else ():
        check_reads_sequences(template, template.name, prepared.read.X)
    check_components(numbers, len(prepared.read.X))
    return prepared.read


def _check_choice_of_number(criterion: str | None, bootstrap: int | None, numbers: object) -> None:
    """Raise an error, before anything is fitted, if there is nothing to choose by or to test."""
    check_choice("--criterion", criterion, given.NAMES_OF_CRITERIA)
    if bootstrap is None:
        return
    if bootstrap < 1:
        raise ValueError(f"--bootstrap must be a whole number of at least 1, not {bootstrap}.")
    if isinstance(numbers, int):
        raise ValueError(
            f"--bootstrap tests a number of components against one more, but -k is {numbers} only:"
            f" let it be {numbers}..{numbers + 1}, or leave it out."
        )


def _test(comparison: Comparison, bootstrap: int | None, seed: int | None) -> BootstrapTest | None:
    if bootstrap is None:
        return None
    with progress_bar(1):
        return comparison.bootstrap_test(B=bootstrap, random_state=seed)


def _describe_test(test: BootstrapTest) -> str:
    k = test.n_components
    return (
        f"Bootstrap test of {counted(k, 'component')} against {k + 1}: likelihood ratio"
        f" {test.statistic:,.1f}, p = {test.p_value:.3g} from"
        f" {counted(len(test.replicates), 'data set')}."
    )


def _facts(
    comparison: Comparison,
    test: BootstrapTest | None,
    file: Path,
    notes: list[str],
    written: Mapping[str, Path],
    agreement: Agreement | None,
) -> dict[str, object]:
    known = {} if agreement is None else {"agreement": agreement.facts()}
    facts = {**known, "file": shown(file), "notes": notes, **comparison_facts(comparison)}
    if test is not None:
        facts["bootstrap"] = {
            "n_components": test.n_components,
            "statistic": test.statistic,
            "p_value": test.p_value,
            "sentence": _describe_test(test),
        }
    best = model_facts(comparison.best)
    best.pop("choice", None)
    written_to = {what.lower(): str(path) for what, path in written.items()}
    return {**facts, "best": best, "written": written_to}
