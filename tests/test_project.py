"""What is around the package: its version, addresses, workflows and kernels."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml
from user_program import main

import boltzmix

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_that_of_the_installed_package():
    assert boltzmix.__version__ == importlib.metadata.version("boltzmix")


def test_the_typed_program_runs():
    main()


def test_types_are_part_of_the_package():
    assert (Path(boltzmix.__file__).parent / "py.typed").exists()


def test_all_addresses_are_those_of_one_repository():
    repository = PROJECT["urls"]["Repository"].removeprefix("https://github.com/")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.findall(r"https://(?:github|raw\.githubusercontent)\.com/([^/]+/[^/\"]+)", text)
    assert len(found) >= 5
    assert set(found) == {repository}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_jobs_with_steps_and_a_time_limit(path):
    for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
        assert job["steps"] and job["timeout-minutes"] <= 60, name
        assert all(("uses" in step) != ("run" in step) for step in job["steps"]), name


def test_workflows_call_targets_that_exist():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = {
        name for path in WORKFLOWS for name in re.findall(r"run: make (.+)", path.read_text())
    }
    assert called
    assert called <= targets


def test_tests_run_on_all_versions_that_are_declared():
    jobs = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())["jobs"]
    label = "Programming Language :: Python :: "
    declared = {one.removeprefix(label) for one in PROJECT["classifiers"] if one.startswith(label)}
    assert set(jobs["test"]["strategy"]["matrix"]["python"]) == declared - {"3", "3 :: Only"}


SOURCES = sorted((ROOT / "src").rglob("*.py"))
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_MODULES = 450, 40, 25
LONG_KERNELS = {"chains.expectations", "trajectories.random_effects"}  # one loop each


def lines_of_body(function):
    """Count the lines of a function without its signature and its docstring."""
    first = function.body[int(ast.get_docstring(function) is not None) :][:1]
    return function.end_lineno - first[0].lineno + 1 if first else 0


def test_no_module_is_too_long():
    lengths = {str(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def test_no_folder_has_too_many_modules():
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in SOURCES)
    assert {folder: n for folder, n in counts.items() if n > MOST_MODULES} == {}


def test_no_function_is_too_long():
    functions = [
        (f"{path.stem}.{node.name}", lines_of_body(node))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    assert len(functions) > 1000
    assert {name for name, n in functions if n > MOST_LINES_OF_A_FUNCTION} <= LONG_KERNELS


SMALL_FIT = """
import numpy as np
from boltzmix import Mixture
Mixture(n_components=1, algorithm="em").fit(np.arange(12.0)[:, None])
"""


@pytest.mark.slow
def test_compilation_is_announced_once_and_only_if_it_happens(tmp_path):
    own = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = [sys.executable, "-c", SMALL_FIT]
    first, second = (
        subprocess.run(run, env=own, check=True, capture_output=True, text=True, encoding="utf-8")
        for _ in range(2)
    )
    assert first.stderr == "Compiling kernels, once on this machine…\n"
    assert second.stderr == ""
    assert first.stdout == second.stdout == ""
