"""Measure, save and draw: `make bench`."""

import json
from pathlib import Path

from .measure import measure_all
from .pages import write_pages

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Run all measurements, and write JSON, page and pictures."""
    found = measure_all(lambda text: print(text, flush=True))
    (RESULTS / "speed.json").write_text(json.dumps(found, indent=1) + "\n")
    for path in write_pages(found, RESULTS):
        print(f"Written: {path.name} in {RESULTS.name}")


if __name__ == "__main__":
    main()
