"""The table of parts in the guide to own algorithms agrees with the contract of the loop."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

from boltzmix.learning import parts
from boltzmix.learning.engine import contract

GUIDE = Path(__file__).parents[3] / "docs" / "own-algorithm.md"


def rows():
    """Return the cells of the table of parts, by the name of the part."""
    text = GUIDE.read_text(encoding="utf-8").split("`Parts` has these fields:")[1]
    lines = [line for line in text.split("\n\n")[1].splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name.strip("`"): others for name, *others in cells}


def test_the_guide_has_every_part_in_order():
    assert [*rows()] == [field.name for field in fields(contract.Parts)]


def test_the_guide_names_as_many_arguments_as_a_part_has():
    kinds = {
        "temperature": contract.Temperature,
        "weights": contract.Weighting,
        "stopping": contract.Stopping,
        "small": contract.Policy,
        "extrapolation": contract.Extrapolation,
    }
    for name, kind in kinds.items():
        arguments, _ = get_args(kind)
        named = re.split("[,;]", rows()[name][0])
        assert len(named) == len(arguments), name


def test_parts_that_the_guide_names_exist():
    for _, _, ready in rows().values():
        for name in re.findall(r"`(\w+)[`(]", ready):
            assert name == "POLICIES" or callable(getattr(parts, name)), name
        for name in re.findall(r'\["(\w+)"\]', ready):
            assert name in parts.POLICIES
