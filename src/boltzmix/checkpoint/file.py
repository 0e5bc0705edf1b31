"""The file of a checkpoint: a fingerprint of the fit, and one entry for each recorded call."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..saving import CheckpointError, ModelFileError
from ..saving.container import CHECKPOINT_FORMAT, as_json, read_entries, write_entries
from ..saving.models import versions

FIT = "fit.json"
Records = dict[tuple[int, ...], bytes]


def check_place(path: Path) -> None:
    """Raise if there can be no file at a path."""
    if path.is_dir():
        raise CheckpointError(f"checkpoint must name a file, but {path} is a folder.")
    if not path.parent.is_dir():
        raise CheckpointError(f"The folder {path.parent} does not exist: make it first.")


def read(path: Path) -> tuple[Any, Records]:
    """Return the fingerprint and the records in a file; raise if it is not a whole checkpoint."""
    try:
        entries, _ = read_entries(path, CHECKPOINT_FORMAT)
        found = json.loads(entries.pop(FIT))
        records = {tuple(map(int, name.split("."))): one for name, one in entries.items()}
    except ModelFileError as error:
        raise CheckpointError(str(error)) from None
    except OSError as error:
        raise CheckpointError(f"{path} could not be read: {error.strerror}.") from None
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise CheckpointError(
            f"{path} is damaged or incomplete ({reason:.200}): delete it to fit from the beginning,"
            " or choose another name."
        ) from None
    return found, records


def write(path: Path, found: Mapping[str, Any], records: Records) -> None:
    """Write a checkpoint beside its path, then move it there, so that none is incomplete."""
    draft = path.with_name(f".{path.name}.part")
    entries = {".".join(map(str, key)): one for key, one in sorted(records.items())}
    try:
        write_entries(draft, {FIT: as_json(found), **entries}, CHECKPOINT_FORMAT, versions())
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
