"""Write the page and the pictures of the speed benchmark from its saved results."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .pictures import CHAIN_COLOURS, CHAIN_PEERS, PEER, PICTURES
from .tables import environment_text, table

MIXTURES = ("EM", "EM, one thread", "BEEM")  # of hidden Markov models


def write_pages(saved: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page and the pictures of the saved parts; return their paths."""
    paths = [folder / "speed.md"]
    paths[0].write_text(markdown(saved))
    for name, draw in PICTURES.items():
        if name in saved:
            paths.append(folder / f"{name}.png")
            draw(saved[name]["found"]).savefig(paths[-1], dpi=120)
    return paths


def markdown(saved: dict[str, Any]) -> str:
    """Return the page as Markdown."""
    where: dict[str, list[str]] = {}
    for name in SECTIONS:
        if name in saved:
            where.setdefault(environment_text(saved[name]), []).append(name)
    runs = "; ".join(f"{', '.join(names)} on {one}" for one, names in where.items())
    about = (
        "Each part was measured in one run of `make bench`. The contenders were timed one after the"
        ' other. In "One iteration" and "Sequences", times are the best of three rounds.'
        f" Machines: {runs}. Times on another machine will differ; their ratios will differ less."
    )
    loads = [f"{name} {saved[name]['load']:.1f}" for name in saved if "load" in saved[name]]
    if loads:
        about += f" Load averages of the machine at the start of a part: {', '.join(loads)}."
    parts = ["# Speed", about]
    for name, section in SECTIONS.items():
        if name in saved:
            parts += section(saved[name]["found"])
    return "\n\n".join(parts) + "\n"


def iterations(found: list[dict[str, Any]]) -> list[str]:
    """Return the sections on one iteration of mixtures of Gaussians."""
    return [
        "## One iteration",
        "All start from the same parameters and use float64 and all cores. The number in brackets"
        " says how many times faster an iteration is than scikit-learn's EM iteration.",
        _iterations_table(found),
        "![Iterations](iterations.png)",
        "## Compared with matrix products",
        "An E-step has to whiten all rows for all components. The table has the time of these"
        " matrix products by NumPy, and the fraction of an iteration that they would take. A"
        " fraction above 100 % means that a whole iteration takes less time, because boltzmix"
        " multiplies only the non-zero half of each triangular matrix.",
        _limits_table(found),
    ]


def robust(found: list[dict[str, Any]]) -> list[str]:
    """Return the section on an iteration of the default family."""
    return [
        "## The default family",
        "An EM iteration of `Mixture(RobustGaussian(), k)`, the default family, and of"
        " `Mixture(Gaussian(), k)`, on one thread, as the best of five rounds. Labels start from"
        " the nearest of K random rows, or from the clusters that were drawn: there, most"
        " responsibilities of a Gaussian are zero and are skipped, those of heavy tails are not.",
        table(
            ["Size", "Start", "Gaussian", "RobustGaussian", "ratio"],
            [_robust_cells(row) for row in found],
        ),
    ]


def solutions(found: list[dict[str, Any]]) -> list[str]:
    """Return the section on whole fits."""
    return [
        "## Whole fits",
        "`GaussianMixture(k, random_state=0).fit(X)` until the mean log-likelihood changes by less"
        " than 1e-3. The table has the seconds, how many times faster than scikit-learn that is,"
        " and by how much the mean log-likelihood of 20,000 rows is higher than scikit-learn's."
        " boltzmix and scikit-learn start from the same run of K-means, pomegranate from its own.",
        _solutions_table(found),
    ]


def growth(found: dict[str, Any]) -> list[str]:
    """Return the section on the growth of times."""
    return [
        "## Growth",
        "Seconds of an iteration for growing N, D and K. The slope is that of a line, on"
        " logarithmic axes, through the larger half of the points.",
        "![Growth](growth.png)",
    ]


def startup(found: dict[str, Any]) -> list[str]:
    """Return the section on imports and first fits."""
    return [
        "## Start-up",
        "Seconds of the import, of the first fit of 1,000 x 2 rows (two components), and of later"
        " fits of `GaussianMixture()`. The first fit ever compiles the kernels and caches them on"
        " disk.",
        _startup_table(found),
    ]


def memory(found: list[dict[str, Any]]) -> list[str]:
    """Return the section on memory."""
    return [
        "## Memory",
        "Peak of the memory that a fit of ten iterations with full covariances allocates. The rows"
        " are memory-mapped from a file and not counted.",
        _memory_table(found),
    ]


def sequences(found: dict[str, Any]) -> list[str]:
    """Return the section on hidden Markov models."""
    return [
        "## Sequences",
        "One iteration of Baum–Welch with diagonal Gaussians, from the same parameters, in float64."
        " Sequences were drawn from a hidden Markov model; their lengths are from half to one and a"
        " half times the mean. All contenders reached the same log-likelihood after the same number"
        " of iterations. `boltzmix` is an EM iteration of a mixture of one component, and"
        " `boltzmix, HMM.fit` an iteration of `HMM.fit`; both use all cores. The numbers in"
        " brackets say how many times faster they are than hmmlearn with default settings, and with"
        ' `implementation="scaling"`.',
        _chains_table(found["chains"]),
        "![Sequences](sequences.png)",
        f"One iteration of a mixture of {found['mixtures'][0]['k']} such models with default"
        " settings, on sequences drawn from as many. The peers have no such mixture: the time in"
        " the table is that of one iteration of Baum–Welch over all sequences for each component."
        " `EM` and `BEEM` use all cores.",
        _chains_table(found["mixtures"], MIXTURES),
    ]


def curves(found: list[dict[str, Any]]) -> list[str]:
    """Return the section on Gaussian processes."""
    return [
        "## Curves",
        "A mixture of three Gaussian processes on points of three curves that cross. The table has"
        " the time of a BEEM update with frozen hyper-parameters (as in the search of `auto`), of a"
        " BEEM update that learns them by ten steps of L-BFGS, and of an OMGP update, which learns"
        ' them every tenth time. The last column is a whole fit by `"auto"`: seconds, allocated'
        " memory, and purity.",
        _curves_table(found),
        "An update sums the points with the waves of which the kernel consists, so its time and"
        " memory grow with N. Hyper-parameters are learned from these sums, in a time that does not"
        ' depend on N. `"auto"` searches at most 2,000 of the points; EM goes on with all of them.'
        " OMGP has matrices of all points, and takes a time that grows with the cube of N.",
    ]


def families(found: list[dict[str, Any]]) -> list[str]:
    """Return the section on families of rows."""
    return [
        "## Families",
        "Times on a million rows: `fit` and `log_prob` of one component, the same log density by"
        " scipy.stats (in brackets: how many times slower it is than `log_prob`), and an EM"
        f" iteration of a mixture of {found[0]['k']}. The best of two rounds is shown.",
        _families_table(found),
    ]


SECTIONS: dict[str, Callable[[Any], list[str]]] = {
    "iterations": iterations,
    "robust": robust,
    "solutions": solutions,
    "sequences": sequences,
    "curves": curves,
    "families": families,
    "growth": growth,
    "startup": startup,
    "memory": memory,
}


def _size(row: dict[str, Any]) -> str:
    return f"{row['n']:,} x {row['d']}, K = {row['k']}"


def _robust_cells(row: dict[str, Any]) -> list[str]:
    one, other = row["Gaussian"], row["RobustGaussian"]
    times = [f"{seconds * 1e3:.0f} ms" for seconds in (one, other)]
    return [_size(row), row["start"], *times, f"{other / one:.2f}"]


def _iterations_table(rows: list[dict[str, Any]]) -> str:
    names = list(rows[0]["seconds"])
    cells = []
    for row in rows:
        peer = row["seconds"][PEER]
        times = [
            f"{row['seconds'][name] * 1e3:.0f} ms ({peer / row['seconds'][name]:.1f})"
            for name in names
        ]
        cells.append([_size(row), row["covariance"], *times])
    return table(["Size", "Covariance", *names], cells)


def _limits_table(rows: list[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        if row["covariance"] != "full":
            continue
        read, products = row["limits"]["read"], row["limits"]["products"]
        fractions = [
            f"{products / row['seconds'][name]:.0%}" for name in ("boltzmix BEEM", "boltzmix EM")
        ]
        cells.append([_size(row), f"{read * 1e3:.1f} ms", f"{products * 1e3:.0f} ms", *fractions])
    return table(
        ["Size", "reading the rows once", "matrix products", "fraction of BEEM", "fraction of EM"],
        cells,
    )


def _chain_size(row: dict[str, Any]) -> str:
    return f"{row['n']:,} x {row['length']} x {row['d']}, S = {row['s']}"


def _chains_table(rows: list[dict[str, Any]], names: Sequence[str] = tuple(CHAIN_COLOURS)) -> str:
    cells = []
    for row in rows:
        seconds = row["seconds"]
        peers = [f"{seconds[peer] * 1e3:.1f} ms" for peer in CHAIN_PEERS]
        ours = [
            f"{seconds[name] * 1e3:.2f} ms"
            f" ({', '.join(f'{seconds[peer] / seconds[name]:.1f}' for peer in CHAIN_PEERS)})"
            for name in names
        ]
        cells.append([_chain_size(row), *peers, *ours])
    return table(["Size", *CHAIN_PEERS, *names], cells)


def _solutions_table(rows: list[dict[str, Any]]) -> str:
    names = [name for name in rows[0] if name not in ("n", "d", "k", "covariance")]
    cells = []
    for row in rows:
        peer = row["scikit-learn"]
        fits = [
            f"{row[name]['seconds']:.2f} s ({peer['seconds'] / row[name]['seconds']:.1f}),"
            f" {row[name]['score'] - peer['score']:+.4f}"
            for name in names
        ]
        cells.append([_size(row), row["covariance"], *fits])
    return table(["Size", "Covariance", *names], cells)


def _curves_table(rows: list[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        auto = row["auto"]
        updates = [
            "–" if row[name] is None else f"{row[name] * 1e3:.1f} ms"
            for name in ("frozen", "learning", "OMGP")
        ]
        whole = f"{auto['seconds']:.1f} s, {auto['bytes'] / 1e6:.0f} MB, {auto['purity']:.2f}"
        cells.append([f"{row['n']:,} points, K = {row['k']}", *updates, whole])
    return table(["Size", "BEEM, frozen", "BEEM, learning", "OMGP", '"auto"'], cells)


def _families_table(rows: list[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        peer = "–"
        if "scipy" in row:
            peer = f"{row['scipy'] * 1e3:.0f} ms ({row['scipy'] / row['log_prob']:.1f})"
        own = [f"{row[name] * 1e3:.0f} ms" for name in ("fit", "log_prob")]
        cells.append(
            [row["name"], str(row["d"]), *own, peer, f"{row['EM iteration'] * 1e3:.0f} ms"]
        )
    return table(["Family", "columns", "fit", "log_prob", "scipy.stats", "EM iteration"], cells)


def _startup_table(rows: dict[str, dict[str, float]]) -> str:
    cells = [[name, *(f"{value:.3f}" for value in row.values())] for name, row in rows.items()]
    return table(["", "import", "first fit", "later fits"], cells)


def _memory_table(rows: list[dict[str, Any]]) -> str:
    cells = [
        [row["name"], _size(row), f"{row['bytes'] / 1e6:.0f} MB", f"{row['seconds']:.0f} s"]
        for row in rows
    ]
    return table(["", "Size", "allocated memory", "time"], cells)
