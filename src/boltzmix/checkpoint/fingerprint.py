"""What identifies a fit: its data, its settings and the version of boltzmix."""

from collections.abc import Mapping
from typing import Any

from ..data import Data, shortened, shown
from ..saving import CheckpointError
from ..saving.digests import digest, digest_of_data
from ..saving.models import versions

NOT_SETTINGS = ("checkpoint", "n_jobs", "verbose")  # which do not change the result
SHOWN = 60  # characters of a setting that messages show


def fingerprint(
    settings: Mapping[str, Any], data: Data, sample_weight: Any, labels: Any
) -> dict[str, Any]:
    """Return what identifies a fit, as values of JSON.

    Of data that are not in memory, some evenly spaced rows are read.
    """
    return {
        "boltzmix": versions()["boltzmix"],
        "data": digest_of_data(data),
        "sample_weight": digest(sample_weight),
        "labels": digest(labels),
        "settings": {
            name: [digest(value), shortened(shown(value), SHOWN)]
            for name, value in settings.items()
            if name not in NOT_SETTINGS
        },
    }


def check_same(path: Any, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise if a checkpoint was written by another fit."""
    differences = _differences(before, now)
    if differences:
        raise CheckpointError(
            f"{path} is the checkpoint of another fit: {', and '.join(differences)}. Use what was"
            " used then, or choose another name, or delete the file to fit from the beginning."
        )


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    found = []
    if before["boltzmix"] != now["boltzmix"]:
        found.append(f"boltzmix was {before['boltzmix']} and is {now['boltzmix']}")
    words = {"data": "the data are", "sample_weight": "sample_weight is", "labels": "labels are"}
    found += [f"{verb} not the same" for name, verb in words.items() if before[name] != now[name]]
    then, here = before["settings"], now["settings"]
    for name in sorted({*then, *here}):
        (one, was), (other, value) = then.get(name, ["", "absent"]), here.get(name, ["", "absent"])
        if one != other:
            same = was == value
            found.append(f"{name} is not the same" if same else f"{name} was {was} and is {value}")
    return found
