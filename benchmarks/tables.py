"""Tables and sentences that several pages share."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar


class HasErrors(Protocol):
    """The scores of a method on a set, with the number of fits that ended in an error."""

    @property
    def errors(self) -> int:
        """Number of fits that ended in an error."""


S = TypeVar("S", bound=HasErrors)


def sessions_text(rows: Iterable[dict[str, Any]], sessions: list[dict[str, Any]]) -> str:
    """Describe when and where the fits in these rows were run."""
    runs: dict[str, list[str]] = {}
    for number in sorted({row["session"] for row in rows}):
        one = sessions[number]
        threads = f"{one['threads']} thread{'s' * (one['threads'] > 1)}"
        when = f"{one['date']} (load average {one['load']:.1f})"
        runs.setdefault(f"{threads} on {environment_text(one)}", []).append(when)
    return "; ".join(f"{', '.join(dates)}, {place}" for place, dates in runs.items())


def environment_text(part: dict[str, Any]) -> str:
    """Describe the machine and the package versions of a part."""
    machine = part["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in part["versions"].items())
    return (
        f"{machine['cores']} cores ({machine['system']} {machine['architecture']},"
        f" Python {machine['python']}, {packages})"
    )


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def sets_by_methods(
    scores: Mapping[tuple[str, str], S],
    sets: Iterable[str],
    methods: Iterable[str],
    show: Callable[[S], str],
) -> str:
    """Return a table with a row for each set and a column for each method that has scores."""
    sets = list(sets)
    columns = [one for one in methods if any((name, one) in scores for name in sets)]
    cells = [
        [name, *(_cell(scores.get((name, method)), show) for method in columns)]
        for name in sets
        if any((name, method) in scores for method in columns)
    ]
    return table(["Set", *columns], cells)


def _cell(score: S | None, show: Callable[[S], str]) -> str:
    if score is None:
        return "–"
    if not score.errors:
        return show(score)
    return f"{show(score)} ({score.errors} error{'s' * (score.errors > 1)})"
