"""Values of options: names of columns, and numbers of components or states, as 3, 1..9 or 2,4,6."""

import csv
import re

from ..data import counted


def split_names(text: str) -> list[str]:
    """Return the names in a text such as a,b,c; quotes stand around names with commas.

    Examples
    --------
    >>> split_names('age,"height, cm"')
    ['age', 'height, cm']
    """
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


PART = re.compile(r"(\d{1,6})(?:\.\.(\d{1,6}))?", re.ASCII)


def read_numbers(option: str, text: str) -> list[int]:
    """Return the numbers that a text names, each once and in ascending order.

    Examples
    --------
    >>> read_numbers("-k", "1..3,8")
    [1, 2, 3, 8]
    """
    ranges = [_read_part(part.strip()) for part in text.split(",")]
    if not all(ranges):
        raise ValueError(
            f"{option} must be a whole number of at least 1, as 3, a range from low to high, as"
            f" 1..9, or a list, as 2,4,6; not {text!r}."
        )
    return sorted({number for one in ranges for number in one})


def read_components(text: str | None) -> int | str | list[int]:
    """Return the number of components, several of these, or "auto" if none is given."""
    if text is None or text == "auto":
        return "auto"
    numbers = read_numbers("-k", text)
    return numbers[0] if len(numbers) == 1 and ".." not in text else numbers


def read_clusters(text: str | None) -> int | str | None:
    """Return the number of clusters that an option gives, "auto", or None if it is absent."""
    if text is None or text == "auto":
        return text
    numbers = read_numbers("--clusters", text) if PART.fullmatch(text) else []
    if len(numbers) != 1:
        raise ValueError(f"--clusters must be a whole number of at least 1, or auto, not {text!r}.")
    return numbers[0]


def check_components(numbers: int | str | list[int], n_observations: int) -> None:
    """Raise an error if several numbers of components go up to more than the observations."""
    if not isinstance(numbers, int | str) and numbers[-1] > n_observations:
        raise ValueError(
            f"-k goes up to {numbers[-1]}, but the file has only"
            f" {counted(n_observations, 'observation')}: use at most {n_observations}."
        )


def _read_part(text: str) -> range:
    """Return the numbers from low to high; none, if the text is something else."""
    found = PART.fullmatch(text)
    if found is None:
        return range(0)
    low, high = int(found[1]), int(found[2] or found[1])
    return range(low, high + 1) if low >= 1 else range(0)
