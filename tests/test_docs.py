"""The Python of all pages runs, linked files exist, and every public name is documented."""

import importlib
import re
import shlex
from inspect import isabstract
from pathlib import Path

import pytest
from pictures import run_blocks

from boltzmix import families
from boltzmix.families import Family
from tests.command import run

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))
WITHOUT_PYTHON = {"api", "benchmarks", "glossary", "method", "paper", "tutorial-data"}
API = (ROOT / "docs" / "api.md").read_text()


LONG = (  # left to make test-slow; make docs runs those with pictures, too
    "algorithms",
    "curves",
    "from-polca",
    "from-stepmix",
    "gallery",
    "how-many-clusters",
    "latent-classes",
    "regressions",
    "tutorial-customers",
    "tutorial-patients",
    "tutorial-sensors",
    "tutorial-texts",
    "tutorial-tracks",
)


def named(page):
    return page.stem


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.slow] * (page.stem in LONG)) for page in PAGES],
    ids=named,
)
def test_the_blocks_run_in_order_and_draw_their_pictures(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = page.read_text()
    assert ("```python" in text) == (page.stem not in WITHOUT_PYTHON)
    made = run_blocks(page, tmp_path)
    wanted = re.findall(r"\((pictures/[^)]+)\)", text)
    assert made == [tmp_path / picture for picture in wanted]
    assert all(picture.exists() for picture in made)
    for command in re.findall(r"```bash\nboltzmix (.*?)\n```", text):
        assert run(*shlex.split(command)).exit_code == 0, command


COMMAND = ROOT / "docs" / "command.md"


def words(text):
    return re.findall(r"(?<![\w.+])[A-Za-z][\w-]*", text)


def test_the_commands_print_what_is_shown_but_for_figures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_blocks(COMMAND, tmp_path)
    blocks = re.findall(r"```console\n\$ boltzmix (.*?)\n(.*?)```", COMMAND.read_text(), re.DOTALL)
    assert len(blocks) >= 5
    for command, shown in blocks:
        assert words(run(*command.split()).output) == words(shown), command


def test_no_two_pages_make_the_same_picture():
    wanted = [one for page in PAGES for one in re.findall(r"\((pictures/.*?)\)", page.read_text())]
    assert len(wanted) == len(set(wanted))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_linked_or_included_file_exists(page):
    text = re.sub(r"```python.*?```", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\((?!http|pictures/)([^)#]+)", text)
    for link in links + re.findall(r"```{include} (.+)", text):
        assert (page.parent / link).exists(), link


def test_every_report_is_included():
    text = (ROOT / "docs" / "paper.md").read_text()
    for report in (ROOT / "experiments" / "results").glob("*.md"):
        assert f"../experiments/results/{report.name}" in text


MODULES = [
    "",
    ".checks",
    ".datasets",
    ".families",
    ".learning",
    ".learning.parts",
    ".metrics",
    ".plots",
]


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_reference(module):
    public = importlib.import_module(f"boltzmix{module}")
    modules = {"datasets", "families", "metrics"}  # each has its own section
    missing = {name for name in set(public.__all__) - modules if not re.search(rf"\b{name}\b", API)}
    assert not missing, f"docs/api.md lacks {', '.join(sorted(missing))}"


ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "families.md").read_text().splitlines()
    if line.startswith("| `") and line.count("|") == 7  # the table of priors has fewer columns
]


def is_family(name):
    kind = getattr(families, name)
    return isinstance(kind, type) and issubclass(kind, Family) and not isabstract(kind)


def test_every_family_has_a_line():
    assert {row[0].strip("`") for row in ROWS} == set(filter(is_family, families.__all__))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("`"))
def test_the_table_says_what_is_declared(row):
    family = getattr(families, row[0].strip("`"))
    if isinstance(family.missing, bool):
        assert row[4] == ("yes" if family.missing else "no")
    if isinstance(family.additive, bool) and isinstance(family.weighted, bool):
        assert row[3] == ("additive" if family.additive else "weighted")


def test_every_name_in_the_reference_exists():
    home = "boltzmix"
    for line in API.splitlines():
        if line.startswith(".. currentmodule:: "):
            home = line.removeprefix(".. currentmodule:: ")
        elif re.fullmatch(r"   [\w.]+", line):
            module, _, name = f"{home}.{line.strip()}".rpartition(".")
            assert hasattr(importlib.import_module(module), name), line
