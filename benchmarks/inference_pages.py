"""The page of the coverage and speed of bootstraps."""

from pathlib import Path
from typing import Any

from .tables import environment_text, table

REPLICATES = 200


def write_page(saved: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page of all that is saved."""
    parts = ["# Bootstraps: coverage and speed", coverage_text(saved["coverage"])]
    if "speed" in saved:
        parts.append(speed_text(saved["speed"]))
    path = folder / "inference.md"
    path.write_text("\n\n".join(parts) + "\n")
    return [path]


def coverage_text(found: dict[str, Any]) -> str:
    """Return the table of coverage."""
    rows = []
    for name, one in found.items():
        values = one["by parameter"].values()
        rows.append(
            [
                name,
                str(one["sets"]),
                f"{one['mean']:.3f}",
                f"{min(values):.3f}–{max(values):.3f}",
                f"{one['left out']:.2%}",
            ]
        )
    header = ["Family", "Sets", "Coverage", "Least and most of a parameter", "Left out"]
    environment = environment_text(next(iter(found.values())))
    return (
        "## Coverage\n\nHow often percentile intervals of 90 %, from 200 replicates of a weighted"
        " bootstrap, hold the true value, over simulated sets and all parameters. The coverage of"
        " one parameter has a standard error of 0.02 over 200 sets. The sets are in"
        " `benchmarks/inference_sets.py`. Replicates that moved far from the fitted mixture are"
        " left out; the last column says how many.\n\n"
        f"{table(header, rows)}\n\nMeasured on {environment}."
    )


def speed_text(found: dict[str, Any]) -> str:
    """Return the table of times."""
    seconds = found["seconds"]
    rows = []
    for name in [key.removeprefix("fit, ") for key in seconds if key.startswith("fit, ")]:
        fit, boot = seconds[f"fit, {name}"], seconds[f"bootstrap, {name}"]
        peer = seconds[f"StepMix, {'diag' if 'diag' in name else 'full'}"]
        peer *= REPLICATES / found["peer replicates"]
        cells = [f"{fit:.2f}", f"{boot:.2f}", f"{boot / fit:.1f}", f"{peer:.0f}"]
        rows.append([name, *cells, f"{peer / boot:.0f}"])
    header = [
        "Family",
        "A fit, s",
        "200 replicates, s",
        "Replicates in fits",
        "StepMix, 200 replicates, s",
        "StepMix / boltzmix",
    ]
    return (
        "## Speed\n\n10,000 rows of 8 columns, 5 components, one thread, CPU time, the least of"
        " three rounds in which all take turns. StepMix makes"
        f" {found['peer replicates']} replicates, whose time is multiplied, with covariances of the"
        " same shape and its own defaults.\n\n"
        f"{table(header, rows)}\n\nMeasured on {environment_text(found)}."
    )
