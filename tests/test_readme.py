"""The README's Python runs."""

import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_examples_run_in_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        exec(block, names)


def test_every_linked_file_exists():
    for link in re.findall(r"\]\((?!http)([^)#]+)[^)]*\)", README):
        assert (Path(__file__).parents[1] / link).exists(), link
