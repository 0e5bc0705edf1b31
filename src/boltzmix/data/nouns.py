"""Numbers with their nouns, and values cut short, as messages and tables have them."""


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
