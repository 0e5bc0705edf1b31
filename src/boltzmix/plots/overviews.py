"""An overview of a fit on one page, its profiles, and what it was chosen by."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..comparison import Comparison
from ..data import Regression, Sequences, Trajectories, shown
from ..families.contract.description import Chain
from ..fitted import FittedMixture
from ..inference import Profiles
from ..views import Symbols, picture_of
from . import canvas
from .canvas import check_mixture
from .chains import States, states
from .curves import curves, predictions
from .members import Members, sequences, trajectories
from .points import clusters
from .training import allocations, trace

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def criteria(model: FittedMixture) -> Comparison:
    """Show criteria against the number of components. The lower, the better.

    Parameters
    ----------
    model : Comparison, or mixture that chose its number of components
        What `boltzmix.compare` returns, or a fitted ``Mixture(n_components="auto")``, whose
        `comparison_` is taken.

    Returns
    -------
    Comparison
        Its `plot` draws one family by BIC, ICL and the criterion that chose, and several by one
        line each.

    Examples
    --------
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> model = Mixture(n_components=range(1, 7), random_state=0).fit(X)
    >>> axes = plots.criteria(model).plot()
    """
    found = getattr(model, "comparison_", model)
    if not isinstance(found, Comparison):
        raise ValueError(
            "model must be a comparison, or a fitted mixture that chose its number of components,"
            f" as Mixture(n_components='auto') does, not {shown(model)}."
        )
    return found


def profiles(model: FittedMixture, X: object, y: object = None) -> Profiles:
    """Show the means or probabilities of columns in each component, with intervals.

    Parameters
    ----------
    model : fitted mixture
    X : array, frame or whatever the family takes
    y : array, optional
        The targets of a family that has them.

    Returns
    -------
    Profiles
        Its `plot` draws the columns that say most about the component. Where all columns are
        categories, these are probabilities; else, distances from the mean of all observations, in
        standard deviations.

    Examples
    --------
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> model = Mixture(n_components=4, random_state=0).fit(X)
    >>> axes = plots.profiles(model, X).plot()
    """
    check_mixture(model)
    found: Profiles = model.profiles(X, y)
    return found


WIDTH, MOST_CHAINS = 15, 3


def overview(
    model: FittedMixture,
    X: object,
    y: object = None,
    symbols: Symbols | Sequence[object] | None = None,
) -> "Figure":
    """Draw the clusters, the training trace and the allocations; return the figure.

    Rows of a table are shown as clusters, points with targets as curves, or as predictions where
    there are several inputs, and sequences and trajectories as members of their components, with
    the states of the first few components below.

    Parameters
    ----------
    model : fitted mixture
    X : array, frame or whatever the family takes
    y : array, optional
        The targets of a family that has them.
    symbols : sequence of str, or mapping of column names to such, optional
        What codes stand for, in sequences of codes.
    """
    canvas.check_mixture(model)
    data = canvas.observed(model, X, y)
    if isinstance(data, Sequences):
        return _sequence_overview(model, X, data, symbols)
    if isinstance(data, Trajectories):
        return _members_overview(model, trajectories(model, X), [])
    figure = canvas.matplotlib().figure.Figure(figsize=(14, 4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    if isinstance(data, Regression) and data.positions is None:
        predictions(model, X, y).plot(left)
    elif isinstance(data, Regression):
        curves(model, X, y).plot(left)
    else:
        clusters(model, X).plot(left)
    trace(model).plot(middle)
    allocations(model).plot(right)
    return figure


def _sequence_overview(
    model: FittedMixture, X: object, data: Sequences, symbols: Symbols | Sequence[object] | None
) -> "Figure":
    components = [one for one in model.components_ if picture_of(one, Chain)]
    chains = [states(one, data.feature_names, symbols) for one in components]
    return _members_overview(model, sequences(model, X, symbols), chains)


def _members_overview(model: FittedMixture, members: Members, chains: list[States]) -> "Figure":
    heights = [max(5.0, members.size[1]), *(one.size[1] for one in chains[:1])]
    figure = canvas.matplotlib().figure.Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    left, right = parts[0].subfigures(1, 2, width_ratios=(2.2, 1))
    members.plot(left)
    upper, lower = right.subplots(2, 1)
    trace(model).plot(upper)
    allocations(model).plot(lower)
    if chains:
        merged = canvas.merged_clusters(model)
        colours = canvas.component_colours(len(model.components_), merged)
        n_places = min(_room_for(chains[0]), max(2, len(chains)))
        places = parts[1].subfigures(1, n_places, squeeze=False)[0]
        for k, (chain, place) in enumerate(zip(chains, places, strict=False)):
            chain.plot(place, title=f"Component {k}", colour=colours[k])
    return figure


def _room_for(chain: States) -> int:
    """Return how many chains like this can be drawn side by side."""
    n_states = min(len(chain.initial), canvas.MOST_NUMBERS)
    needed = 1.4 + 0.2 * n_states + 0.65 * chain.n_shown
    return max(1, min(MOST_CHAINS, int(WIDTH / needed)))
