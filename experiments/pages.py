"""Show saved results beside the paper's figures: a Markdown page and a picture per table."""

from itertools import compress
from pathlib import Path

from .measure import Results
from .pictures import draw
from .table import METRICS, Figure, Method, PaperTable

NAMES = ("Method", "Init.", "Weights")
BEST_METRICS = METRICS[:4]
DIGITS = {"EM steps": 1, "updates": 0, "joint gain": 3, "AUROC": 3, "gain over EM": 3}


def write_pages(table: PaperTable, results: Results, folder: Path) -> list[Path]:
    """Write the Markdown page and the picture of a table, and return their paths."""
    page, picture = folder / f"{table.name}.md", folder / f"{table.name}.png"
    page.write_text(markdown(table, results))
    draw(table, results).savefig(picture, dpi=120)
    return [page, picture]


def columns(table: PaperTable) -> list[str]:
    """Return the headings of the columns of a table."""
    names = compress(NAMES, _used(table))
    if table.best_of is None:
        return [*names, *table.metrics]
    return [*names, *BEST_METRICS, "purity of every seed"]


def rows(table: PaperTable, results: Results) -> list[list[str]]:
    """Return the cells of a table: each measured figure, followed by the paper's."""
    used = _used(table)
    return [
        [*compress(_names(method), used), *_figures(table, method, results)]
        for method in table.methods
    ]


def _names(method: Method) -> tuple[str, str, str]:
    return method.name, method.init, method.weights


def _used(table: PaperTable) -> list[bool]:
    """Return which of the columns of names have any entry."""
    return [set(column) != {"–"} for column in zip(*map(_names, table.methods), strict=True)]


def _figures(table: PaperTable, method: Method, results: Results) -> list[str]:
    if table.best_of is None:
        return [
            _cell(metric, results.figure(method, metric), method.paper.get(metric))
            for metric in table.metrics
        ]
    cells = [
        _best_cell(results.best(method, metric, table.best_of), method.paper.get(metric))
        for metric in BEST_METRICS
    ]
    return [*cells, " ".join(f"{value:.3f}" for value in results.values[method.label]["ACC"])]


def differences(table: PaperTable, results: Results) -> list[str]:
    """Return, for each row further than two standard deviations from the paper, the reason."""
    found: list[str] = []
    if table.best_of is not None:
        return found
    for method in table.methods:
        far = [metric for metric in table.metrics if _is_far(method, metric, results)]
        if far:
            why = method.why or "No explanation was found."
            found.append(f"**{method.label}** ({', '.join(far)}): {why}")
    return found


def markdown(table: PaperTable, results: Results) -> str:
    """Return the page of a table."""
    heads = columns(table)
    lines = [
        f"# {table.title}",
        "",
        _about(table, results),
        "",
        *(f"| {' | '.join(cells)} |" for cells in [heads, ["---"] * len(heads)]),
        *(f"| {' | '.join(cells)} |" for cells in rows(table, results)),
        "",
        f"![{table.title}]({table.name}.png)",
        "",
    ]
    far = differences(table, results)
    if far:
        lines += ["## Further than two standard deviations from the paper", ""]
        lines += [f"- {line}" for line in far]
        lines.append("")
    packages = ", ".join(f"{name} {number}" for name, number in results.versions.items())
    lines += [
        f"Measured in {results.seconds:.0f} s on {results.machine['cores']} cores"
        f" ({results.machine['system']} {results.machine['architecture']}, Python"
        f" {results.machine['python']}, {packages}), seeds {results.seeds[0]} to"
        f" {results.seeds[-1]}. Run it again: `boltzmix reproduce {table.name} --repeats"
        f" {len(results.seeds)}`.",
        "",
    ]
    return "\n".join(lines)


def _about(table: PaperTable, results: Results) -> str:
    seeds = len(results.seeds)
    if table.best_of is not None:
        text = (
            f"The run with the highest likelihood among the first {table.best_of} of {seeds} seeds,"
            f" and after the bar the paper's best of {table.best_of}; the last column has the"
            " purity of each seed."
        )
    elif any(method.paper for method in table.methods):
        text = (
            f"Mean (standard deviation) over {seeds} seeds, and after the bar the paper's figure."
            " An asterisk marks means further from the paper's than two of its standard deviations."
        )
    else:
        text = f"Mean (standard deviation) over {seeds} seeds."
    return f"{text} {table.remark}".strip()


def _cell(metric: str, ours: Figure | None, theirs: Figure | None) -> str:
    if ours is None:
        return "–"
    digits = DIGITS.get(metric, 2)
    mark = "\\*" if theirs is not None and _differ(ours, theirs, digits) else ""
    paper = "" if theirs is None else f" \\| {theirs.mean:.{digits}f} ({theirs.std:.{digits}f})"
    return f"{ours.mean:.{digits}f} ({ours.std:.{digits}f}){mark}{paper}"


def _best_cell(ours: Figure | None, theirs: Figure | None) -> str:
    if ours is None:
        return "–"
    return f"{ours.mean:.3f} \\| {'–' if theirs is None else f'{theirs.mean:.2f}'}"


def _is_far(method: Method, metric: str, results: Results) -> bool:
    ours, theirs = results.figure(method, metric), method.paper.get(metric)
    digits = DIGITS.get(metric, 2)
    return ours is not None and theirs is not None and _differ(ours, theirs, digits)


def _differ(ours: Figure, theirs: Figure, digits: int) -> bool:
    """Return whether means differ by more than two of the paper's deviations, before rounding."""
    return abs(round(ours.mean, digits) - theirs.mean) > 2 * theirs.std + 0.5 * 10**-digits
