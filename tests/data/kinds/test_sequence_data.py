import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from boltzmix import Mixture
from boltzmix.data import Sequences, number_sequences
from boltzmix.families import HMM

finite = st.floats(-1e6, 1e6)


@st.composite
def sequence_lists(draw, elements=finite):
    """Draw lists of one to eight arrays of shape (T_i, d)."""
    d = draw(st.integers(1, 3))
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=8))
    return [draw(arrays(float, (length, d), elements=elements)) for length in lengths]


def rows_of(X):
    """Return all steps, and for each step its sequence and its position in it."""
    ids = np.repeat(np.arange(len(X)), [len(x) for x in X])
    return np.concatenate(X), ids, np.concatenate([np.arange(len(x)) for x in X])


def padded(X):
    """Return sequences as one array (sequences, steps, features), NaN after the end."""
    whole = np.full((len(X), max(map(len, X)), X[0].shape[1]), np.nan)
    for i, x in enumerate(X):
        whole[i, : len(x)] = x
    return whole


def multi_indexed(X, d):
    values, ids, steps = rows_of(X)
    index = pd.MultiIndex.from_arrays([ids, steps], names=["id", "time"])
    return pd.DataFrame(values, index=index, columns=list("abc"[:d]))


def assert_equal(sequences, X):
    assert len(sequences) == len(X)
    assert sequences.ends.dtype.kind == "i"
    for one, x in zip(sequences, X, strict=True):
        np.testing.assert_array_equal(one, x)


@pytest.fixture
def three():
    return Sequences.of([[[1.0, 2], [3, 4], [5, 6]], [[7, 8]], [[9, 10], [11, 12]]])


# Construction


@given(sequence_lists(), st.randoms(use_true_random=False))
def test_all_constructors_return_equal_sequences(X, random):
    values, ids, steps = rows_of(X)
    lengths = [len(x) for x in X]
    places = np.array(random.sample(range(len(ids)), len(ids)))
    of_names = np.array([f"sequence {i}" for i in ids])
    frame = multi_indexed(X, X[0].shape[1])
    for sequences in (
        Sequences.of(X),
        Sequences.of([x.tolist() for x in X]),
        Sequences.of(x for x in X),
        Sequences.of([pd.DataFrame(x) for x in X]),
        Sequences.of([pl.DataFrame(x) for x in X]),
        Sequences.from_lengths(values, lengths),
        Sequences.from_lengths(pl.DataFrame(values), np.array(lengths, dtype=np.uint8)),
        Sequences.from_padded(padded(X)),
        Sequences.from_padded(padded(X).tolist()),
        Sequences.from_channels_first([x.T for x in X]),
        Sequences.from_channels_first([x.T.tolist() for x in X]),
        Sequences.from_frame(frame),
        Sequences.from_frame(frame.swaplevel().swaplevel()),
        Sequences.from_rows(values, ids),
        Sequences.from_rows(values, of_names, steps),
    ):
        assert_equal(sequences, X)
    shuffled = Sequences.from_rows(values[places], of_names[places], steps[places])
    first_seen = list(dict.fromkeys(ids[places].tolist()))
    assert_equal(shuffled, [X[i] for i in first_seen])
    assert_equal(Sequences.from_frame(frame.iloc[places]), [X[i] for i in first_seen])


@given(sequence_lists())
def test_sequences_of_equal_length_can_be_one_array(X):
    equal = np.stack([np.resize(x, (4, X[0].shape[1])) for x in X])
    assert_equal(Sequences.from_padded(equal), equal)
    assert_equal(Sequences.from_channels_first(equal.transpose(0, 2, 1)), equal)


def test_an_array_of_arrays_is_a_list_of_arrays():
    X = np.empty(2, dtype=object)
    X[:] = [np.ones((2, 1)), np.zeros((3, 1))]
    assert_equal(Sequences.of(X), X)
    X[:] = [np.ones((1, 2)), np.zeros((1, 3))]
    assert_equal(Sequences.from_channels_first(X), [np.ones((2, 1)), np.zeros((3, 1))])


def test_sequences_are_returned_unchanged(three):
    assert Sequences.of(three) is three


def test_end_to_end_arrays_are_not_copied():
    values = np.ones((5, 2))
    assert np.shares_memory(Sequences.from_lengths(values, [2, 3]).values, values)


SAME_DATA = {
    "of": lambda dtype: Sequences.of([np.ones((2, 1), dtype), np.ones((3, 1), dtype)]),
    "from_lengths": lambda dtype: Sequences.from_lengths(np.ones((5, 1), dtype), [2, 3]),
    "from_padded": lambda dtype: Sequences.from_padded(np.ones((2, 3, 1), dtype)),
    "from_channels_first": lambda dtype: Sequences.from_channels_first(np.ones((2, 1, 3), dtype)),
    "from_channels_first list": lambda dtype: Sequences.from_channels_first(
        [np.ones((1, 2), dtype)]
    ),
    "from_rows": lambda dtype: Sequences.from_rows(np.ones((3, 1), dtype), [0, 0, 1]),
}


@pytest.mark.parametrize("build", SAME_DATA.values(), ids=SAME_DATA)
def test_float32_stays_float32_and_other_numbers_become_float64(build):
    assert build(np.float32).values.dtype == np.float32
    for dtype in (np.int16, np.uint8, np.float16, np.float64, bool):
        assert build(dtype).values.dtype == np.float64


def test_float32_and_float64_together_become_float64():
    X = [np.ones((2, 1), dtype=np.float32), np.ones((2, 1))]
    assert Sequences.of(X).values.dtype == np.float64


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_keep_their_names(frame):
    one, other = frame({"a": [1.0, 2.0], "b": [3.0, 4.0]}), frame({"a": [5.0], "b": [6.0]})
    sequences = Sequences.of([one, other])
    assert sequences.feature_names == ("a", "b")
    assert_equal(sequences, [[[1, 3], [2, 4]], [[5, 6]]])
    assert Sequences.from_lengths(one, [1, 1]).feature_names == ("a", "b")
    assert Sequences.from_rows(one, [0, 1]).feature_names == ("a", "b")
    assert sequences.take([1]).feature_names == sequences.steps.feature_names == ("a", "b")


def test_a_frame_with_two_index_levels_keeps_its_names():
    frame = multi_indexed([np.ones((2, 2)), np.zeros((1, 2))], 2)
    assert Sequences.from_frame(frame).feature_names == ("a", "b")


@pytest.mark.parametrize(
    "order",
    [
        [3, 1, 2],
        [0.3, -0.1, 0.2],
        ["2024-03-01", "2024-01-01", "2024-02-01"],
        pd.to_datetime(["2024-03-01", "2024-01-01", "2024-02-01"]),
        pd.to_datetime(["2024-03-01", "2024-01-01", "2024-02-01"], utc=True),
        pl.Series([3, 1, 2]),
    ],
)
def test_steps_are_sorted_by_any_values_that_can_be_ordered(order):
    assert_equal(Sequences.from_rows([[3.0], [1.0], [2.0]], ["x"] * 3, order), [[[1], [2], [3]]])


@pytest.mark.parametrize(
    "ids",
    [
        [7, 2, 7, 2],
        ["b", "a", "b", "a"],
        [0.5, 0.1, 0.5, 0.1],
        pd.Categorical(["b", "a", "b", "a"]),
        pd.Series(["b", "a", "b", "a"], dtype="string"),
        pd.Series(["b", 1, "b", 1], dtype=object),
        pl.Series(["b", "a", "b", "a"]),
    ],
)
def test_sequences_are_ordered_by_their_first_rows(ids):
    numbers, names = number_sequences(ids, 4)
    assert numbers.tolist() == [0, 1, 0, 1]
    assert list(names) == list(ids)[:2]
    assert_equal(Sequences.from_rows([[1.0], [2.0], [3.0], [4.0]], ids), [[[1], [3]], [[2], [4]]])


# Sizes and iteration


def test_sequences_have_lengths_features_and_steps(three):
    assert len(three) == 3
    assert three.n_features == 2
    assert three.lengths.tolist() == [3, 1, 2]
    assert len(three.steps) == 6
    np.testing.assert_array_equal(three.steps.values, three.values)


def test_sequences_are_indexed_and_iterated(three):
    assert three[0].tolist() == [[1, 2], [3, 4], [5, 6]]
    assert three[np.int64(2)].tolist() == three[-1].tolist() == [[9, 10], [11, 12]]
    assert [len(one) for one in three] == [3, 1, 2]
    assert [len(one) for one in three] == [3, 1, 2]  # iterating twice is possible


def test_ends_of_any_whole_numbers_are_read(three):
    for ends in ([0, 1, 3], (0, 1, 3), np.array([0, 1, 3], dtype=np.uint8)):
        sequences = Sequences(np.arange(3.0)[:, None], ends)
        np.testing.assert_array_equal(sequences.take([1]).values.ravel(), [1.0, 2.0])


@pytest.mark.parametrize("place", [3, -4])
def test_an_index_beyond_the_last_sequence_raises(three, place):
    with pytest.raises(IndexError, match=f"There are 3 sequences, and no number {place}"):
        three[place]


@pytest.mark.parametrize("place", [slice(0, 2), [0, 1], 1.0])
def test_indexing_several_sequences_raises(three, place):
    with pytest.raises(TypeError, match=r"one by one: use take\(indices\)"):
        three[place]


# Selection and blocks

slices = st.builds(
    slice,
    st.none() | st.integers(-10, 10),
    st.none() | st.integers(-10, 10),
    st.none() | st.sampled_from([-2, -1, 1, 2]),
)


@given(sequence_lists(), slices)
def test_take_accepts_slices(X, place):
    assert_equal(Sequences.of(X).take(place), X[place])


@given(sequence_lists(), st.data())
def test_take_accepts_indices_in_any_order_with_repetitions(X, data):
    numbers = data.draw(st.lists(st.integers(-len(X), len(X) - 1), max_size=12))
    assert_equal(Sequences.of(X).take(np.array(numbers, dtype=int)), [X[i] for i in numbers])


@given(sequence_lists(), st.data())
def test_take_accepts_boolean_masks(X, data):
    chosen = data.draw(arrays(bool, len(X)))
    kept = [x for x, wanted in zip(X, chosen, strict=True) if wanted]
    assert_equal(Sequences.of(X).take(chosen), kept)


@pytest.mark.parametrize(
    "nothing", [slice(0, 0), slice(2, 1), slice(9, 12), np.array([], dtype=int), np.zeros(3, bool)]
)
def test_an_empty_selection_keeps_the_features(three, nothing):
    empty = three.take(nothing)
    assert len(empty) == 0
    assert list(empty) == []
    assert empty.n_features == 2
    assert empty.blocks(3) == []
    assert empty.as_vectors().shape == (0, 6)
    assert empty.count_distinct(2) == 0
    assert len(empty.take(slice(None))) == 0


def test_a_slice_is_not_copied(three):
    assert np.shares_memory(three.take(slice(1, 3)).values, three.values)


def test_taking_a_sequence_beyond_the_last_raises(three):
    with pytest.raises(IndexError):
        three.take(np.array([3]))
    with pytest.raises(IndexError):
        three.take(np.array([True, False]))


def assert_cover(sequences, n_components):
    """Check that blocks contain every sequence once and in order, and that none is empty."""
    blocks = sequences.blocks(n_components)
    places = np.arange(len(sequences))
    np.testing.assert_array_equal(np.concatenate([places[block] for block in blocks]), places)
    assert all(block.start < block.stop for block in blocks)
    return blocks


@given(
    st.lists(st.integers(1, 6) | st.integers(1000, 20_000), min_size=1, max_size=30),
    st.integers(1, 50),
)
def test_blocks_cover_every_sequence_once_and_in_order(lengths, n_components):
    sequences = Sequences.from_lengths(np.zeros((sum(lengths), 1)), lengths)
    blocks = assert_cover(sequences, n_components)
    together = [one for block in blocks for one in sequences.take(block).lengths]
    assert together == lengths


def test_many_steps_make_several_blocks():
    many = Sequences.from_lengths(np.zeros((10**6, 1)), np.full(10**4, 100))
    assert len(assert_cover(many, 5)) > 1


# Summaries


@given(sequence_lists())
def test_vectors_are_mean_deviation_and_mean_absolute_change(X):
    vectors = Sequences.of(X).as_vectors()
    changes = [np.abs(np.diff(x, axis=0)).mean(axis=0) if len(x) > 1 else 0 * x[0] for x in X]
    expected = [
        np.concatenate([x.mean(axis=0), x.std(axis=0), c]) for x, c in zip(X, changes, strict=True)
    ]
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors, expected, rtol=1e-9, atol=1e-6)


def test_a_single_step_has_zero_deviation_and_change():
    np.testing.assert_array_equal(
        Sequences.of([[[5.0]], [[2.0]]]).as_vectors(), [[5, 0, 0], [2, 0, 0]]
    )


def test_vectors_of_float32_are_computed_in_float64():
    x = np.full((1000, 1), 16_777_216, dtype=np.float32)
    x[::2] += 2
    vectors = Sequences.of([x]).as_vectors()
    assert vectors.dtype == float
    np.testing.assert_allclose(vectors, [[16_777_217, 1, 2]])


@given(sequence_lists(elements=st.sampled_from([0.0, -0.0, 1.0])), st.integers(1, 9))
def test_count_distinct_stops_at_its_limit(X, enough):
    distinct = len({tuple(map(tuple, x.tolist())) for x in X})
    assert Sequences.of(X).count_distinct(enough) == min(distinct, enough)


# Invalid input

NAN, INF = np.nan, np.inf
FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
ONE = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([], ValueError, r"X is empty: it must be a list of arrays of shape \(steps, features\)"),
        (np.array([], dtype=object), ValueError, "X is empty"),
        ([ONE, np.empty((0, 2))], ValueError, "Sequence 1 of X is empty .0 steps of 2 features"),
        ([np.empty((2, 0))], ValueError, "Sequence 0 of X is empty .2 steps of 0 features"),
        ([ONE, ONE, [[1.0]]], ValueError, "Sequence 2 of X has 1 feature, but sequence 0 has 2"),
        ([ONE, [[1.0, 2.0], [NAN, 4.0]]], ValueError,
         r"Sequence 1 of X contains NaN at step 1, column 0 \(1 such"),
        ([ONE, [[1.0, INF], [NAN, 4.0]]], ValueError,
         r"Sequence 1 of X contains inf \(infinity\) at step 0, column 1 \(2 such"),
        ([ONE, [[-INF, 1.0]]], ValueError, "Sequence 1 of X contains inf"),
        ([FRAME, FRAME.replace(4.0, NAN)], ValueError,
         "Sequence 1 of X contains NaN at step 1, column 'b'"),
        ([ONE, [1.0, 2.0]], ValueError,
         r"Sequence 1 of X must have shape \(steps, features\) \(np.reshape\(sequence, \(-1"),
        ([[1.0, 2.0], [3.0, 4.0]], ValueError, r"Sequence 0 .*\(sequence, \(-1, 1\)\) for one"),
        ([pd.Series([1.0, 2.0])], ValueError, r"Sequence 0 .*\(sequence, \(-1, 1\)\) for one"),
        ([1.0, 2.0], ValueError, "Sequence 0 of X must have shape .* has 0 dimension"),
        ([ONE, None], TypeError, r"Sequence 1 of X must be an array of shape \(steps.*, not None"),
        ([[ONE]], ValueError, "Sequence 0 of X must have shape .* has 3 dimension"),
        ([ONE, [[1.0, 2.0], [3.0]]], ValueError, "Sequence 1 .* its rows differ in length"),
        (np.ones((2, 3, 4)), ValueError,
         r"not one array of shape \(2, 3, 4\).*from_padded.*from_channels_first"),
        (np.ones((0, 3)), ValueError, "X is empty"),
        (FRAME, TypeError, r"not a frame: use Sequences.from_frame\(X\).*from_rows\(X, ids\)"),
        (pl.DataFrame({"a": [1.0]}), TypeError, "not a frame"),
        ("abc", TypeError, "X must be a list of arrays .*, not str"),
        (b"abc", TypeError, "not bytes"),
        (5.0, TypeError, "not float"),
        (None, TypeError, "not NoneType"),
        ({"x": ONE}, TypeError, "not a frame"),
        (np.array(None, dtype=object), TypeError, "not ndarray"),
        (["abc"], TypeError, r"Sequence 0 of X must be an array .*, not the text 'abc'"),
        ([ONE, [["a", "b"]]], ValueError, "Sequence 1: X must hold numbers only"),
        ([ONE, [[None, object()]]], TypeError, "Sequence 1: X must hold numbers only"),
        ([ONE, [[1j, 2.0]]], ValueError, "Sequence 1: Complex data not supported"),
        ([ONE, csr_array(ONE)], TypeError, "Sequence 1 of X is a sparse matrix"),
        ([FRAME, FRAME[["b", "a"]]], ValueError,
         r"Sequence 1 of X has the feature names \['b', 'a'\], but sequence 0 has the feature"
         r" names \['a', 'b'\]"),
        ([FRAME, FRAME, FRAME.rename(columns={"b": "c"})], ValueError, "Sequence 2 of X has the"),
        ([FRAME, ONE], ValueError, "Sequence 1 of X has no feature names, but sequence 0 has the"),
        ([ONE, FRAME], ValueError, "but sequence 0 has no feature names"),
        ([FRAME.rename(columns={"b": 1})], TypeError, "Sequence 0: .*only some are strings"),
    ],
)  # fmt: skip
def test_input_that_is_not_a_list_of_sequences_raises(X, error, message):
    with pytest.raises(error, match=message):
        Sequences.of(X)


@pytest.mark.parametrize(
    ("X", "lengths", "message"),
    [
        (ONE, [1, 2], "lengths must add up to the 2 steps of X, but add up to 3"),
        (ONE, [1], "lengths must add up to the 2 steps of X, but add up to 1"),
        (ONE, [1, 0, 1], "lengths must be at least 1 for every sequence, but is 0 for sequence 1"),
        (ONE, [3, -1], "but is -1 for sequence 1"),
        (ONE, [1.0, 1.0], "lengths must be a list of whole numbers"),
        (ONE, [True, True], "lengths must be a list of whole numbers"),
        (ONE, [], "lengths must be a list of whole numbers"),
        (ONE, [[1, 1]], "lengths must be a list of whole numbers"),
        (ONE, [[1], [1, 1]], "lengths must be a list of whole numbers"),
        (ONE, 2, "lengths must be a list of whole numbers"),
        (ONE, None, "lengths must be a list of whole numbers"),
        (ONE, ["1", "1"], "lengths must be a list of whole numbers"),
        ([1.0, 2.0], [1, 1], "Reshape your data"),
        (np.empty((0, 2)), [], "X is empty"),
        ([[1.0], [2.0], [NAN]], [1, 2], "Sequence 1 of X contains NaN at step 1, column 0"),
        ([[INF], [2.0], [3.0]], [1, 2], "Sequence 0 of X contains inf"),
        (pd.DataFrame({"a": [1.0, NAN]}), [1, 1], "Sequence 1 .* NaN at step 0, column 'a'"),
    ],
)
def test_wrong_lengths_raise(X, lengths, message):
    with pytest.raises(ValueError, match=message):
        Sequences.from_lengths(X, lengths)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[[1.0], [2.0]], [[NAN], [NAN]]], r"Sequence 1 of X is empty .0 steps of 1 feature\)"),
        ([[[1.0], [2.0], [3.0]], [[1.0], [NAN], [3.0]]],
         "Sequence 1 of X contains NaN at step 1, column 0"),
        ([[[NAN], [2.0]]], "Sequence 0 of X contains NaN at step 0, column 0"),
        ([[[1.0, 2.0], [3.0, NAN], [NAN, NAN]]], "Sequence 0 .* NaN at step 1, column 1"),
        ([[[1.0], [INF]]], "Sequence 0 of X contains inf"),
        (np.ones((2, 3)), r"from_padded expects numbers of shape \(sequences, steps, features\)"),
        (np.empty((0, 2, 3)), r"not an array of shape \(0, 2, 3\)"),
        (np.empty((2, 0, 3)), r"not an array of shape \(2, 0, 3\)"),
        (np.empty((2, 3, 0)), r"not an array of shape \(2, 3, 0\)"),
        (np.ones((1, 1, 1), dtype=complex), "dtype complex"),
        (np.full((1, 1, 1), "a"), "dtype <U1"),
        ([[[1.0], [2.0]], [[1.0]]], "the parts of X differ in length"),
        (None, "X must be .*, not None"),
        (5.0, r"shape \(\)"),
    ],
)  # fmt: skip
def test_input_that_is_not_padded_raises(X, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Sequences.from_padded(X)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([], ValueError, "X is empty"),
        (None, TypeError, r"X must be a list of arrays of shape \(features, steps\), not NoneType"),
        ("abc", TypeError, "not str"),
        (np.ones((2, 3)), ValueError, r"expects numbers of shape \(sequences, features, steps\)"),
        (np.empty((2, 3, 0)), ValueError, r"not an array of shape \(2, 3, 0\)"),
        (np.ones((1, 1, 1), dtype=complex), ValueError, "dtype complex"),
        ([[1.0, 2.0]], ValueError,
         r"must have shape \(features, steps\) \(np.reshape\(sequence, \(1, -1\)\) for one"),
        ([[[1.0, 2.0]], [[1.0], [2.0]]], ValueError,
         "Sequence 1 of X has 2 features, but sequence 0 has 1"),
        ([np.ones((1, 2)), np.empty((1, 0))], ValueError, r"Sequence 1 .* .0 steps of 1 feature\)"),
        ([[[1.0, 2.0], [3.0]]], ValueError, "Sequence 0 .* its rows differ in length"),
        ([[[1.0, 2.0], [NAN, 3.0]]], ValueError, "Sequence 0 .* NaN at step 0, column 1"),
    ],
)  # fmt: skip
def test_input_without_channels_first_raises(X, error, message):
    with pytest.raises(error, match=message):
        Sequences.from_channels_first(X)


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        pl.DataFrame({"a": [1.0]}),
        np.ones((2, 2)),
        [ONE],
        None,
        pd.DataFrame({"a": [1.0]}, index=pd.MultiIndex.from_tuples([(1, 2, 3)])),
    ],
)
def test_a_frame_without_two_index_levels_raises(frame):
    with pytest.raises(ValueError, match=r"index has two levels.*set_index.*from_rows\(frame"):
        Sequences.from_frame(frame)


def test_a_frame_with_a_repeated_step_raises():
    with pytest.raises(ValueError, match="order has 0 twice in sequence x"):
        Sequences.from_frame(FRAME.set_index(pd.MultiIndex.from_tuples([("x", 0), ("x", 0)])))


def test_a_frame_without_an_id_raises():
    with pytest.raises(ValueError, match="sequence has no value in row 1: fill it, or drop"):
        Sequences.from_frame(FRAME.set_index(pd.MultiIndex.from_tuples([("x", 0), (None, 1)])))


@pytest.mark.parametrize(
    ("ids", "order", "message"),
    [
        ([0, 0, 1], None, r"sequence must have one entry per row \(shape \(4,\)\), not shape \(3"),
        ([[0], [0], [1], [1]], None, r"not shape \(4, 1\)"),
        ("abcd", None, "sequence must be an array with one entry per row, not the text 'abcd'"),
        (["a", None, "b", "b"], None, "sequence has no value in row 1"),
        ([0.0, 0.0, NAN, 1.0], None, "sequence has no value in row 2"),
        (pd.Series(["a", "b", "a", None], dtype="string"), None, "sequence has no value in row 3"),
        (pd.Series([1, pd.NA, 1, 2], dtype=object), None, "sequence has no value in row 1"),
        (pd.to_datetime(["2024-01-01", None, "2024-01-01", "2024-01-02"]), None, "in row 1"),
        (
            np.array([0, "NaT", 0, 0], dtype="datetime64[ns]"),
            None,
            "sequence has no value in row 1",
        ),
        ([0, 0, 1, 1], [0, 1], r"order must have one entry per row \(shape \(4,\)\)"),
        ([0, 0, 1, 1], [0, 1, 0, NAN], "order has no value in row 3"),
        ([0, 0, 1, 1], [0, 1, 5, 5], "order has 5 twice in sequence 1"),
        ([0, 1, 0, 1], [2, 0, 2, 1], "order has 2 twice in sequence 0"),
        ([0, 0, 1, 1], np.array([0, "a", 0, 1], dtype=object), "order must hold values that"),
        (pd.Series([[1], [1], [2], [2]]), None, "sequence must hold numbers or text"),
        (pd.Series([{}, {}, {}, {}]), None, "sequence must hold numbers or text"),
    ],
)
def test_rows_without_sequence_or_order_raise(ids, order, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Sequences.from_rows(np.ones((4, 1)), ids, order)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2.0], "Reshape your data"),
        (np.empty((0, 1)), "X is empty"),
        ([["a"], ["b"]], "numbers only"),
        ([[1.0], [NAN]], "Sequence 1 of X contains NaN at step 0, column 0"),
    ],
)
def test_rows_that_are_not_a_table_raise(X, message):
    with pytest.raises(ValueError, match=message):
        Sequences.from_rows(X, [0, 1])


def test_finite_numbers_whose_sum_overflows_are_accepted():
    assert len(Sequences.of([[[1e308], [1e308]], [[1e308]]])) == 2


def test_masks_dates_and_wrong_ends_raise():
    masked = np.ma.masked_array([[1.0], [999.0]], [[False], [True]])
    with pytest.raises(ValueError, match="masked values"):
        Sequences.of([masked])
    with pytest.raises(TypeError, match="dates or times"):
        Sequences.of([np.array([["2020-01-01"], ["2020-01-02"]], dtype="M8[D]")])
    with pytest.raises(ValueError, match="ends must rise from 0 to the 3 steps"):
        Sequences(np.zeros((3, 1)), np.array([0, 2, 1, 3], dtype=np.uint8))
    with pytest.raises(ValueError, match="ends must be an array or nested lists"):
        Sequences(np.zeros((3, 1)), [[1, 2], [3]])
    with pytest.raises(ValueError, match=r"use Sequences\.of"):
        Sequences([np.zeros((3, 1))], [3])
    assert repr(Sequences.of([np.zeros((3, 2)), np.zeros((5, 2))])) == (
        "<2 sequences of 3 to 5 steps, 2 features>"
    )


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
def test_fitting_or_predicting_no_sequences_raises():
    X = Sequences.of([np.arange(4.0)[:, None], np.arange(5.0)[:, None]])
    nothing = X.take(np.array([], dtype=int))
    model = Mixture(HMM(2), 2, algorithm="em", random_state=0).fit(X)
    with pytest.raises(ValueError, match="X is empty"):
        model.predict(nothing)
    with pytest.raises(ValueError, match="X is empty"):
        Mixture(HMM(2), 2).fit(nothing)
