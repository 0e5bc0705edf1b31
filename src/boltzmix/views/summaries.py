"""A fitted mixture in a few lines, and tables of its components and of families of columns."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..comparison.words import describe_choice
from ..data import counted, marked, shown
from ..families import Family
from ..families.contract.description import ColumnChoice
from ..fitted import FittedMixture
from ..look import frame_of, html_table, text_table
from .descriptions import MOST_COLUMNS, describe_component, describe_family
from .facts import agreement_of_clusters, are_merged, cluster_rows, describe_iterations, sizes
from .problems import describe_problems
from .words import column_names, listed

LEFT_OUT = "–"


@dataclass(frozen=True, eq=False, repr=False)
class ColumnFamilies:
    """The family of each column of a table, and the reason.

    Parameters
    ----------
    choices : sequence of ColumnChoice
        Each has a `column`, the name of its `family` (None if the column is left out), and the
        `reason`.
    """

    choices: Sequence[ColumnChoice]

    @classmethod
    def of(cls, model: FittedMixture) -> "ColumnFamilies | None":
        """Return the families of the columns; None where they have none of their own."""
        check_is_fitted(model)
        choices = model.components_[0].describe().choices
        return cls(choices) if choices else None

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, column: object) -> ColumnChoice:
        for one in self.choices:
            if one.column == str(column):
                return one
        names = ", ".join(one.column for one in self.choices)
        raise KeyError(f"There is no column {shown(column)}: columns are {names}.")

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each column, as plain values."""
        return list(map(asdict, self.choices))

    def to_frame(self) -> Any:
        """Return a pandas frame with a row for each column."""
        return frame_of(self.rows())

    def cells(self) -> list[list[str]]:
        """Return column, family and reason of each column, as text."""
        return [[one.column, one.family or LEFT_OUT, one.reason] for one in self.choices]

    def left_out(self) -> list[str]:
        """Return a sentence for each column that is left out."""
        return [
            f"Column {one.column!r} is {one.reason}; to use it, turn it into numbers, or choose its"
            f" family, as in {marked('family', {one.column: 'categorical'})}."
            for one in self.choices
            if one.family is None
        ]

    def __repr__(self) -> str:
        return text_table(["column", "family", "reason"], self.cells(), n_left=3)

    def _repr_html_(self) -> str:
        return html_table(["column", "family", "reason"], self.cells())


MOST_NAMED = 5
HEADINGS = {
    "cluster": "cluster",
    "components": "components",
    "component": "component",
    "weight": "weight",
    "observations": "observations",
    "agreement": "agreement",
    "description": "what it is like",
}


@dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """The components of a fitted mixture, and facts about the fit.

    Parameters
    ----------
    facts : sequence of str
        What was fitted, and how, in sentences.
    components : sequence of mappings
        The `component`, its `weight`, how many `observations` it has, and its `description`; where
        halves of the observations were fitted, their `agreement` on it; where components are
        merged, its `cluster` instead.
    notes : sequence of str
        What may mislead.
    clusters : sequence of mappings
        Where components are merged: each `cluster`, its `components`, its `weight`, how many
        `observations` it has, and the `agreement` of halves on it, if that is known.
    """

    facts: Sequence[str]
    components: Sequence[Mapping[str, object]]
    notes: Sequence[str]
    clusters: Sequence[Mapping[str, object]] = ()

    @classmethod
    def of(cls, model: FittedMixture, ranking: Sequence[int]) -> "Summary":
        """Summarise a fitted mixture, given its columns in the order in which they differ most."""
        return cls(
            _facts(model, ranking),
            _components(model, ranking),
            describe_problems(model),
            cluster_rows(model),
        )

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each component, as plain values."""
        return list(map(dict, self.components))

    def to_frame(self) -> Any:
        """Return a pandas frame with a row for each component, and the last for noise if any."""
        return frame_of(self.rows()).set_index("component")

    def __repr__(self) -> str:
        (*headings, last), cells = _table(self.components)
        numbers = text_table(headings, [row[:-1] for row in cells]).splitlines()
        words = [last, *(row[-1].replace("\n", "; ") for row in cells)]
        lines = [f"{left}  {right}".rstrip() for left, right in zip(numbers, words, strict=True)]
        clusters = [text_table(*_table(self.clusters))] if self.clusters else []
        return "\n".join([*self.facts, *clusters, *lines, *self.notes])

    def _repr_html_(self) -> str:
        tables = [_table(one) for one in (self.clusters, self.components) if one]
        shown = "".join(html_table(*table).replace("\n", "<br>") for table in tables)
        return shown + "".join(f"<p>{escape(one)}</p>" for one in (*self.facts, *self.notes))


def _table(rows: Sequence[Mapping[str, object]]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the cells of rows."""
    names = list(rows[0])
    return [HEADINGS[name] for name in names], [
        ["" if row.get(name) is None else _cell(name, row[name]) for name in names] for row in rows
    ]


def _cell(name: str, value: object) -> str:
    if name == "components" and isinstance(value, list):
        return ", ".join(map(str, value))
    if name == "weight":
        return f"{value:.3f}"
    if name == "agreement":
        return f"{value:.2f}"
    return f"{value:,}" if name == "observations" else str(value)


def sentence_of_ranking(names: Sequence[str], ranking: Sequence[int]) -> list[str]:
    """Name the columns that tell components apart most, if there are more than a few."""
    if len(ranking) != len(names) or len(names) <= MOST_COLUMNS:
        return []
    first = ", ".join(names[place] for place in ranking[:MOST_NAMED])
    return [f"Columns that tell components apart most: {first}."]


def ranked_names(model: FittedMixture) -> tuple[str, ...]:
    """Return the names of the columns that a ranking has numbers of."""
    parts = model.components_[0].describe().parts
    if parts:
        return tuple(name for part in parts for name in part.columns)
    return column_names(model._names, model.n_features_in_)


def _facts(model: FittedMixture, ranking: Sequence[int]) -> list[str]:
    names = column_names(model._names, model.n_features_in_)
    ended = "converged" if model.converged_ else "not converged"
    comparison = model._comparison
    columns = f"{counted(len(names), 'column')}: {listed(names)}"
    merged = f"{counted(model.n_clusters_, 'cluster')} of " if are_merged(model) else ""
    return [
        f"{merged}{counted(len(model.components_), 'component')} of"
        f" {counted(len(model.labels_), 'observation')}, {columns}",
        _families(model.components_[0]),
        f"Objective {model.lower_bound_:,.4f}, {ended}. {describe_iterations(model.history_)}",
        *([] if comparison is None else [describe_choice(comparison, model)]),
        *sentence_of_ranking(ranked_names(model), ranking),
    ]


def _families(component: Family) -> str:
    """Name the family of a component, or count the columns of each of its families."""
    parts = component.describe().parts
    if not parts:
        return f"Family: {describe_family(component)}"
    counts = Counter(name for part in parts for name in [part.family] * len(part.columns))
    words = ", ".join(f"{name} ({counted(n, 'column')})" for name, n in counts.most_common())
    return f"Families: {words}; column_families_ says which and why"


def _components(model: FittedMixture, ranking: Sequence[int]) -> list[dict[str, object]]:
    names = column_names(model._names, model.n_features_in_)
    counts = sizes(model.component_labels_, len(model.components_))
    agreement = None if are_merged(model) else agreement_of_clusters(model)
    found = [
        {
            "component": k,
            **({"cluster": int(model.clusters_[k])} if are_merged(model) else {}),
            "weight": float(weight),
            "observations": int(count),
            **({} if agreement is None else {"agreement": float(agreement[k])}),
            "description": describe_component(component, names, {}, None, ranking),
        }
        for k, (component, weight, count) in enumerate(
            zip(model.components_, model.weights_, counts, strict=True)
        )
    ]
    if not model.noise:
        return found
    n_noise = int((model.component_labels_ < 0).sum())
    noise = {"component": "noise", "weight": model.noise_weight_, "observations": n_noise}
    return [*found, {**noise, "description": ""}]
