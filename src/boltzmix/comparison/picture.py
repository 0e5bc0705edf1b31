"""The picture of a comparison: criteria, or the agreement of halves, for each number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..learning import AgreementCurve
from ..look import NOISE_COLOUR, PALETTE
from .words import AGREEMENT, CRITERION_NAMES, HELD_OUT, curve_of_halves, n_clusters_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison import Candidate, Comparison

MOST_LINES = 14
MARGIN = 0.06  # below and above lines, as a fraction of their height
HEIGHT = 3.0  # of many lines above their lowest value, where 1 is the height of half of all values
FEWEST = 3  # numbers, of which the first may be cut off
OTHER_HALF = "mean log-likelihood of the other half"


class CriterionLine(NamedTuple):
    """One line of the picture.

    Parameters
    ----------
    name : str
        Of the criterion, or of the family.
    numbers : list of int
        Numbers of components or clusters, in ascending order.
    values : list of float
        The criterion at each.
    best : int or None
        The place of the number that is best by this line; None if it is not on the line.
    caption : str
        The name, and which number is best.
    spread : tuple of two lists of float, optional
        The lowest and the highest value at each number, where there are several.
    """

    name: str
    numbers: list[int]
    values: list[float]
    best: int | None
    caption: str
    spread: tuple[list[float], list[float]] | None = None


@dataclass(frozen=True)
class CriterionPicture:
    """The picture of a comparison.

    Parameters
    ----------
    lines : list of CriterionLine
        The best first.
    title, x_label, y_label : str
    limits : tuple of float
        The lowest and highest value to show.
    plausible : list of int
        Numbers that are about as good as the one that was chosen, and it, where halves chose.
    needed : tuple of two lists, optional
        Numbers, and the agreement that each needs, lest there is one cluster.
    """

    lines: list[CriterionLine]
    title: str
    x_label: str
    y_label: str
    limits: tuple[float, float]
    plausible: Sequence[int] = ()
    needed: tuple[list[int], list[float]] | None = None


def criterion_picture(comparison: "Comparison", criterion: str | None = None) -> CriterionPicture:
    """Return what to draw.

    If halves chose, it is their agreement. Else, of one family, there are lines of the criterion
    that chose, BIC and ICL; cross-validation, which is per observation, stands alone. Of several
    families, each has one line, the best ones first.

    Parameters
    ----------
    comparison : Comparison
    criterion : str, optional
        The criterion to draw, if it is not the one that chose.
    """
    chosen = criterion or comparison.chosen_by
    if criterion is None and chosen == HELD_OUT:
        chosen = AGREEMENT
    if chosen == AGREEMENT:
        lines = _agreement_lines(comparison)
        if lines:
            return _agreement_picture(comparison, lines)
        chosen = "bic"
    lines = _held_out_lines(comparison) if chosen == HELD_OUT else _lines(comparison, chosen)
    is_one_family = lines[0].name == CRITERION_NAMES.get(chosen)
    better = (
        "lower is better" if is_one_family else f"{CRITERION_NAMES.get(chosen)} (lower is better)"
    )
    label = OTHER_HALF if chosen == HELD_OUT else better
    return CriterionPicture(lines, "How many components?", "components", label, line_limits(lines))


def _agreement_picture(comparison: "Comparison", lines: list[CriterionLine]) -> CriterionPicture:
    curve = curve_of_halves(comparison) or next(iter(comparison.agreement.values()))
    plausible = [] if curve.is_low else curve.plausible.tolist()
    several = curve.numbers > 1
    lowest = min(min(line.spread[0] if line.spread else line.values) for line in lines)
    return CriterionPicture(
        lines,
        "How many clusters?",
        "components" if comparison.clusters is None else "clusters",
        f"{CRITERION_NAMES[AGREEMENT]}, 0 to 1",
        (float(min(0.4, np.floor(10 * lowest) / 10)), 1.02),
        plausible,
        (curve.numbers[several].tolist(), curve.least[several].tolist()),
    )


def _agreement_lines(comparison: "Comparison") -> list[CriterionLine]:
    """Return the agreement for each family, or on merged components, for several clusters.

    One cluster agrees by definition, and is left out.
    """
    if comparison.clusters is not None:
        return _agreement_line(
            CRITERION_NAMES[AGREEMENT], comparison.clusters, n_clusters_of(comparison)
        )
    best, curves = comparison.best_candidate().family, comparison.agreement
    families = sorted(curves, key=lambda family: (family != best, -curves[family].highest))
    found = []
    for family in families[:MOST_LINES]:
        name = CRITERION_NAMES[AGREEMENT] if len(curves) == 1 else family
        found += _agreement_line(name, curves[family], curves[family].chosen)
    return found


def _agreement_line(name: str, curve: AgreementCurve, taken: int) -> list[CriterionLine]:
    several = curve.numbers > 1
    if not several.any():
        return []
    numbers, agreements = curve.numbers[several].tolist(), curve.agreements[several]
    spread = agreements.min(axis=1).tolist(), agreements.max(axis=1).tolist()
    best = numbers.index(taken) if taken in numbers else None
    caption = f"{name}, {taken} chosen"
    return [
        CriterionLine(name, numbers, np.median(agreements, axis=1).tolist(), best, caption, spread)
    ]


def _held_out_lines(comparison: "Comparison") -> list[CriterionLine]:
    """Return the likelihood of the other half for each family."""
    found = []
    for family, curve in comparison.agreement.items():
        numbers, values = curve.numbers.tolist(), curve.mean_held_out.tolist()
        caption = f"{family}, highest at {curve.densest}"
        found.append(CriterionLine(family, numbers, values, numbers.index(curve.densest), caption))
    return sorted(found, key=lambda line: -max(line.values))[:MOST_LINES]


def _lines(comparison: "Comparison", criterion: str) -> list[CriterionLine]:
    families = list(dict.fromkeys(one.family for one in comparison))
    if len(families) == 1:
        names = ("cv",) if criterion == "cv" else dict.fromkeys((criterion, "bic", "icl"))
        return [_line(CRITERION_NAMES[name], list(comparison), name) for name in names]
    lines = [
        _line(family, [one for one in comparison if one.family == family], criterion)
        for family in families
    ]
    return sorted(lines, key=lambda line: min(line.values))[:MOST_LINES]


def line_limits(lines: list[CriterionLine]) -> tuple[float, float]:
    """Return the lowest and highest value to show; the highest of many lines are cut off.

    So are those of one component, unless few numbers or the best one are on the lines.
    """
    values = np.concatenate([_that_matter(line) for line in lines])
    lowest, middle = float(values.min()), float(np.median(values))
    height = float(values.max()) - lowest
    if len(lines) > 3 and middle > lowest:
        height = min(height, HEIGHT * (middle - lowest))
    margin = MARGIN * height or 0.5
    return lowest - margin, lowest + height + margin


def _that_matter(line: CriterionLine) -> list[float]:
    """Return the values that the axis must show."""
    if line.numbers[0] > 1 or line.best == 0 or len(line.numbers) < FEWEST:
        return line.values
    return line.values[1:]


def _line(name: str, candidates: list["Candidate"], criterion: str) -> CriterionLine:
    ordered = sorted(candidates, key=lambda one: one.n_components)
    numbers = [one.n_components for one in ordered]
    values = [one.criterion(criterion) for one in ordered]
    best = int(np.argmin(values))
    return CriterionLine(name, numbers, values, best, f"{name}, lowest at {numbers[best]}")


FEW_LINES = 4  # whose names have room inside the axes
WIDE = (8.4, 4.8)  # inches of a figure with names beside the axes
STYLES = ("o-", "s--", "^:", "v-.")


def draw_criteria(comparison: "Comparison", ax: "Axes | None", criterion: str | None) -> "Axes":
    """Draw a comparison against the number of components or clusters; return the axes."""
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    picture = criterion_picture(comparison, criterion)
    are_few = len(picture.lines) <= FEW_LINES
    if ax is None:
        _, ax = plt.subplots(figsize=None if are_few else WIDE, layout="constrained")
    _draw_range(ax, picture)
    for place, line in enumerate(picture.lines):
        _draw_line(ax, line, place, is_ringed=are_few or place == 0)
    ax.set_ylim(*picture.limits)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.set_xlabel(picture.x_label)
    ax.set_ylabel(picture.y_label)
    ax.set_title(picture.title)
    if are_few:
        ax.legend(frameon=False)
    else:
        ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return ax


def _draw_range(ax: "Axes", picture: CriterionPicture) -> None:
    """Shade the numbers that are about as good, and draw the agreement that is needed."""
    if len(picture.plausible) > 1:
        label = "about as good"
        for number in picture.plausible:
            ax.axvspan(number - 0.5, number + 0.5, color=NOISE_COLOUR, alpha=0.4, lw=0, label=label)
            label = "_"  # named once
    if picture.needed is not None:
        ax.plot(*picture.needed, color="0.4", lw=1, ls=":", label="needed, or one cluster")


def _draw_line(ax: "Axes", line: CriterionLine, place: int, is_ringed: bool) -> None:
    """Draw one line, its spread, and a ring around its best value."""
    colour = PALETTE[place % len(PALETTE)]
    style = STYLES[(place + place // len(PALETTE)) % len(STYLES)]  # differs where colours repeat
    ax.plot(line.numbers, line.values, style, color=colour, ms=4, lw=1.6, label=line.caption)
    if line.spread is not None and place == 0:
        ax.vlines(line.numbers, *line.spread, color=colour, lw=3, alpha=0.35)
    if is_ringed and line.best is not None:
        number, value = line.numbers[line.best], line.values[line.best]
        ax.plot(number, value, "o", color=colour, mfc="none", ms=11, mew=1.6)
