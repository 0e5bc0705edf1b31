"""Run benchmarks, save the results as JSON, and write pages and pictures from them.

`make bench` runs all timings, and `python -m benchmarks sequences` only that part. `optimum`,
`labelled`, `choice` and `sequences-labelled` take hours, `settings` and `scale` an hour, so they
run only when they are named, and so do `remaining`, `single-hmm`, `three_step`, `times` and
`trajectories`, which take minutes. `history` appends a line of short measurements to a file, and
`compare-history` prints the lines side by side. All but `remaining`, `settings` and `times` skip
the fits that are saved.
"""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from .choice import choice
from .history import compare_history, history
from .inference import inference
from .labelled import labelled
from .measure import PARTS, measure
from .optimum import optimum
from .pages import write_pages
from .remaining import remaining
from .scale import scale
from .sequences_labelled import sequences_labelled
from .settings import settings
from .single_hmm import single_hmm
from .three_step import three_step
from .times import times
from .trajectories import trajectories

RESULTS = Path(__file__).parent / "results"
LONG_PARTS = {
    "optimum": optimum,
    "settings": settings,
    "labelled": labelled,
    "sequences-labelled": sequences_labelled,
    "single-hmm": single_hmm,
    "choice": choice,
    "scale": scale,
    "remaining": remaining,
    "three_step": three_step,
    "inference": inference,
    "trajectories": trajectories,
    "times": times,
    "history": history,
    "compare-history": compare_history,
}
SEEDS = {  # unless --seeds is given
    "optimum": 20,
    "settings": 20,
    "labelled": 10,
    "sequences-labelled": 10,
    "single-hmm": 10,
    "choice": 20,
    "scale": 1,
    "remaining": 10,
    "three_step": 200,
    "inference": 200,
    "trajectories": 20,
    "times": 1,
    "history": 1,
    "compare-history": 1,
}


def main() -> None:
    """Run the parts named on the command line, or all timings if none is named."""
    options = read_options()
    known = [*PARTS, *LONG_PARTS]
    if not set(options.parts) <= set(known):
        raise SystemExit(f"The parts are {', '.join(known)}, not {' '.join(options.parts)}.")
    names = options.parts or list(PARTS)
    written = []
    if set(names) - set(LONG_PARTS):
        written += measure_speed([name for name in names if name not in LONG_PARTS])
    for name in [name for name in LONG_PARTS if name in names]:
        seeds = SEEDS[name] if options.seeds is None else options.seeds
        chosen = Namespace(**vars(options) | {"seeds": seeds})
        written += LONG_PARTS[name](chosen, RESULTS, report)
    for path in written:
        print(f"Written: {path.name} in {RESULTS.name}")


def read_options() -> Namespace:
    """Read the command line."""
    parser = ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join([*PARTS, *LONG_PARTS]))
    group = parser.add_argument_group("the parts that run only when they are named")
    group.add_argument("--sets", help="comma-separated names; default: all")
    group.add_argument("--sizes", help="of scale: comma-separated, such as 1e5,1e6; default: all")
    group.add_argument("--methods", help="comma-separated names; default: all")
    group.add_argument("--seeds", type=int, help="number of seeds; default: by part, such as 20")
    group.add_argument("--threads", type=int, default=2, help="number of threads; default: 2")
    group.add_argument(
        "--limit", type=float, default=120.0, help="of choice: most seconds of a fit; default: 120"
    )
    group.add_argument("--again", action="store_true", help="repeat fits that are saved")
    return parser.parse_args()


def measure_speed(names: list[str]) -> list[Path]:
    """Measure some parts, then write the page of all saved parts; return the paths."""
    path = RESULTS / "speed.json"
    saved = json.loads(path.read_text()) if path.exists() else {}
    for name in names:
        saved[name] = measure(name, report)
        path.write_text(json.dumps(saved, indent=1) + "\n")
    return write_pages(saved, RESULTS)


def report(text: str) -> None:
    """Print a line without buffering."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
