"""Data in several super-blocks, and clusters of worker processes."""

import numpy as np
import pytest

from boltzmix.data import BlockSizes, Data
from boltzmix.datasets import make_mixture

pytest.importorskip("distributed")


@pytest.fixture(autouse=True, scope="module")
def _many_super_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Data, "block_sizes", BlockSizes(numbers_of_task=2**12))
        yield


@pytest.fixture(scope="session")
def rows():
    """Rows of three columns, in six super-blocks."""
    return make_mixture(6000, 4, 3, separation=4.0, random_state=0)[0]


@pytest.fixture(scope="session")
def walks():
    """Sequences of two kinds, of different lengths."""
    rng = np.random.default_rng(0)
    lengths = rng.integers(5, 40, size=300)
    kinds = [rng.normal(size=(n, 2)).cumsum(axis=0) * (1 + 3 * (n % 2)) for n in lengths]
    return [np.ascontiguousarray(one) for one in kinds]
