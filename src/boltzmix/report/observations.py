"""The observations of the picture: points, curves, sequences and trajectories."""

from collections.abc import Sequence

import numpy as np

from ..data import FloatArray, IntArray, Regression, Rows, Sequences, Trajectories
from ..families import Family
from ..families.contract.description import Chain, Description
from ..fitted import FittedMixture
from ..inference.profiles.variables import Column
from ..pictures import (
    Group,
    Line,
    component_curves,
    groups_of_sequences,
    groups_of_trajectories,
    largest,
    principal_components,
    shown_range,
    turned_ellipse,
)
from ..views import (
    Symbols,
    column_names,
    describe_columns,
    describe_parameters,
    is_symbolic,
    namer,
    picture_of,
)
from .assignments import Assignments
from .document import neat, plain

N_PRINCIPAL = 3


def points(
    columns: Sequence[Column], model: FittedMixture, assignments: Assignments, sample: IntArray
) -> dict[str, object]:
    """Return a sample of rows on all axes, of which the reader chooses two."""
    rows, own = columns[0].rows, [column.place for column in columns]
    table = rows.take(sample)
    directions, offsets = _principal(rows, assignments.labels)
    turned = table.as_vectors() @ directions.T - offsets
    every = np.vstack([directions, np.eye(rows.n_features)[own]])
    offsets = np.concatenate([offsets, np.zeros(len(own))])
    return {
        "kind": "points",
        "axes": [
            *(f"principal component {j + 1}" for j in range(len(directions))),
            *(column.name for column in columns),
        ],
        "n_principal": len(directions),
        **shown([*turned.T, *table.values[:, own].T], assignments, sample),
        "ellipses": [_ellipse(one, every, offsets) for one in model.components_],
    }


def shown(
    axes: Sequence[FloatArray], assignments: Assignments, sample: IntArray
) -> dict[str, object]:
    """Return the values of a sample on all axes, the range to show of each, and the groups."""
    labels = assignments.labels[sample]
    return {
        "values": plain(axes),
        "ranges": plain([shown_range(values, labels) for values in axes]),
        "rows": plain(sample),
        "groups": plain(assignments.places[sample]),
        "certainty": plain(assignments.certainty[sample], 4),
    }


def _principal(rows: Rows, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the directions and offsets of principal components; of few columns, there are none."""
    if rows.n_features <= 2 or len(rows) < 2:
        return np.zeros((0, rows.n_features)), np.zeros(0)
    return principal_components(rows, labels, N_PRINCIPAL)


def _ellipse(component: Family, directions: FloatArray, offsets: FloatArray) -> object:
    """Return the centre and the covariance of a component on all axes, if it is an ellipse."""
    found = turned_ellipse(component, directions, offsets)
    return found and {"mean": plain(found[0], 12), "covariance": plain(found[1])}


CURVE_GRID = 200


def curves(
    data: Regression, model: FittedMixture, assignments: Assignments, sample: IntArray
) -> dict[str, object]:
    """Return a sample of points on inputs and targets, of which the reader chooses two.

    There are curves where the input is one column.
    """
    some = data.take(sample)
    inputs = list(data.input_names or _numbered("input", data.inputs.shape[1]))
    targets = _numbered("target", data.targets.shape[1])
    return {
        "kind": "curves",
        "axes": [*inputs, *targets],
        "n_inputs": len(inputs),
        **shown([*some.inputs.T, *some.targets.T], assignments, sample),
        "curves": _curves(data, model),
    }


def _curves(data: Regression, model: FittedMixture) -> object:
    """Return a grid of inputs, and mean and deviation of each target on it, by component."""
    found = component_curves(model.components_, data, CURVE_GRID)
    return found and {
        "at": plain(found.grid),
        "components": [
            {"means": plain(means.T), "deviations": plain(deviations.T)}
            for means, deviations in zip(found.means, found.deviations, strict=True)
        ],
    }


def _numbered(what: str, n: int) -> list[str]:
    return [what] if n == 1 else [f"{what} {j}" for j in range(n)]


MOST_NUMBERS = 150_000  # shown of all sequences together
MOST_MEMBERS, FEWEST_MEMBERS = 40, 4
MOST_STEPS, MOST_FEATURES, MOST_STATES = 160, 8, 30
MOST_AVERAGED = 200  # members over which the time in each state is averaged

SYMBOLS_NOTE = (
    "Every line is a sequence, every colour a symbol; those that begin alike lie side by side."
)
LINES_NOTE = (
    "Thin lines are sequences; a dark line is the mean of all members, each stretched to the same"
    " length, where it explains enough of their variance."
)


def sequences(
    data: Sequences, model: FittedMixture, assignments: Assignments, symbols: Symbols
) -> dict[str, object]:
    """Return members of the largest components, and their states."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    symbolic = is_symbolic(model.components_[0])
    shown = largest(assignments.labels, len(model.components_))
    room = MOST_NUMBERS // (len(shown) * len(names) * MOST_STEPS)
    n_members = int(np.clip(room, FEWEST_MEMBERS, MOST_MEMBERS))
    every = [namer(symbols.get(name)) for name in names]
    n_symbols = int(data.values.max()) + 1 if symbolic else 0
    return {
        "kind": "sequences",
        "noun": "sequence",
        "step": "step",
        "note": SYMBOLS_NOTE if symbolic else LINES_NOTE,
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[name(code) for code in range(n_symbols)] for name in every],
        "members": [
            _group(group, assignments, len(names))
            for group in groups_of_sequences(model, data, assignments.labels, n_members)
        ],
        "chains": [
            _chain(k, data.take(assignments.labels == k), chain, names, symbols)
            for k, chain in enumerate(picture_of(one, Chain) for one in model.components_)
            if k in shown and chain is not None and len(chain.initial) <= MOST_STATES
        ],
    }


def _group(group: Group, assignments: Assignments, n: int) -> dict[str, object]:
    """Return the members of a component that are drawn, with n features."""
    k = group.component
    found = {
        "group": len(assignments.groups) - 1 if k < 0 else k,
        "size": group.size,
        "rows": plain(group.rows),
        "certainty": plain(assignments.certainty[group.rows], 4),
        "paths": [path_of(path, n) for path in group.paths],
        "mean": group.mean and path_of(group.mean, n),
    }
    if group.mean is not None and group.deviations is not None:
        spread = 2 * group.deviations
        found["band"] = {
            "low": plain((group.mean.values - spread)[:, :n].T, 4),
            "high": plain((group.mean.values + spread)[:, :n].T, 4),
        }
    return found


def path_of(path: Line, n_features: int) -> dict[str, object]:
    """Return a member as it is drawn, in at most MOST_STEPS steps."""
    every = -(-len(path.steps) // MOST_STEPS)
    return {
        "at": plain(path.steps[::every]),
        "values": plain(path.values[::every, :n_features].T, 4),
    }


def _chain(
    k: int, members: Sequences, chain: Chain, names: tuple[str, ...], symbols: Symbols
) -> dict[str, object]:
    """Return the probabilities of a chain, and a description of each of its states."""
    name = namer(symbols.get(names[0]))
    every = members.feature_names or column_names(None, members.n_features)
    return {
        "group": k,
        "hidden": bool(chain.states),
        "initial": plain(chain.initial, 4),
        "transitions": plain(chain.transitions, 4),
        "time": plain(_time(chain, members), 4),
        "states": [_state(one, every, symbols) for one in chain.states]
        or [[name(code)] for code in range(len(chain.initial))],
    }


def _state(state: Description, names: Sequence[str], symbols: Symbols) -> list[str]:
    """Describe what a state emits, column by column where its columns are described."""
    words = describe_columns(state, names, symbols) or [describe_parameters(state.parameters)]
    return list(map(neat, words[:MOST_FEATURES]))


def _time(chain: Chain, members: Sequences) -> FloatArray:
    """Return the fraction of steps that members spend in each state."""
    if not len(members):
        return np.zeros(len(chain.initial))
    return chain.occupancy(
        members.take(np.arange(0, len(members), -(-len(members) // MOST_AVERAGED)))
    )


GRID = 100
NOTE = (
    "Thin lines are trajectories; the dark line is the mean curve of the component, with a band of"
    " two standard deviations of the values around it, noise included."
)


def trajectories(
    data: Trajectories, model: FittedMixture, assignments: Assignments
) -> dict[str, object]:
    """Return members of the largest components, and the mean curves of these."""
    names = (data.feature_names or column_names(None, data.n_features))[:MOST_FEATURES]
    return {
        "kind": "sequences",
        "noun": "trajectory",
        "step": data.time_name or "time",
        "note": NOTE,
        "axes": list(names),
        "n_features": data.n_features,
        "symbols": [[] for _ in names],
        "members": [
            _group(group, assignments, len(names))
            for group in groups_of_trajectories(model, data, assignments.labels, GRID, MOST_MEMBERS)
        ],
        "chains": [],
    }
