"""The summary of a fit that the command prints."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as Grid

from ..comparison.words import describe_choice
from ..data import Sequences, Trajectories, counted, without_covariates
from ..families import Family
from ..files import Read
from ..fitted import FittedMixture
from ..inference.profiles.column_information import rank_columns
from ..mixture import Mixture
from ..views import (
    ColumnFamilies,
    Symbols,
    agreement_of_clusters,
    are_merged,
    cluster_rows,
    column_names,
    describe_component,
    describe_family,
    describe_iterations,
    find_bic,
    listed,
    marked_problems,
    members_of,
    ranked_names,
    sentence_of_ranking,
    sizes,
)
from .errors import in_options


def summarise(model: Mixture, read: Read, console: Console) -> None:
    """Print the size of the data, the likelihood, a table of the components and problems."""
    merged = f"{counted(model.n_clusters_, 'cluster')} of " if are_merged(model) else ""
    n_components = counted(len(model.components_), "component")
    console.print(f"{merged}{n_components} on {describe_size(read)}")
    _print_score(model, read.X, console)
    observations = without_covariates(read.X)
    print_clusters(model, console)
    if isinstance(observations, Sequences):
        console.print(sequence_grid(model, observations, read.symbols))
    else:
        noun = observations.noun if isinstance(observations, Trajectories) else "rows"
        print_components(model, read.columns, read.symbols, noun, console)
    if model.membership_ is not None:
        console.print(repr(model.membership_effects(read.X, n_replicates=0)), soft_wrap=True)
    print_problems(model, console)


def print_choice(model: FittedMixture, console: Console) -> None:
    """Print how the number of components was chosen, if it was."""
    comparison = model._comparison
    if comparison is not None:
        console.print(describe_choice(comparison, model))


def describe_size(read: Read) -> str:
    """Say how large the data are, and of which columns."""
    X = without_covariates(read.X)
    if isinstance(X, Trajectories):
        points = X.lengths
        return (
            f"{counted(len(X), 'trajectory')} of {points.mean():,.1f} points on average"
            f" ({points.min():,} to {points.max():,}), {_columns(read.columns)}"
        )
    if not isinstance(X, Sequences):
        return f"{counted(len(X), 'row')} of {_columns(read.columns)}"
    names, lengths = X.feature_names or column_names(None, X.n_features), X.lengths
    return (
        f"{counted(len(X), 'sequence')} of {lengths.mean():,.1f} steps on average"
        f" ({lengths.min():,} to {lengths.max():,}), {_columns(names)}"
    )


def _columns(names: Sequence[str]) -> str:
    return f"{counted(len(names), 'column')}: {listed(names)}"


def families_grid(families: ColumnFamilies) -> Grid:
    """Return a table of the families of columns, and why they were chosen."""
    grid = Grid("column", "family", "reason")
    for cells in families.cells():
        grid.add_row(*cells)
    return grid


def print_problems(model: FittedMixture, console: Console) -> None:
    """Print one sentence for each problem of a fit, in the words of the command."""
    for sentence in marked_problems(model):
        console.print(f"Note: {in_options(sentence)}")


def print_components(
    model: FittedMixture, names: Sequence[str], symbols: Symbols, noun: str, console: Console
) -> None:
    """Print a table of the components, and which columns tell them apart most.

    Parameters
    ----------
    model : fitted mixture
    names : sequence of str
        Names of the columns.
    symbols : mapping of names to sequences
        What codes stand for.
    noun : str
        Plural noun for the observations.
    console : Console
    """
    own, cells = _own_columns(model)
    grid = Grid("component", *own, "weight", noun, "description")
    ranking = rank_columns(model.components_, model.weights_)
    for k, (component, weight, size) in enumerate(_parts(model)):
        words = describe_component(component, names, symbols, None, ranking)
        grid.add_row(str(k), *cells[k], f"{weight:.3f}", f"{size:,}", words)
    _add_noise(model, grid)
    console.print(grid)
    for sentence in sentence_of_ranking(ranked_names(model), ranking):
        console.print(sentence)


def sequence_grid(model: Mixture, sequences: Sequences, symbols: Symbols) -> Grid:
    """Return a table of the components of sequences, with the mean length of their members."""
    names = sequences.feature_names or column_names(None, sequences.n_features)
    own, cells = _own_columns(model)
    grid = Grid("component", *own, "weight", "sequences", "steps", "description")
    for k, (component, weight, size) in enumerate(_parts(model)):
        members = sequences.take(model.component_labels_ == k)
        steps = f"{members.lengths.mean():.1f}" if size else "–"
        words = describe_component(component, names, symbols, members)
        grid.add_row(str(k), *cells[k], f"{weight:.3f}", f"{size:,}", steps, words)
    _add_noise(model, grid)
    return grid


def print_clusters(model: FittedMixture, console: Console) -> None:
    """Print a table of clusters, if components are merged."""
    rows = cluster_rows(model)
    if not rows:
        return
    known = ["agreement"] if "agreement" in rows[0] else []
    grid = Grid("cluster", "weight", members_of(model), *known, "components")
    for row in rows:
        agreement = [f"{row['agreement']:.2f}"] if known else []
        own = ", ".join(map(str, row["components"]))
        size = f"{row['observations']:,}"
        grid.add_row(str(row["cluster"]), f"{row['weight']:.3f}", size, *agreement, own)
    console.print(grid)


def _own_columns(model: FittedMixture) -> tuple[list[str], list[list[str]]]:
    """Return a heading and the cell of each component: its cluster, or its agreement if known."""
    if are_merged(model):
        return ["cluster"], [[str(cluster)] for cluster in model.clusters_]
    found = agreement_of_clusters(model)
    if found is None:
        return [], [[] for _ in model.components_]
    return ["agreement"], [[f"{one:.2f}"] for one in found]


def _parts(model: FittedMixture) -> list[tuple[Family, float, int]]:
    counts = sizes(model.component_labels_, len(model.components_))
    return list(zip(model.components_, model.weights_, counts.tolist(), strict=True))


def _add_noise(model: FittedMixture, grid: Grid) -> None:
    """Add a row for noise, if the mixture has a noise component."""
    if model.noise:
        empty = [""] * len(_own_columns(model)[0])
        size = f"{(model.component_labels_ < 0).sum():,}"
        grid.add_row("noise", *empty, f"{model.noise_weight_:.3f}", size)


def _print_score(model: Mixture, X: object, console: Console) -> None:
    bic = find_bic(model, X)
    criterion = "" if bic is None else f", BIC {bic:,.1f}"
    if model.column_families_ is None:
        console.print(f"Family: {describe_family(model.components_[0])}")
    else:
        console.print(families_grid(model.column_families_))
    console.print(f"Objective {model.lower_bound_:,.4f}{criterion}")
    console.print(describe_iterations(model.history_))
    print_choice(model, console)
