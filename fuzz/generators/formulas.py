"""Fuzzed formulas: each gives a matrix or one sentence, and none ever runs anything else."""

import random
import time
import traceback
import warnings
from typing import Any

import numpy as np
import pandas as pd

from boltzmix.families import LinearRegression

from ..judging import is_own_error
from .watching import Watched, watched

CANARY = "boltzmix_canary"
EVIL_NAMES = (
    "lambda: boltzmix_canary()",
    "boltzmix_canary()",
    "(eval)('boltzmix_canary()')",
    "eval",
    "__class__",
    "np",
    "body mass",
    "x:y",
    "a + b",
)
ROWS = 12
NUMBERS = ("a", "b", "c", "größe", "`body mass`", *(f"`{one}`" for one in EVIL_NAMES))
CATEGORIES = ("sex", "region", "smokes")
FUNCTIONS = ("log", "exp", "sqrt", "abs", "log1p", "log2", "log10", "np.log", "np.exp", "I")
ATTACKS = (
    f"{CANARY}()", f"({CANARY})()", f"(({CANARY}))(a)", "(eval)((chr)(95))", "eval('1')",
    "(exec)(a)", "__import__('os').system('id')", "(__import__)('os')", "().__class__",
    "a.__class__", "a.values", "a[0]", "[a][0]", "{a}[0]", "{{a}}", "{{(eval)(a)}}", "'text'",
    '"text"', "f'{a}'", f"f'{{{CANARY}()}}'", f"(z := {CANARY}())", f"lambda: {CANARY}()",
    f"(lambda x: {CANARY}())(a)", f"[{CANARY}() for x in (a,)]", f"{{{CANARY}(): 1}}",
    f"{{a*0+b*0+(({CANARY})(a))}}", f"log(a, {CANARY}())", f"log({CANARY}())", f"I({CANARY}())",
    f"I(({CANARY})(a))", f"C(sex, {CANARY}())", "C(sex, contr.treatment)", "C(sex)(a)",
    "log(a)(b)", "(log)(a)", "log", "np", "np.random", "np.log", "np.core.os.system(a)",
    "np . log(a)", "np.loadtxt(a)", "np.fromfile(a)", "np.load(a)", "np.I(a)", "I.__globals__",
    "C.__init__", "__builtins__", "globals()", "locals()", "open(a)", "print(a)", "vars()",
    "getattr(a, a)", "breakpoint()", "\uff45val(a)", "\uff25\uff36\uff21\uff2c(a)",
    "\u0435val(a)", "\ufb01", "l\u043eg(a)", "log\ufe59a\ufe5a", "a if b else c", "not a",
    "a and b", "a or b", "a < b", "a == b", "a // b", "a % b", "a @ b", "a & b", "a | b",
    "a >> b", "a << 99999", "~a", "a ~ b", "a, b", "*a", "**a", "...", "a %in% b", ".", "#", "\\",
    ";", "\n", "\t", "\0", "\x1b[31m", "\u202e", "\u2028", "1e999", "9" * 60, "1j", "0x10", "1_0",
    "007", "None", "True", "yield", "await a", "import os", "`", "``", "`a", "a`", "`a`b`",
    "bs(a, 3)", "poly(a, 2)", "center(a)", "scale(a)", "hashed(sex)", "lag(a)", "Q('a')",
    "stateful_transform", "a**b**c", "a**999999999", "(a+b+c)**99999", "a**-1", "a**0.5", "a^1e9",
    "- 1", "0", "-1", "+0", "1", "2", "()", "{}", "I()", "C()", "(", ")", "{", "}", "(" * 99,
    "-" * 99, "{" * 99, "a:" * 99, "+a" * 500, "*(a+b+c+sex+region)" * 9,
    ":(sex*region*smokes)" * 9, "I(" * 99 + "a",
)  # fmt: skip


def table() -> pd.DataFrame:
    """Return a table whose columns have odd names, some of which are code."""
    rng = np.random.default_rng(0)
    columns: dict[str, Any] = {
        name.strip("`"): rng.uniform(0.5, 2.0, ROWS) for name in (*NUMBERS, *EVIL_NAMES)
    }
    columns["sex"] = ["f", "m"] * (ROWS // 2)
    columns["region"] = ["north", "south", "west", "east's"] * (ROWS // 4)
    columns["smokes"] = [True, False, False] * (ROWS // 3)
    return pd.DataFrame(columns)


def valid_formula(rng: random.Random, depth: int = 3) -> str:
    """Return a formula of the grammar; some are too large, or compute what is not finite."""
    join = " " if rng.random() < 0.7 else ""
    kind = rng.random()
    if depth == 0 or kind < 0.25:
        return _factor(rng)
    if kind < 0.75:
        sign = rng.choice("+++**:/-")
        parts = valid_formula(rng, depth - 1), sign, valid_formula(rng, depth - 1)
        return join.join(parts)
    if kind < 0.9:
        return f"({valid_formula(rng, depth - 1)})"
    return f"({valid_formula(rng, depth - 1)}){rng.choice(['**', '^'])}{rng.choice('123')}"


def _factor(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(CATEGORIES)
    if kind < 0.65:
        return rng.choice(NUMBERS)
    if kind < 0.75:
        return f"C({rng.choice(CATEGORIES)})"
    inside = _numbers(rng, 3)
    return f"{{{inside}}}" if kind < 0.8 else f"{rng.choice(FUNCTIONS)}({inside})"


def _numbers(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return rng.choice(NUMBERS) if rng.random() < 0.8 else rng.choice(["2", ".5", "1.50", "1e2"])
    if kind < 0.8:
        sign = rng.choice([" + ", "-", "*", " / ", "**", "^"])
        return _numbers(rng, depth - 1) + sign + _numbers(rng, depth - 1)
    if kind < 0.9:
        return f"({_numbers(rng, depth - 1)})"
    return rng.choice(FUNCTIONS[:4]) + f"({_numbers(rng, depth - 1)})"


def mutated_formula(rng: random.Random) -> str:
    """Return a formula in which attacks, or changes of single letters, have been put."""
    text = valid_formula(rng)
    for _ in range(rng.choice([1, 1, 2, 4])):
        place, kind = rng.randrange(len(text) + 1), rng.random()
        if kind < 0.4:
            text = text[:place] + rng.choice(ATTACKS) + text[place:]
        elif kind < 0.55:
            text = text[:place] + rng.choice("+-*:/ ") + rng.choice(ATTACKS)
        elif kind < 0.65:
            text = f"{rng.choice(ATTACKS)}({text})"
        elif kind < 0.75:
            text = text[:place] + text[place + rng.randrange(1, 6) :]
        elif kind < 0.9:
            text = (
                text[:place]
                + chr(rng.choice([rng.randrange(128), rng.randrange(0x2100)]))
                + text[place:]
            )
        else:
            other = valid_formula(rng)
            text = text[:place] + other[rng.randrange(len(other)) :]
    return text


def make_formula(number: int) -> str:
    """Return the formula of a number: one in three is valid."""
    rng = random.Random(number)
    return valid_formula(rng) if number % 3 == 0 else mutated_formula(rng)


def problem_of(text: str, frame: pd.DataFrame, closely: bool) -> tuple[str, bool]:
    """Return what is wrong with how a formula is read, and whether it gave a matrix."""
    events = Watched(CANARY)
    began = time.monotonic()
    try:
        with watched(events, closely), warnings.catch_warnings(action="error"):
            data = LinearRegression(formula=text).observe(frame, np.arange(ROWS))
    except ValueError as error:
        words = str(error)
        short = len(words) < 500 or "has no column" in words
        fine = is_own_error(error) and short and len(words.splitlines()) == 1
        return events.problem() or ("" if fine else f"{error!r:.300}"), False
    except Exception:
        return events.problem() or traceback.format_exc(limit=-3), False
    if time.monotonic() - began > 10:
        return "it took more than 10 seconds", True
    matrix = data.inputs
    fine = matrix.shape == (len(frame), len(data.input_names)) and np.isfinite(matrix).all()
    return events.problem() or ("" if fine else f"the matrix has shape {matrix.shape}"), True


def run(count: int, seed: int, minutes: float) -> int:
    """Return how many of `count` formulas, made from `seed` on, failed."""
    frame, until = table(), time.monotonic() + 60 * minutes
    failed = matrices = ran = 0
    for number in range(seed, seed + count):
        if time.monotonic() > until:
            break
        text = make_formula(number)
        problem, gave_matrix = problem_of(text, frame, closely=number % 50 == 0)
        ran, matrices, failed = ran + 1, matrices + gave_matrix, failed + bool(problem)
        if problem:
            print(f"{text!r:.500} (python -m fuzz --what formulas --count 1 --seed {number})")
            print(f"  {problem}")
    print(f"{ran} formulas from {seed}: {failed} failed; {matrices} gave a matrix.")
    return failed
