"""The page "The life of a fit" in CONTRIBUTING.md shows what a fit really calls."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import boltzmix
from boltzmix import Mixture
from boltzmix.datasets import make_mixture, make_random_hmms
from boltzmix.families import HMM

SOURCE = Path(boltzmix.__file__).parent
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
LINE = re.compile(r"( *)(\S+\.py) +(\S+)")


def chains_of_the_page():
    """Return each line of the page with those that it is indented below, as (file, name)."""
    text = PAGE.read_text(encoding="utf-8").split("## The life of a fit")[1].split("\n## ")[0]
    chains, above = [], []
    for line in "".join(text.split("```")[1::2]).splitlines():
        if found := LINE.match(line):
            depth, path, name = len(found[1]) // 2, found[2], found[3]
            above = [*above[:depth], (path, name)]
            chains.append(tuple(above))
    return chains


def stacks_of(model, X, listed):
    """Return the stacks of a fit, of which listed functions are left."""
    stacks, names = set(), {}

    def named(code):
        if code not in names:
            path = Path(code.co_filename)
            inside = path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else ""
            pair = (inside, code.co_qualname)
            names[code] = pair if pair in listed else None
        return names[code]

    def note(frame, event, _):
        if event == "call" and named(frame.f_code) is not None:
            stack = []
            while frame is not None:
                stack.append(named(frame.f_code))
                frame = frame.f_back
            stacks.add(tuple(one for one in reversed(stack) if one is not None))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        model.fit(X)
    finally:
        sys.setprofile(before)
    return stacks


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames have no qualified names")
def test_every_line_of_the_page_is_on_the_stack_below_those_it_is_indented_below():
    chains = chains_of_the_page()
    listed = {one for chain in chains for one in chain}
    assert len(chains) > 30
    points, _ = make_mixture(150, 3, 2, random_state=0)
    sequences, _ = make_random_hmms(random_state=0)
    stacks = stacks_of(Mixture(n_components=3, random_state=0, n_jobs=1), points, listed)
    model = Mixture(HMM(2), 2, random_state=0, n_jobs=1)
    stacks |= stacks_of(model, sequences, listed)
    kernels = {one for one in listed if one[0].startswith("kernels/")}
    for chain in chains:
        if chain[-1] in kernels:  # a compiled function may have no frame
            assert (SOURCE / chain[-1][0]).read_text(encoding="utf-8").count(f"def {chain[-1][1]}(")
            chain = chain[:-1]
        assert any(is_within(chain, stack) for stack in stacks), chain


def is_within(chain, stack):
    """Whether a chain of calls is part of a stack, in its order."""
    rest = iter(stack)
    return all(one in rest for one in chain)


def test_folders_are_crossed_one_way():
    order = ["", "learning/search", "learning/parts", "learning/engine", "families", "kernels"]
    for chain in chains_of_the_page():
        places = [order.index(folder_of(path)) for path, _ in chain]
        callback = "learning/parts/assignment.py"  # a part that the recipe gave to the engine
        if callback not in [path for path, _ in chain]:
            assert (np.diff(places) >= 0).all(), chain


def folder_of(path):
    folder = path.rpartition("/")[0]
    for place in ("learning/search", "learning/parts", "learning/engine", "families", "kernels"):
        if folder.startswith(place):
            return place
    return "learning/search" if folder == "learning" else ""
