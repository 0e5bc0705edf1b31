"""Odd values of parameters end in one short sentence, and none of them is worked on for ever."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from boltzmix import EM, GaussianMixture, Mixture, ModelFileError, Sequences, compare, load
from boltzmix.data import ColumnSource
from boltzmix.datasets import draw_random_hmms, make_mixture, make_rainbow, make_square
from boltzmix.families import (
    HMM,
    Dirichlet,
    FunctionFamily,
    Gaussian,
    GaussianProcess,
    GrowthCurve,
    LinearRegression,
    Logarithms,
    Multinomial,
    Poisson,
    PoissonRegression,
    Product,
    StudentT,
)
from boltzmix.plots import states
from experiments.baselines import OMGP, ThompsonMixture

X = np.random.default_rng(0).normal(size=(30, 2)) + 6 * np.repeat([0, 1], 15)[:, None]
LONG = "x" * 10_000
LONGEST = 400  # characters of a sentence


class Unwritable:
    """An object that has no text."""

    def __repr__(self):
        raise OSError("no text")


def endless():
    """Return a list that is its own member."""
    found = []
    found.append(found)
    return found


ODD = {
    "long key": {LONG: None},
    "without text": Unwritable(),
    "long number": 10**5000,
    "long name": [LONG],
    "endless": endless(),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize(
    "use",
    [
        lambda odd: Mixture(PoissonRegression(formula=odd), 2).fit(X, X[:, 0]),
        lambda odd: PoissonRegression(exposure=odd),
        lambda odd: Product(odd),
        lambda odd: Product({0: odd}),
        lambda odd: Logarithms(odd),
        lambda odd: Mixture(odd).fit(X),
        lambda odd: Mixture(membership=odd).fit(X),
        lambda odd: Mixture(n_clusters=odd).fit(X),
        lambda odd: Mixture(algorithm=odd).fit(X),
        lambda odd: Mixture(criterion=odd).fit(X),
    ],
)
def test_values_of_any_length_or_without_text_are_cut_short(use, name):
    with pytest.raises((ValueError, TypeError)) as raised:
        use(ODD[name])
    assert len(str(raised.value)) < LONGEST


@pytest.mark.parametrize(
    "use, words",
    [
        (lambda: Gaussian("diag", added_variance=np.ones(3)), r"^added_variance must .* 2 columns"),
        (lambda: StudentT(added_variance=np.ones(3)), r"^added_variance must .* not 3 numbers"),
        (lambda: Gaussian(resolution=1e308), r"^resolution must .* to 1e\+75, not 1e\+308"),
        (lambda: Dirichlet(highest_precision=1e-300), r"^highest_precision must be at least"),
        (lambda: GaussianProcess(noise=10**400), r"^noise must be a variance above 0"),
        (lambda: GaussianProcess(noise=1e308), r"^noise must be .* to 1e\+150, or None, not 1e"),
        (lambda: Poisson(least_rate=2.0**63), r"^least_rate must be .* up to 9e\+15, not"),
        (lambda: Poisson(least_rate=np.ones(3)), r"^X has 2 columns, but least_rate of .* 3"),
        (lambda: GaussianProcess(n_steps=10**9), r"^n_steps must be .* at most 100,000"),
    ],
)
def test_numbers_that_do_not_fit_raise(use, words):
    with pytest.raises(ValueError, match=words):
        Mixture(use(), 2, algorithm="em").fit(np.abs(X).round())


@pytest.mark.parametrize("odd", [np.zeros((2, 2)), np.array(["a", "b"]), range(10**9)])
def test_no_array_is_a_number_of_clusters(odd):
    with pytest.raises(ValueError, match=r"^n_clusters must be a whole number or 'auto'"):
        Mixture(n_clusters=odd).fit(X)


def test_ranges_without_end_are_not_read():
    with pytest.raises(ValueError, match=r"^families must be a family"):
        compare(X, families=range(10**9))
    with pytest.raises(ValueError, match=r"^lengths must be two whole numbers"):
        draw_random_hmms(range(10**9))
    with pytest.raises(ValueError, match=r"^max_iter must be .* at most 1,000,000"):
        ThompsonMixture(max_iter=10**9).fit(X)


@pytest.mark.parametrize("sizes", [[[1, 2], [3]], np.array(4), [1, 2, 3], [1, 2, 3, -1]])
def test_sizes_that_are_not_four_numbers_raise(sizes):
    with pytest.raises(ValueError, match=r"^sizes must be four numbers"):
        make_square(sizes)


def test_a_memory_view_is_read_as_an_array():
    view, array = (Sequences.of(one).values for one in (memoryview(X), X))
    np.testing.assert_array_equal(view, array)


def test_a_fraction_is_a_discount():
    model = ThompsonMixture(2, discount=Fraction(1, 2), max_iter=5, random_state=0).fit(X)
    assert np.isfinite(model.lower_bound_)


def test_counts_of_narrow_integers_do_not_overflow():
    assert len(make_mixture(n_components=np.int8(6), random_state=0)[1]) == 1000


def test_the_least_tolerance_is_one():
    model = Mixture(Gaussian(), 2, algorithm=EM(tolerance=1e-320), max_iter=30, random_state=0)
    with pytest.warns(ConvergenceWarning, match="within max_iter=30"):
        model.fit(X)
    assert np.isfinite(model.lower_bound_)


def test_the_name_of_a_column_that_is_absent_is_cut_short():
    with pytest.raises(ValueError, match=r"there is no column") as raised:
        ColumnSource.of(X).index_of(10**5000)
    assert len(str(raised.value)) < LONGEST


@pytest.mark.parametrize(
    "topology", [[[True], [True, False]], endless()], ids=["ragged", "endless"]
)
def test_a_topology_that_is_no_array_raises(topology):
    with pytest.raises(ValueError, match=r"^topology must be 'ergodic', 'left-right', or an array"):
        HMM(2, topology=topology)


def test_probabilities_whose_sum_overflows_raise():
    with pytest.raises(
        ValueError, match=r"^probabilities must be numbers of zero or more that sum"
    ):
        Multinomial(probabilities=np.full(2, 1e308))


def test_a_module_is_no_seed():
    with pytest.raises(ValueError, match=r"^random_state must be"):
        GaussianMixture(2, random_state=np.random).fit(X)


def test_sparse_parts_are_no_sequences():
    with pytest.raises(TypeError, match=r"^X must be a list of arrays .*, not dia_array"):
        Sequences.from_channels_first(sparse.eye_array(2))


def test_the_path_of_an_absent_model_cannot_command_a_terminal():
    with pytest.raises(ModelFileError, match=r"^There is no file \\x1b\[31mred\.$"):
        load("\x1b[31mred")


@pytest.mark.parametrize(
    "weights", [np.broadcast_to(1.0, (10**5, 10**5)), np.longdouble("1e400"), endless()]
)
def test_weights_of_another_shape_or_size_raise(weights):
    with pytest.raises(ValueError, match=r"^sample_weight must"):
        Mixture(Gaussian(), 2, algorithm="em").fit(X, sample_weight=weights)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_more_samples_than_memory_are_not_drawn():
    model = Mixture(Gaussian(), 2, algorithm="em", max_iter=3, random_state=0).fit(X)
    for draw in (model.sample, make_rainbow, make_mixture):
        with pytest.raises(ValueError, match=r"n_samples.* at most 100,000,000"):
            draw(n_samples=2**31)
    with pytest.raises(ValueError, match=r"^compare_with must"):
        model.report(X, compare_with=endless())


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_predictions_far_from_the_data_are_finite_or_an_error():
    curves = [(np.arange(5.0), np.random.default_rng(i).normal(size=5)) for i in range(8)]
    settings = {"algorithm": "em", "max_iter": 3, "random_state": 0}
    growth = Mixture(GrowthCurve(), 2, **settings).fit(curves)
    assert np.isfinite(growth.predict_target([1e308, 1e308])).all()
    means, deviations = growth.components_[0].predict([1e200], return_std=True)
    assert np.isfinite(means).all() and np.isfinite(deviations).all()
    for times, words in (
        ([1.0, np.nan], "has a missing value at row 1"),
        ([1.0, 10**400], "must hold numbers"),
        ([1.0, np.longdouble("1e400")], "holds infinity at row 1"),
    ):
        with pytest.raises((ValueError, TypeError), match=f"^times {words}"):
            growth.predict_target(times)
    cubic = Mixture(LinearRegression(degree=3), 2, **settings).fit(X[:, :1], X[:, 1])
    with pytest.raises(ValueError, match=r"^The prediction of observation 1 of X cannot"):
        cubic.predict_target([[0.0], [1e200]])
    process = Mixture(GaussianProcess(), 2, **settings).fit(X[:, :1], X[:, 1])
    for inputs in ([[np.nan]], [[1.0, 2.0]], [1.0]):
        with pytest.raises(ValueError, match=r"^X "):
            process.predict_target(inputs)


def test_names_and_symbols_of_states_are_lists():
    chain = HMM(2).fit([np.arange(8.0)[:, None]])
    for odd in (np.array(3), np.broadcast_to(1.0, (10**5, 10**5))):
        with pytest.raises((TypeError, ValueError), match=r"^(symbols|feature_names) must be a li"):
            states(chain, symbols=odd)
        with pytest.raises((TypeError, ValueError), match=r"^(symbols|feature_names) must be a li"):
            states(chain, feature_names=odd)


def test_parameters_of_any_length_are_shown_short():
    family = FunctionFamily(fit=np.mean, log_prob=np.mean, parameters=10**5000)
    assert len(repr(family)) < LONGEST


def test_the_switch_of_a_baseline_is_true_or_false():
    with pytest.raises(ValueError, match=r"^learn_noise must be True or False"):
        OMGP(learn_noise=NotImplemented).fit(X[:, :1], X[:, 1])


def test_the_baseline_by_thompson_starts_at_random_by_itself():
    settings = {"max_iter": 3, "random_state": 0}
    one, other = (ThompsonMixture(2, init=init, **settings).fit(X) for init in ("auto", "random"))
    np.testing.assert_array_equal(one.labels_, other.labels_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_masked_outcomes_raise():
    model = Mixture(Gaussian(), 2, algorithm="em", max_iter=3, random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"^outcome has masked values"):
        model.three_step(X, outcome=np.ma.masked_less(X[:, 0], 0))
