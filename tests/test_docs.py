"""The Python of the guides runs, what they link to exists, and every family is in the table."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from boltzmix import families

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_blocks_run_in_order(guide, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", guide.read_text(), flags=re.DOTALL)
    assert blocks
    module = ModuleType("guide")  # so that what it defines can be pickled
    monkeypatch.setitem(sys.modules, "guide", module)
    for block in blocks:
        exec(block, module.__dict__)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_every_linked_file_exists(guide):
    for link in re.findall(r"\]\((?!http)([^)#]+)", guide.read_text()):
        assert (guide.parent / link).exists(), link


ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "families.md").read_text().splitlines()
    if line.startswith("| `")
]


def test_every_family_has_a_line():
    contracts = {"AdditiveFamily", "Bank", "FAMILIES", "Family"}
    assert {row[0].strip("`") for row in ROWS} == set(families.__all__) - contracts


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("`"))
def test_the_table_says_what_is_declared(row):
    family = getattr(families, row[0].strip("`"))
    if isinstance(family.missing, bool):
        assert row[4] == ("yes" if family.missing else "no")
    if isinstance(family.additive, bool) and isinstance(family.weighted, bool):
        assert row[3] == ("additive" if family.additive else "weighted")
