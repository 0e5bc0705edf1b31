"""Sums over blocks are made in the same order, whatever their number."""

from functools import reduce
from itertools import pairwise
from sys import getsizeof

import numpy as np
import pytest

from boltzmix.data import BlockSizes, Columns, Regression, Sequences, Table, add_up
from boltzmix.data.blocks import MOST_TASKS

SIZES = BlockSizes()


@pytest.mark.parametrize("width", [1, 2, 8, 100, 5000])
@pytest.mark.parametrize("n_components", [1, 16, 3000])
def test_super_blocks_hold_whole_blocks(width, n_components):
    size = SIZES.super_block(10**6, width)
    assert size % SIZES.block(width, n_components) == 0


@pytest.mark.parametrize("n", [1, 10**5, 10**8, 10**10])
def test_there_are_not_too_many_super_blocks(n):
    assert n / SIZES.super_block(n, 8) <= MOST_TASKS


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 255, 256, 257, 700])
def test_a_sum_has_every_result_once_and_in_order(n):
    joined = add_up(((k,) for k in range(n)), lambda one, other: one + other)
    assert joined == tuple(range(n))


def test_a_tree_of_sums_is_that_of_groups_of_sixteen():
    values = np.random.default_rng(0).normal(size=40)
    sums = [reduce(lambda a, b: a + b, values[i : i + 16]) for i in (0, 16, 32)]
    assert add_up(values, lambda a, b: a + b) == sums[0] + sums[1] + sums[2]


@pytest.mark.parametrize(
    "data",
    [
        Table.of(np.arange(900_000.0).reshape(-1, 3)),
        Sequences.from_lengths(np.arange(400_000.0)[:, None], np.full(4000, 100)),
    ],
    ids=["rows", "sequences"],
)
def test_blocks_of_super_blocks_cover_all_observations_once(data):
    nested = data.nested_blocks(4)
    places = [place for blocks in nested for place in blocks]
    assert places[0].start == 0
    assert places[-1].stop == len(data)
    assert all(one.stop == two.start for one, two in pairwise(places))
    assert data.fold(lambda block, _: len(block), lambda a, b: a + b) == len(data)


def test_blocks_may_have_other_sizes():
    data = Table.of(np.zeros((10, 2)))
    small = data.in_blocks(BlockSizes(smallest=3, largest=3, numbers_of_task=8))
    assert [len(small.values[place]) for place in small.blocks(5)] == [3, 3, 3, 1]
    assert [len(places) for places in small.nested_blocks(5)] == [2, 2, 1]
    assert len(data.blocks(5)) == 1


def test_data_tell_how_much_memory_they_take():
    values = np.zeros((1000, 3))
    data = [Table(values), Regression(values[:, :2], values[:, 2:]), Sequences.of([values, values])]
    columns = Columns.of(values, [(0, 1), (2,)], missing=[False] * 2, coded=[False] * 2)
    for one in (*data, columns):
        assert values.nbytes <= getsizeof(one) < 3 * values.nbytes
