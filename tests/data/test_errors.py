"""Errors name arguments: with marks for the command, and without them in Python."""

import ast
import pickle
from pathlib import Path

import boltzmix
from boltzmix.data import DATA, InputError, InputTypeError, MarkedError, marked, warning, worded
from boltzmix.saving import CheckpointError

SOURCE = Path(boltzmix.__file__).parent
MARKED = {kind.__name__ for kind in (InputError, InputTypeError, CheckpointError)}


def test_a_message_has_no_marks_and_keeps_them_for_other_names():
    error = InputError(f"{marked('folds', 9)} is more than the 3 rows of {DATA}.")
    assert isinstance(error, ValueError) and isinstance(error, MarkedError)
    assert str(error) == "folds=9 is more than the 3 rows of X."
    names = {"X": "the file", "folds": "--folds"}
    assert worded(error.marked, lambda name, value: f"{names[name]} {value}".strip()) == (
        "--folds 9 is more than the 3 rows of the file."
    )
    assert str(error.renamed("X", "covariates")) == "folds=9 is more than the 3 rows of covariates."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_type_error_and_a_warning_have_no_marks():
    error = InputTypeError(f"{DATA} holds dates.")
    assert isinstance(error, TypeError) and str(error) == "X holds dates."
    assert str(warning(UserWarning, f"raise {marked('max_iter')}.")) == "raise max_iter."


def test_only_errors_that_know_marks_have_them():
    checked = 0
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            names = {one.id for one in ast.walk(node.exc) if isinstance(one, ast.Name)}
            if names & {"DATA", "marked", "place_in_table"}:
                checked += 1
                assert ast.unparse(node.exc.func) in MARKED, f"{file}:{node.lineno}"
    assert checked > 80
