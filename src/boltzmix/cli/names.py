"""Names of columns in one text."""

import csv


def split_names(text: str) -> list[str]:
    """Return the names in a text such as a,b,c; quotes stand around names with commas.

    Examples
    --------
    >>> split_names('age,"height, cm"')
    ['age', 'height, cm']
    """
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
