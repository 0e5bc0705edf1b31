"""`boltzmix compare`: a table of several families and numbers of components, and the best one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..comparison import DEFAULT_CRITERION, BootstrapTest, Comparison
from ..families.covariance.covariance import COVARIANCES
from ..files import STREAM, shown
from ..saving import check_can_be_saved
from ..views import counted, describe_comparison
from . import options as given
from .app import app
from .console import err, one_sentence_errors, out, print_json, print_notes
from .facts import comparison_facts, model_facts
from .families import (
    KNOWN,
    check_choice,
    check_reads_sequences,
    check_width,
    make_families,
    read_covariances,
)
from .fitting import compare_models, progress_bar
from .groups import with_groups
from .known_classes import agreement_of, leave_out, print_agreement, read_classes
from .numbers import check_components, read_clusters, read_components, read_numbers
from .outputs import Reporting, check_call, comparison_writers, print_written, write_outputs
from .repeating import repeated_command
from .sources import Source, family_by_columns
from .summary import describe_size


@app.command()
@with_groups
def compare(
    *,
    context: typer.Context,
    n_components: given.Components = None,
    clusters: given.Clusters = None,
    source: Source,
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
    algorithm: given.Algorithm = "auto",
    init: given.Init = "auto",
    n_init: given.Runs = 1,
    max_iter: given.Iterations = 1000,
    seed: given.Seed = None,
    noise: given.Noise = False,
    table: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Write the table here, as CSV, TSV or Parquet; - for standard output."
        ),
    ] = None,
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
        check_call(source.file, outputs, json, seed, algorithm, init)
        numbers, n_clusters = read_components(n_components), read_clusters(clusters)
        check_choice("--criterion", criterion, given.NAMES_OF_CRITERIA)
        _check_bootstrap(bootstrap, numbers)
        names = (family or source.default_family(covariance)).split(",")
        options = leave_out(source.options(names, emission), compare_with)
        families = make_families(
            names,
            read_covariances(covariance),
            [None] if states is None else read_numbers("--states", states),
            emission,
            sequence=source.sequence,
            topology=topology,
            regression=source.regression,
            trajectory=source.trajectory,
        )
        for template in families if model_file else ():
            check_can_be_saved(template)
        read = options.read(source.file)
        if family is None:
            first, options, read = family_by_columns(families[0], options, read)
            families = [first, *families[1:]]
        check_width(names, read, options.written.limit)
        classes = read_classes(read, compare_with)
        notes = print_notes(f"{sentence}." for sentence in read.notes)
        for template in families if source.sequence else ():
            check_reads_sequences(template, template.name, read.X)
        check_components(numbers, len(read.X))
        comparison, warned = compare_models(
            read.X,
            covariates=read.covariates,
            membership=source.membership,
            families=families,
            n_components=numbers,
            n_clusters=n_clusters,
            criterion=criterion or DEFAULT_CRITERION,
            folds=folds,
            algorithm=algorithm,
            init=init,
            n_init=n_init,
            max_iter=max_iter,
            random_state=seed,
            noise=noise,
        )
        best = comparison.best
        read = read.with_covariates(best)
        reporting = Reporting(source.file, repeated_command(context, best.seed_), classes)
        notes += print_notes(warned)
        about = {"file": shown(source.file), "way": options.resolved(read).as_dict()}
        written = write_outputs(
            comparison_writers(comparison, read, about, reporting), outputs, "Table"
        )
        test = _test(comparison, bootstrap, seed)
        agreement = agreement_of(best, classes)
        facts_of_agreement = {} if agreement is None else {"agreement": agreement.facts()}
        if json:
            print_json(
                _facts(
                    comparison,
                    test,
                    {**facts_of_agreement, "file": shown(source.file), "notes": notes},
                    written,
                )
            )
            return
        console = err if table == STREAM else out
        console.print(f"{counted(len(comparison), 'candidate')} on {describe_size(read)}")
        console.print(describe_comparison(comparison))
        print_agreement(agreement, console)
        if test is not None:
            console.print(_describe_test(test))
        print_written(written, console)


def _check_bootstrap(bootstrap: int | None, numbers: Any) -> None:
    """Raise an error, before anything is fitted, if there is nothing to test."""
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
    about: Mapping[str, Any],
    written: Mapping[str, Path],
) -> dict[str, Any]:
    facts = {**about, **comparison_facts(comparison)}
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
