"""Measure, save and draw: `make bench`, or only some parts: `python -m benchmarks sequences`.

`python -m benchmarks optimum` takes hours, so it only runs when it is named; it continues what is
saved. `python -m benchmarks settings` takes an hour, and also only runs when it is named.
"""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from .measure import PARTS, measure
from .optimum import optimum
from .pages import write_pages
from .settings import settings

RESULTS = Path(__file__).parent / "results"
LONG = {"optimum": optimum, "settings": settings}


def main() -> None:
    """Run the parts named in the command, or all timings, and write JSON, pages and pictures."""
    options = read_options()
    known = [*PARTS, *LONG]
    if not set(options.parts) <= set(known):
        raise SystemExit(f"The parts are {', '.join(known)}, not {' '.join(options.parts)}.")
    names = options.parts or list(PARTS)
    written = []
    if set(names) - set(LONG):
        written += speed([name for name in names if name not in LONG])
    for name in [name for name in LONG if name in names]:
        written += LONG[name](options, RESULTS, tell)
    for path in written:
        print(f"Written: {path.name} in {RESULTS.name}")


def read_options() -> Namespace:
    """Read the command line."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join([*PARTS, *LONG]))
    group = parser.add_argument_group("optimum and settings")
    group.add_argument("--sets", help="names with commas between; all unless given")
    group.add_argument("--methods", help="names with commas between; all unless given")
    group.add_argument("--seeds", type=int, default=20, help="number of seeds (20)")
    group.add_argument("--threads", type=int, default=2, help="number of threads (2)")
    group.add_argument("--again", action="store_true", help="run again what is saved")
    return parser.parse_args()


def speed(names: list[str]) -> list[Path]:
    """Measure some timings, and show all that are saved; return where."""
    path = RESULTS / "speed.json"
    saved = json.loads(path.read_text()) if path.exists() else {}
    for name in names:
        saved[name] = measure(name, tell)
        path.write_text(json.dumps(saved, indent=1) + "\n")
    return write_pages(saved, RESULTS)


def tell(text: str) -> None:
    """Print at once."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
