"""Numbers with their nouns, as messages and tables have them."""


def counted(n: int, noun: str) -> str:
    """Write a number with its noun, such as "1 trial" or "1,190 trials".

    Examples
    --------
    >>> counted(1, "column"), counted(1190, "trajectory")
    ('1 column', '1,190 trajectories')
    """
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{n:,} {noun if n == 1 else plural}"
