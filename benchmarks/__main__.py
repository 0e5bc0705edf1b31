"""Measure, save and draw: `make bench`, or only some parts: `python -m benchmarks sequences`."""

import json
import sys
from pathlib import Path

from .measure import PARTS, measure
from .pages import write_pages

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Run the parts named in the command, or all, and write JSON, page and pictures."""
    names = sys.argv[1:] or list(PARTS)
    if not set(names) <= set(PARTS):
        raise SystemExit(f"The parts are {', '.join(PARTS)}, not {' '.join(names)}.")
    path = RESULTS / "speed.json"
    saved = json.loads(path.read_text()) if path.exists() else {}
    for name in names:
        saved[name] = measure(name, lambda text: print(text, flush=True))
        path.write_text(json.dumps(saved, indent=1) + "\n")
    for written in write_pages(saved, RESULTS):
        print(f"Written: {written.name} in {RESULTS.name}")


if __name__ == "__main__":
    main()
