"""Agreement of the components with classes that are known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from ..data import BoolArray, InputError, IntArray, as_array, marked, shown
from ..fitted import FittedMixture
from ..metrics import adjusted_rand_score, normalized_mutual_info_score, purity_score
from ..views import are_merged

MOST_CLASSES = 30  # rows of the cross table; the rest are one row
MOST_VALUES = 200  # different ones, in a column that can be compared with
MOST_FRACTIONS = 20  # the same, where values are numbers with decimals
FEW = 4  # observations, which may all have different classes
NO_VALUE = ("", "nan", "None", "NaN", "<NA>", "NaT")


@dataclass(frozen=True, eq=False)
class Agreement:
    """How the components agree with a column of known classes.

    Observations without a known class are left out.

    Parameters
    ----------
    name : str
        What the classes are called.
    classes : sequence of str
    groups : sequence of str
        Numbers of the components; "noise" last, if there is any.
    counts : array of int, shape (C, K)
        Number of observations of each class in each component.
    scores : mapping of str to float
        Adjusted Rand index, normalised mutual information and purity.
    n_unknown : int
        Number of observations without a known class.
    noun : str
        What the groups are: components, or clusters of merged ones.
    """

    name: str
    classes: Sequence[str]
    groups: Sequence[str]
    counts: IntArray
    scores: dict[str, float]
    n_unknown: int
    noun: str = "component"

    @classmethod
    def of_model(cls, known: object, model: FittedMixture, labels: IntArray) -> Self:
        """Compare classes with the labels that a fitted mixture gives to observations."""
        found = cls.of(known, labels, model.n_clusters_)
        return replace(found, noun="cluster" if are_merged(model) else "component")

    @classmethod
    def of(
        cls, known: object, labels: IntArray, n_components: int, name: str = "known class"
    ) -> Self:
        """Compare classes with labels.

        Parameters
        ----------
        known : array, shape (n,)
            The class of each observation; None, NaN or empty text where it is not known.
        labels : array of int, shape (n,)
            -1 for noise.
        n_components : int
        name : str
            What the classes are called, where `known` has no name itself.
        """
        name = str(getattr(known, "name", None) or name)
        words, is_known = check_classes(known, len(labels), name)
        classes, codes = np.unique(words[is_known], return_inverse=True)
        order = _in_order(classes)
        own = labels[is_known]
        has_noise = bool((labels < 0).any())
        counts = np.zeros((len(classes), n_components + has_noise), dtype=int)
        np.add.at(counts, (np.argsort(order)[codes], own), 1)
        scores = {
            "adjusted Rand index": float(adjusted_rand_score(codes, own)),
            "normalised mutual information": float(normalized_mutual_info_score(codes, own)),
            "purity": purity_score(codes, own),
        }
        groups = [*map(str, range(n_components)), *(["noise"] if has_noise else [])]
        names = [str(one) for one in classes[order]]
        return cls(name, names, groups, counts, scores, int((~is_known).sum()))

    @property
    def sentences(self) -> list[str]:
        """The scores, and what they were computed from."""
        rand, information, purity = self.scores.values()
        found = [
            f"Compared with {self.name!r}, the {self.noun}s have an adjusted Rand index of"
            f" {rand:.3f} (1 is full agreement, 0 is chance), a normalised mutual information of"
            f" {information:.3f} and a purity of {purity:.3f}."
        ]
        if self.n_unknown:
            verb = (
                "observation without a known class is"
                if self.n_unknown == 1
                else ("observations without a known class are")
            )
            found.append(f"{self.n_unknown:,} {verb} left out of these.")
        if "noise" in self.groups:
            found.append("Noise counts as a group of its own.")
        return found

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return headings and cells of the cross table; rare classes of many are one row."""
        headings = [
            self.name,
            *(one if one == "noise" else f"{self.noun} {one}" for one in self.groups),
        ]
        often = np.argsort(-self.counts.sum(axis=1), kind="stable")
        shown = np.sort(often[:MOST_CLASSES])
        lines = [[self.classes[c], *map(_count, self.counts[c])] for c in shown]
        if len(often) > MOST_CLASSES:
            rest = self.counts[often[MOST_CLASSES:]].sum(axis=0)
            lines.append([f"{len(often) - MOST_CLASSES} others", *map(_count, rest)])
        return headings, lines

    def facts(self) -> dict[str, object]:
        """Return everything as plain values."""
        return {
            "column": self.name,
            "classes": list(self.classes),
            f"{self.noun}s": list(self.groups),
            "counts": self.counts.tolist(),
            **{key.replace(" ", "_"): value for key, value in self.scores.items()},
            "unknown": self.n_unknown,
        }


def set_classes_apart(X: Any, compare_with: Any) -> tuple[Any, Any, str | None]:
    """Return X without a column of known classes, these, and how they are named in code.

    Parameters
    ----------
    X : observations
    compare_with : array, or name of a column of the frame X, optional
    """
    if not isinstance(compare_with, str):
        return X, compare_with, None if compare_with is None else "known_classes"
    names = list(getattr(X, "columns", ()))
    if compare_with not in names:
        raise InputError(
            f"{marked('compare_with')} names the column {shown(compare_with)}, which X does not"
            " have: pass the classes themselves, one for each observation."
        )
    others = X[[name for name in names if name != compare_with]]
    return others, X[compare_with], repr(compare_with)


def check_classes(known: object, n: int, name: str) -> tuple[Any, BoolArray]:
    """Return the classes as text, and which are known; raise if they are no classes."""
    values = as_array(known, "compare_with", "one class for each observation")
    if values.ndim != 1 or len(values) != n:
        raise InputError(
            f"{marked('compare_with')} must have one class for each of the {n} observations, but"
            f" has shape {values.shape}."
        )
    has_fractions = values.dtype.kind == "f" and bool((np.nan_to_num(values) % 1).any())
    if values.dtype.kind == "f" and not has_fractions:
        words = np.array([str(int(one)) if np.isfinite(one) else "" for one in values], object)
    else:
        words = np.array([str(one).strip() for one in values.tolist()], dtype=object)
    is_known = ~np.isin(words.astype(str), NO_VALUE)
    if not is_known.any():
        raise InputError(
            f"{marked('compare_with')} ({name}) has no known class: name another column."
        )
    n_classes = len(np.unique(words[is_known].astype(str)))
    most = MOST_FRACTIONS if has_fractions else MOST_VALUES
    if n_classes > most or (n_classes == is_known.sum() > FEW):
        raise InputError(
            f"{marked('compare_with')} ({name}) has {n_classes:,} different values in {n:,}"
            " observations, and so is no column of classes: name another column."
        )
    return words.astype(str), is_known


def _in_order(classes: Any) -> IntArray:
    """Return the order of classes: as numbers if all are numbers, else as text."""
    try:
        return np.argsort(classes.astype(float), kind="stable")
    except ValueError:
        return np.arange(len(classes))


def _count(n: int) -> str:
    return f"{n:,}"
