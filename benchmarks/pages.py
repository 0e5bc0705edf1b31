"""Show saved measurements: a Markdown page, with pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .pictures import CHAIN_COLOURS, CHAIN_PEERS, PEER, PICTURES


def write_pages(saved: dict[str, Any], folder: Path) -> list[Path]:
    """Write the page and its pictures, of the parts there are; return where."""
    paths = [folder / "speed.md"]
    paths[0].write_text(markdown(saved))
    for name, draw in PICTURES.items():
        if name in saved:
            paths.append(folder / f"{name}.png")
            draw(saved[name]["found"]).savefig(paths[-1], dpi=120)
    return paths


def markdown(saved: dict[str, Any]) -> str:
    """Return the benchmark page."""
    where: dict[str, list[str]] = {}
    for name in SECTIONS:
        if name in saved:
            where.setdefault(environment_text(saved[name]), []).append(name)
    runs = "; ".join(f"{', '.join(names)} on {one}" for one, names in where.items())
    about = (
        "Every part was measured in one run by `make bench`, contenders in turn, the best of three"
        f" rounds: {runs}. Times on another machine will differ; ratios less so."
    )
    loads = [f"{name} {saved[name]['load']:.1f}" for name in saved if "load" in saved[name]]
    if loads:
        about += f" Load averages of the machine before a part began: {', '.join(loads)}."
    parts = ["# Speed", about]
    for name, section in SECTIONS.items():
        if name in saved:
            parts += section(saved[name]["found"])
    return "\n\n".join(parts) + "\n"


def iterations(found: list[dict[str, Any]]) -> list[str]:
    """Tell of one iteration of mixtures of Gaussians."""
    return [
        "## One iteration",
        "From the same start, float64, all cores. In brackets: how many times faster than"
        " scikit-learn's EM iteration.",
        _iterations_table(found),
        "![Iterations](iterations.png)",
        "## Against the machine",
        "The matrix products that whitening all rows for all components takes, by the library"
        " NumPy uses; and the share of an iteration they would fill. Above 100 % an iteration"
        " takes less than that, because only half of each triangular matrix is multiplied.",
        _limits_table(found),
    ]


def solutions(found: list[dict[str, Any]]) -> list[str]:
    """Tell of whole fits."""
    return [
        "## Whole fits",
        "`GaussianMixture(k, random_state=0).fit(X)` to a change of 1e-3 in the mean"
        " log-likelihood: seconds, how many times faster than scikit-learn, and how much higher"
        " the mean log-likelihood of 20,000 rows is. Ours and scikit-learn's start from the same"
        " K-means run, pomegranate from its own.",
        _solutions_table(found),
    ]


def growth(found: dict[str, Any]) -> list[str]:
    """Tell how times grow."""
    return [
        "## Growth",
        "Seconds of an iteration along N, D and K; the slope is that of a line through the larger"
        " half of the points.",
        "![Growth](growth.png)",
    ]


def startup(found: dict[str, Any]) -> list[str]:
    """Tell of imports and first fits."""
    return [
        "## Start-up",
        "Importing, the first fit of 1,000 x 2 rows (two components), and later fits of"
        " `GaussianMixture()`, in seconds. The first fit ever compiles the kernels and keeps them"
        " on disk.",
        _startup_table(found),
    ]


def memory(found: list[dict[str, Any]]) -> list[str]:
    """Tell of memory."""
    return [
        "## Memory",
        "Peak of private memory above that before the fit; rows are mapped from a file, full"
        " covariance, ten iterations.",
        _memory_table(found),
    ]


def sequences(found: dict[str, Any]) -> list[str]:
    """Tell of hidden Markov models."""
    mixture = found["mixture"]
    em, beem = (f"{mixture['seconds'][name] * 1e3:.0f} ms" for name in ("EM", "BEEM"))
    return [
        "## Sequences",
        "One iteration of Baum–Welch with diagonal Gaussians, from the same start, float64."
        " Sequences were drawn from a hidden Markov model, with lengths from half to one and a"
        " half times the mean. All reached the same log-likelihood after the same number of"
        " iterations. Ours is an EM iteration of a mixture of one component,"
        " and a step of `HMM.fit`, both on all cores. In brackets: how many times faster than"
        ' hmmlearn by default, and with `implementation="scaling"`.',
        _chains_table(found["chains"]),
        "![Sequences](sequences.png)",
        f"An iteration of a mixture of {mixture['k']} such models ({_chain_size(mixture)}) takes"
        f" {em} by EM and {beem} by BEEM.",
    ]


def curves(found: list[dict[str, Any]]) -> list[str]:
    """Tell of Gaussian processes."""
    return [
        "## Curves",
        "A mixture of three Gaussian processes on points of three waves. An update of BEEM, with"
        " hyper-parameters left as they are (so that `auto` explores) or learned by ten steps of"
        " L-BFGS; an update of OMGP, which learns them every tenth time; and a whole fit by"
        ' `"auto"`: seconds, extra memory, and purity.',
        _curves_table(found),
        "An update factorises one matrix per component, of its own points: time grows with the cube"
        " of N / K, memory with the square, and a sweep over all points takes K factorisations,"
        " never one per point. Hyper-parameters are learned from 500 points of a component at most"
        " (`learns_from`), and swaps compare exchanges by 500 points of two components at most, so"
        " their cost grows with K (K - 1) only. More than some thousands of points are not for this"
        " family as it is: fit a random part and `predict` the rest, choose"
        " `LinearRegression` on features of the input (its cost is linear in N), or write a family"
        " with inducing points.",
    ]


def families(found: list[dict[str, Any]]) -> list[str]:
    """Tell of families of rows."""
    return [
        "## Families",
        "A million rows: `fit` and `log_prob` of one component, the same log density by"
        " scipy.stats (in brackets: how many times slower than ours), and an EM iteration of a"
        f" mixture of {found[0]['k']}. The best of two rounds.",
        _families_table(found),
    ]


SECTIONS: dict[str, Callable[[Any], list[str]]] = {
    "iterations": iterations,
    "solutions": solutions,
    "sequences": sequences,
    "curves": curves,
    "families": families,
    "growth": growth,
    "startup": startup,
    "memory": memory,
}


def environment_text(part: dict[str, Any]) -> str:
    """Say where a part was measured."""
    machine = part["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in part["versions"].items())
    return (
        f"{machine['cores']} cores ({machine['system']} {machine['architecture']},"
        f" Python {machine['python']}, {packages})"
    )


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _size(row: dict[str, Any]) -> str:
    return f"{row['n']:,} x {row['d']}, K = {row['k']}"


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
        shares = [
            f"{products / row['seconds'][name]:.0%}" for name in ("boltzmix BEEM", "boltzmix EM")
        ]
        cells.append([_size(row), f"{read * 1e3:.1f} ms", f"{products * 1e3:.0f} ms", *shares])
    return table(
        ["Size", "reading the rows once", "matrix products", "share of BEEM", "share of EM"], cells
    )


def _chain_size(row: dict[str, Any]) -> str:
    return f"{row['n']:,} x {row['length']} x {row['d']}, S = {row['s']}"


def _chains_table(rows: list[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        seconds = row["seconds"]
        peers = [f"{seconds[peer] * 1e3:.1f} ms" for peer in CHAIN_PEERS]
        ours = [
            f"{seconds[name] * 1e3:.2f} ms"
            f" ({', '.join(f'{seconds[peer] / seconds[name]:.1f}' for peer in CHAIN_PEERS)})"
            for name in CHAIN_COLOURS
        ]
        cells.append([_chain_size(row), *peers, *ours])
    return table(["Size", *CHAIN_PEERS, *CHAIN_COLOURS], cells)


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
        updates = [f"{row[name] * 1e3:.0f} ms" for name in ("frozen", "learning", "OMGP")]
        whole = f"{auto['seconds']:.0f} s, {auto['bytes'] / 1e6:.0f} MB, {auto['purity']:.2f}"
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
    return table(["", "Size", "extra memory", "time"], cells)
