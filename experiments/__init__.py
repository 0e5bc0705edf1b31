"""The paper's tables and figures, one module each.

`measure` runs the methods of a table and saves the results; `pages` and `pictures` show saved
results, and run nothing.
"""

from . import figures
from .curves import CROSSING, SINUSOIDS
from .families import FAMILIES
from .iris import IRIS
from .measure import Results, measure
from .pages import columns, rows, write_pages
from .rainbow import RAINBOW
from .sequences import CHARACTERS_AB, CHARACTERS_AE, JAPANESE_VOWELS, LONG_HMMS, SHORT_HMMS
from .square import BALANCED_SQUARE, UNBALANCED_SQUARE
from .table import PaperTable
from .thompson import THOMPSON

TABLES: dict[str, PaperTable] = {
    table.name: table
    for table in (
        UNBALANCED_SQUARE,
        BALANCED_SQUARE,
        RAINBOW,
        IRIS,
        SHORT_HMMS,
        LONG_HMMS,
        CHARACTERS_AB,
        CHARACTERS_AE,
        JAPANESE_VOWELS,
        CROSSING,
        SINUSOIDS,
        FAMILIES,
        THOMPSON,
    )
}
FIGURES = figures.FIGURES
write_figure = figures.write_figure

__all__ = [
    "FIGURES",
    "TABLES",
    "PaperTable",
    "Results",
    "columns",
    "measure",
    "rows",
    "write_figure",
    "write_pages",
]
