"""Numbers with their nouns, and values cut short, as messages and tables have them."""

from collections.abc import Sequence
from reprlib import Repr

SHORT = Repr()
SHORT.maxstring, SHORT.maxother, SHORT.maxlevel = 60, 120, 3


def counted(n: int, noun: str) -> str:
    """Write a number with its noun, such as "1 trial" or "1,190 trials".

    Examples
    --------
    >>> counted(1, "column"), counted(1190, "trajectory")
    ('1 column', '1,190 trajectories')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"


def shortened(text: str, longest: int = 40) -> str:
    """Write a text in one line of at most `longest` characters.

    Examples
    --------
    >>> shortened(repr([1, 2])), shortened("a" * 10_000, 10)
    ('[1, 2]', 'aaaaaaa...')
    """
    line = " ".join(text[: 20 * longest].split())
    whole = len(line) <= longest and len(text) <= 20 * longest
    return line if whole else f"{line[: longest - 3]}..."


def shown(value: object) -> str:
    """Write a value as Python does, in one line, and cut short where it is long.

    Examples
    --------
    >>> shown("red"), shown([0] * 10_000), len(shown("a" * 10_000))
    ("'red'", '[0, 0, 0, 0, 0, 0, ...]', 60)
    """
    try:
        text = SHORT.repr(value)
    except Exception:  # of any kind: it is the value's own code that fails
        text = f"an object of type {type(value).__name__}"
    return " ".join(text.split())


def joined(numbers: Sequence[int]) -> str:
    """Write numbers as "1", "1 and 4" or "1, 4 and 6"."""
    written = list(map(str, numbers))
    return " and ".join(filter(None, [", ".join(written[:-1]), *written[-1:]]))
