"""Run fuzzed fits, or cases of another generator, and print every failure."""

import argparse
import collections
import re
import sys
import time
import traceback
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path

from .cases import make_case
from .generators import FITS, GENERATORS, generator
from .hashing import differences, write_hashes
from .running import MOST_SECONDS, Outcome, run
from .templates import TEMPLATES

CHUNK = 25  # cases that a process runs at a time


def run_number(number: int, names: list[str] | None = None) -> Outcome:
    """Run the case of a number; once more if it is slow, as a first fit compiles kernels."""
    outcome = run(make_case(number, names))
    is_slow = any("took" in one for one in outcome.failures) or outcome.seconds > MOST_SECONDS
    return run(make_case(number, names)) if is_slow else outcome


def run_chunk(numbers: list[int], names: list[str] | None) -> list[tuple[int, str, Outcome]]:
    """Run several cases; return the number, the description and the outcome of each."""
    found = []
    for number in numbers:
        outcome = run_number(number, names)
        described = make_case(number, names).describe() if outcome.failures else ""
        found.append((number, described, outcome))
    return found


def main() -> int:
    """Run cases until there are enough of them or the time is over; return 1 if one failed."""
    given = _arguments()
    if given.compare is not None:
        return _compare(*given.compare)
    if given.hashes is not None:
        write_hashes(given.hashes, given.count, given.seed, given.processes)
        return 0
    if given.what != FITS:
        return int(generator(given.what).run(given.count, given.seed, given.minutes) > 0)
    if given.case is not None:
        return _run_one(given.case, given.families)
    began, ran, fitted, failed = time.monotonic(), 0, 0, 0
    messages: collections.Counter[str] = collections.Counter()
    slowest = (0.0, 0)
    for results in _chunks(given):
        for number, described, outcome in results:
            ran += 1
            fitted += outcome.fitted
            slowest = max(slowest, (outcome.seconds, number))
            messages[re.sub(r"\d+", "#", outcome.message)] += 1
            if ran % 500 == 0:
                print(f"{ran} cases, {fitted} fits succeeded, {failed} failed", file=sys.stderr)
            if outcome.failures:
                failed += 1
                _print_failure(number, described, outcome, given.families)
    minutes = (time.monotonic() - began) / 60
    if given.messages:
        for message, count in messages.most_common():
            print(f"{count:6d}  {message}")
    print(
        f"{ran} cases from {given.seed} in {minutes:.1f} minutes: {failed} failed;"
        f" {fitted} fits succeeded; the slowest fit took {slowest[0]:.1f} s"
        f" (case {slowest[1]})."
    )
    return int(failed > 0)


def _chunks(given: argparse.Namespace) -> collections.abc.Iterator[list[tuple[int, str, Outcome]]]:
    """Yield the results of chunks of cases, until the count or the time is reached."""
    numbers = iter(range(given.seed, given.seed + given.count))
    until = time.monotonic() + 60 * given.minutes
    chunks = iter(lambda: list(islice(numbers, CHUNK)), [])
    if given.processes == 1:
        for chunk in chunks:
            if time.monotonic() > until:
                return
            yield run_chunk(chunk, given.families)
        return
    with ProcessPoolExecutor(given.processes) as pool:
        running = {pool.submit(run_chunk, one, given.families) for one in islice(chunks, 4)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            if time.monotonic() < until:
                running |= {
                    pool.submit(run_chunk, one, given.families) for one in islice(chunks, len(done))
                }
            for one in done:
                yield one.result()


def _print_failure(number: int, described: str, outcome: Outcome, names: list[str] | None) -> None:
    families = "".join(f" --family {name!r}" for name in names or ())
    print(f"Case {number} (python -m fuzz --case {number}{families})\n    {described}")
    for failure in outcome.failures:
        print(f"  - {failure}")
    sys.stdout.flush()


def _run_one(number: int, names: list[str] | None) -> int:
    """Run one case; print what it is, and the traceback of its error."""
    case = make_case(number, names)
    print(case.describe())
    print(f"    X = {case.data.X!r}\n    y = {case.data.y!r}"[:3000])
    outcome = run(case)
    try:
        case = make_case(number, names)
        case.model().fit(case.data.read(), case.data.y, **case.arguments)
    except Exception:
        traceback.print_exc()
    print(f"{outcome.seconds:.1f} s. {outcome.message or 'No error.'}")
    for failure in outcome.failures:
        print(f"  - {failure}")
    return int(bool(outcome.failures))


def _compare(one: Path, other: Path) -> int:
    """Print which fits have other hashes in two files."""
    n_compared, found = differences(one, other)
    for name in found:
        print(name)
    print(f"{n_compared} fits compared: {len(found)} differ.")
    return int(bool(found))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument(
        "--what", choices=[FITS, *GENERATORS], default=FITS,
        help="what to fuzz; other options than count, seed and minutes are for fits",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=1000, help="how many cases to run")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many minutes")
    parser.add_argument("--case", type=int, help="run the case of this number only, and show it")
    parser.add_argument(
        "--family", dest="families", action="append", choices=list(TEMPLATES),
        help="only cases of this template; may be given several times",
    )  # fmt: skip
    parser.add_argument("--processes", type=int, default=1, help="how many processes to use")
    parser.add_argument("--hashes", type=Path, help="only write hashes of results to this file")
    parser.add_argument(
        "--compare", type=Path, nargs=2, metavar="FILE", help="compare two such files"
    )
    parser.add_argument("--messages", action="store_true", help="print the errors of boltzmix")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
