"""Seven pathologists' judgements of 118 slides (Landis & Koch 1977; Agresti 2002, table 13.1)."""

import numpy as np
import pandas as pd

PATTERNS = {
    "0000000": 34, "0000100": 2, "0100000": 6, "0100001": 1, "0100100": 4, "0100101": 5,
    "1000000": 2, "1010101": 1, "1100000": 2, "1100001": 1, "1100100": 2, "1100101": 7,
    "1100111": 1, "1101001": 1, "1101101": 2, "1101111": 3, "1110101": 13, "1110111": 5,
    "1111101": 10, "1111111": 16,
}  # fmt: skip


def carcinoma():
    rows = [[int(answer) for answer in pattern] for pattern in PATTERNS]
    values = np.repeat(rows, list(PATTERNS.values()), axis=0)
    return pd.DataFrame(values, columns=list("ABCDEFG"))
