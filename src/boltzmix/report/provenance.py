"""Where a report comes from, and how to make it again."""

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest
from inspect import signature
from numbers import Integral
from os import PathLike

from numpy.random import RandomState

from .. import families, learning
from ..data import Data, Regression, read_path, shown
from ..fitted import FittedMixture
from ..saving.models import versions
from ..saving.states import digest_of_data
from .assignments import Assignments

NOT_SETTINGS = ("checkpoint", "n_jobs", "verbose", "random_state")  # which change no result
LONGEST = 200  # letters of a setting that is written out
Fact = tuple[str, str]


@dataclass(frozen=True)
class Origin:
    """Facts of a report that its caller knows.

    Parameters
    ----------
    file : str or path, optional
        The file that the observations were read from.
    command : str, optional
        The command that makes the report; the calls in Python are shown if it is absent.
    compare_with : str, optional
        The name of the known classes, if there are any.
    symbols : mapping or sequence, optional
        What codes stand for, if that was given.
    """

    file: str | PathLike[str] | None = None
    command: str | None = None
    compare_with: str | None = None
    symbols: Mapping[str, object] | Sequence[object] | None = None


def provenance(
    model: FittedMixture, data: Data, y: object, assignments: Assignments, origin: Origin
) -> dict[str, object]:
    """Return facts by which a stranger can repeat a report, and the code to do so."""
    is_fitted_to = _is_fitted_to(model, assignments)
    code, notes = _python(model, data, y, origin, is_fitted_to)
    if not is_fitted_to:
        notes.append(
            "The observations of this report are not those that the mixture was fitted to, so the"
            " fit needs other data than the report."
        )
    if origin.command is not None and not isinstance(origin.command, str):
        raise TypeError(f"command must be text, not {shown(origin.command)}.")
    return {
        "facts": [
            ("Made", datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")),
            *_file(origin.file),
            ("Checksum of the data as read", f"SHA-256 {digest_of_data(data)}"),
            ("Seed", str(_seed(model) if _seed(model) is not None else "not known")),
            ("Versions", _versions()),
        ],
        "code": origin.command or code,
        "is_command": origin.command is not None,
        "notes": [] if origin.command else notes,
    }


def _file(file: str | PathLike[str] | None) -> list[Fact]:
    """Return the name, size and checksum of a file."""
    if file is None:
        return []
    path = read_path("source", file)
    if not path.is_file():
        raise ValueError(f"source names the file {path}, which does not exist: leave it out.")
    with path.open("rb") as content:
        checksum = file_digest(content, "sha256").hexdigest()
    size = f"{path.stat().st_size:,} bytes"
    return [("File", f"{path.name} ({size})"), ("Checksum of the file", f"SHA-256 {checksum}")]


def _versions() -> str:
    found = {**versions(), "Python": platform.python_version()}
    written = ", ".join(f"{name} {number}" for name, number in found.items())
    return f"{written}, on {platform.system()} {platform.machine()}"


def _is_fitted_to(model: FittedMixture, assignments: Assignments) -> bool:
    """Whether these observations are, by all appearances, those that a mixture was fitted to."""
    labels = model.component_labels_
    if len(labels) != len(assignments.labels):
        return False
    has_known = "labels" in getattr(model, "fit_arguments_", ())
    return has_known or bool((labels == assignments.labels).all())


def _python(
    model: FittedMixture, data: Data, y: object, origin: Origin, is_fitted_to: bool
) -> tuple[str, list[str]]:
    """Return the calls that make a report, and notes on what they leave open."""
    call, notes = _constructor(model)
    target = ", y" if isinstance(data, Regression) and y is not None else ""
    given = [f"{name}={name}" for name in getattr(model, "fit_arguments_", ())]
    fitted = f"X{target}" if is_fitted_to else "fitted_data"
    compared = [f"compare_with={origin.compare_with}"] if origin.compare_with else []
    named = [f"symbols={_written(origin.symbols)}"] if origin.symbols is not None else []
    shown = ", ".join([f"X{target}", *named, *compared])
    lines = [
        *_imports(type(model).__name__, call),
        "",
        f"model = {call}.fit({', '.join([fitted, *given])})",
        f'model.report({shown}).save("report.html")',
    ]
    return "\n".join(lines), notes


def _written(symbols: Mapping[str, object] | Sequence[object]) -> str:
    """Write what codes stand for, or only its name where that is long."""
    text = repr(dict(symbols) if isinstance(symbols, Mapping) else list(map(str, symbols)))
    return text if len(text) <= LONGEST else "symbols"


def _constructor(model: FittedMixture) -> tuple[str, list[str]]:
    """Return the call that makes an estimator, with the parameters that are not the default."""
    parameters: Mapping[str, object] = model.get_params(deep=False)
    defaults = signature(type(model)).parameters
    written, notes = [], []
    for name, value in parameters.items():
        text = " ".join(repr(value).split())
        if name in NOT_SETTINGS or text == repr(defaults[name].default):
            continue
        if len(text) > LONGEST or " at 0x" in text or "..." in text:
            text = name
            notes.append(f"The value of {name} cannot be written here: ask who made this report.")
        written.append(f"{name}={text}")
    if (seed := _seed(model)) is not None:
        written.append(f"random_state={seed}")
    if isinstance(model.random_state, RandomState):
        notes.append(
            "random_state was a RandomState, so that the seed alone may not repeat the fit."
        )
    return f"{type(model).__name__}({', '.join(written)})", notes


def _seed(model: FittedMixture) -> int | None:
    """Return the seed of a fit; None for a model of an older version that drew it by itself."""
    fixed = model.random_state if isinstance(model.random_state, Integral) else None
    seed = getattr(model, "seed_", fixed)
    return None if seed is None else int(seed)


def _imports(estimator: str, call: str) -> list[str]:
    """Return the imports of the names in a call."""
    names = dict.fromkeys(re.findall(r"\b[A-Z]\w*(?=\()", call))
    own = [name for name in names if name != estimator and hasattr(learning, name)]
    used = [name for name in names if name in families.__all__]
    lines = [f"from boltzmix import {', '.join([estimator, *own])}"]
    return [*lines, f"from boltzmix.families import {', '.join(used)}"] if used else lines
