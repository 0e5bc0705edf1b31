"""The README's Python runs."""

import re
from pathlib import Path

from pictures import run_blocks

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_run_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert README.read_text().count("```python") >= 3
    run_blocks(README, tmp_path)


def test_every_linked_file_exists():
    for link in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", README.read_text()):
        assert (README.parent / link).exists(), link


def test_every_linked_heading_exists():
    for page, anchor in re.findall(r"\]\(([\w/.-]+\.md)#([\w-]+)\)", README.read_text()):
        headings = re.findall(r"^#+ (.+)$", (README.parent / page).read_text(), flags=re.MULTILINE)
        assert anchor in {heading.lower().replace(" ", "-") for heading in headings}, anchor
