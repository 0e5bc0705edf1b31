from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize

from boltzmix import Mixture
from boltzmix.data import Hard, LazyTable, Soft, Table
from boltzmix.families import (
    HMM,
    Bernoulli,
    Beta,
    Exponential,
    Family,
    Gamma,
    Geometric,
    Laplace,
    LogNormal,
    NegativeBinomial,
    Uniform,
    VonMises,
    Weibull,
)
from boltzmix.metrics import purity_score


@dataclass(frozen=True)
class Case:
    """A family with known parameters of three columns, and what is known of it elsewhere."""

    known: Family
    frozen: object
    constant: float
    extreme: tuple
    refused: tuple = ()
    takes: str = ""

    @property
    def empty(self):
        return type(self.known)()

    @property
    def name(self):
        return self.known.name


CASES = [
    Case(
        Exponential([2.0, 0.1, 30.0]),
        lambda rate: stats.expon(scale=1 / rate),
        0.0,
        (1e-300, 1e100),
        (-3,),
        "numbers that are not negative",
    ),
    Case(
        Gamma([0.3, 50.0, 4.0], [2.0, 1.0, 0.01]),
        lambda shape, rate: stats.gamma(shape, scale=1 / rate),
        3.0,
        (1e-300, 1e100),
        (-3, 0),
        "numbers above zero",
    ),
    Case(
        LogNormal([2.0, 30.0, -5.0], [0.1, 2.0, 1.0]),
        lambda mean, deviation: stats.lognorm(deviation, scale=np.exp(mean)),
        3.0,
        (1e-300, 1e300),
        (-3, 0),
        "numbers above zero",
    ),
    Case(
        Weibull([0.5, 9.0, 2.0], [3.0, 1e5, 0.2]),
        lambda shape, scale: stats.weibull_min(shape, scale=scale),
        3.0,
        (1e-300, 1e100),
        (-3, 0),
        "numbers above zero",
    ),
    Case(
        Beta([0.4, 30.0, 2.0], [2.0, 1.5, 2.0]),
        stats.beta,
        0.25,
        (1e-300, 1 - 1e-16),
        (1.2, 0, 1),
        "numbers between 0 and 1, ends excluded",
    ),
    Case(Laplace([0.0, 1e3, -2.0], [1.0, 5.0, 0.1]), stats.laplace, 0.0, (-1e100, 1e100)),
    Case(
        Uniform([0.0, -3.0, 1e3], [1.0, 9.0, 1e3 + 1]),
        lambda low, high: stats.uniform(low, high - low),
        0.0,
        (-1e100, 1e100),
    ),
    Case(
        VonMises([2.0, -3.0, 0.0], [0.3, 400.0, 3.0]),
        lambda direction, concentration: stats.vonmises(concentration, direction),
        1.0,
        (-9.0, 100.0),
    ),
    Case(Bernoulli([0.1, 0.97, 0.5]), stats.bernoulli, 1.0, (0, 1), (-1, 0.5, 2), "zeros and ones"),
    Case(
        Geometric([0.2, 0.9, 0.5]),
        stats.geom,
        1.0,
        (1, 1e9),
        (0, 1.5, -1),
        "numbers of trials, which are whole and at least 1",
    ),
    Case(
        NegativeBinomial([0.5, 20.0, 3.0], [0.1, 0.4, 0.6]),
        stats.nbinom,
        0.0,
        (0, 1e9),
        (-1, 1.5),
        "counts, which are whole and not negative",
    ),
]
each = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
additive = pytest.mark.parametrize(
    "case", [case for case in CASES if case.known.additive], ids=lambda case: case.name
)
particular = pytest.mark.parametrize(
    "case", [case for case in CASES if case.refused], ids=lambda case: case.name
)


def parameters(fitted):
    return np.stack(fitted.fitted_parameters)


def draw(case, n=200, seed=0):
    return Table(case.known.sample(n, np.random.default_rng(seed)))


def with_missing(table, seed=0):
    values = table.values.copy()
    values[np.random.default_rng(seed).random(values.shape) < 0.3] = np.nan
    values[0] = np.nan
    return Table(values)


def log_prob_elsewhere(case, fitted, values):
    distribution = case.frozen(*fitted.fitted_parameters)
    return getattr(distribution, "logpmf" if hasattr(distribution.dist, "pmf") else "logpdf")(
        values
    )


@each
def test_log_prob_is_scipys(case):
    table = draw(case)
    expected = log_prob_elsewhere(case, case.known, table.values).sum(axis=1)
    np.testing.assert_allclose(case.known.log_prob(table), expected, rtol=1e-9, atol=1e-9)
    values = case.known.bank([case.known, case.empty.fit(table)]).log_prob(table)
    np.testing.assert_allclose(values[:, 0], expected, rtol=1e-9, atol=1e-9)
    assert case.known.log_prob(table.take(slice(0, 0))).shape == (0,)


@each
def test_no_parameters_are_likelier(case):
    """A numeric optimiser finds no higher weighted likelihood, and the same parameters."""
    table, weights = draw(case, 300), np.random.default_rng(1).uniform(0.1, 3, 300)
    fitted = case.empty.fit(table, weights=weights)
    found = parameters(fitted)
    if isinstance(fitted, Bernoulli | Uniform):
        total = weights.sum()
        pooled = (weights @ table.values + 0.5) / (total + 1)
        expected = {
            Bernoulli: lambda x: [(weights @ x + pooled) / (total + 1)],
            Uniform: lambda x: [x.min(axis=0), x.max(axis=0)],
        }[type(fitted)](table.values)
        np.testing.assert_allclose(found, expected)
        return
    for column in range(3):
        x, own = table.values[:, column], found[:, column]
        scale = np.maximum(np.abs(own), 0.1)

        def loss(point, x=x, scale=scale):
            try:
                one = fitted.with_parameters(list((point * scale)[:, None]))
            except ValueError:
                return np.inf
            return -np.average(log_prob_elsewhere(case, one, x), weights=weights)

        options = {"xatol": 1e-9, "fatol": 1e-14, "maxiter": 2000, "maxfev": 2000}
        best = minimize(loss, 1.05 * own / scale, method="Nelder-Mead", options=options)
        assert loss(own / scale) <= best.fun + 1e-9
        if not isinstance(fitted, Laplace):  # whose likelihood has a kink, and may have a plateau
            np.testing.assert_allclose(own, best.x * scale, rtol=2e-5, atol=1e-5)


@each
def test_weights_of_one_are_none(case):
    table = draw(case)
    one, none = case.empty.fit(table, weights=np.ones(200)), case.empty.fit(table)
    np.testing.assert_allclose(parameters(one), parameters(none), rtol=1e-12)


@each
def test_doubling_a_weight_is_doubling_a_row(case):
    table, weights = draw(case, 41), np.ones(41)
    weights[:20] = 2
    doubled = Table(np.concatenate([table.values, table.values[:20]]))
    one, two = case.empty.fit(table, weights=weights), case.empty.fit(doubled)
    np.testing.assert_allclose(parameters(one), parameters(two), rtol=1e-8)
    if not isinstance(one, Uniform):
        assert not np.allclose(parameters(one), parameters(case.empty.fit(table)))


@each
def test_rows_without_weight_do_not_count(case):
    table, weights = draw(case, 60), np.ones(60)
    weights[30:] = 0
    one, two = case.empty.fit(table, weights=weights), case.empty.fit(table.take(slice(0, 30)))
    np.testing.assert_allclose(parameters(one), parameters(two), rtol=1e-8)


@given(st.integers(0, 200), st.sampled_from([case for case in CASES if case.known.additive]))
def test_statistics_of_two_blocks_add_up_to_those_of_the_whole(cut, case):
    table = with_missing(draw(case))
    family = case.empty.prepare(table, 1)
    one, other = (family.summarise(table.take(at)) for at in (slice(0, cut), slice(cut, None)))
    whole, doubled = family.summarise(table), family.summarise(table, np.full(200, 2.0))
    for found, expected in ((one + other, whole), (whole * 2, doubled)):
        for name in vars(whole):
            a, b = getattr(found, name), getattr(expected, name)
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


@each
def test_a_bank_sums_up_what_its_components_would(case):
    table = with_missing(draw(case))
    rng = np.random.default_rng(0)
    family = case.empty.prepare(table, 3)
    weights = rng.uniform(0.5, 2, 200)
    labels = rng.integers(3, size=200)
    hard = Hard(labels, 3, weights)
    for membership in (hard, Hard(labels, 3), Soft(rng.dirichlet(np.ones(3), 200))):
        bank = family.bank([family] * 3)
        updated = bank.update(bank.summarise(table, membership), np.zeros(3, dtype=bool), rng)
        for k, component in enumerate(updated):
            indices, own = membership.members(k)
            expected = family.fit(table.take(indices), weights=own)
            np.testing.assert_allclose(parameters(component), parameters(expected), rtol=1e-8)


@each
def test_missing_values_are_left_out_cell_by_cell(case):
    table = with_missing(draw(case))
    weights = np.random.default_rng(1).uniform(0.1, 3, 200)
    assert len(case.empty.observe(table)) == 200
    fitted = case.empty.fit(table, weights=weights)
    for column in range(3):
        there = ~np.isnan(table.values[:, column])
        alone = Table(table.values[there, column][:, None])
        expected = case.empty.fit(alone, weights=weights[there])
        np.testing.assert_allclose(
            parameters(fitted)[:, column], parameters(expected)[:, 0], rtol=1e-8
        )
    cells = np.where(np.isnan(table.values), 0, log_prob_elsewhere(case, fitted, table.values))
    np.testing.assert_allclose(fitted.log_prob(table), cells.sum(axis=1), rtol=1e-8, atol=1e-8)
    assert fitted.log_prob(table)[0] == 0


@each
def test_a_column_of_which_nothing_is_known_is_as_in_all_the_data(case):
    table = draw(case)
    values = table.values[:5].copy()
    values[:, 1] = np.nan
    family = case.empty.prepare(table, 2)
    fitted = family.fit(Table(values))
    np.testing.assert_allclose(parameters(fitted)[:, 1], parameters(family.whole)[:, 1])
    assert np.isfinite(fitted.log_prob(Table(values))).all()
    nothing = fitted.fit(Table(np.full((2, 3), np.nan)))
    np.testing.assert_allclose(parameters(nothing), parameters(family.whole))
    again = fitted.fit(Table(values))
    np.testing.assert_allclose(parameters(again), parameters(fitted))
    weights = np.zeros(5)
    with pytest.raises(ValueError, match=r"^Column 0 of X has no value in any row"):
        case.empty.fit(Table(values), weights=weights)
    with pytest.raises(ValueError, match=r"^Column 1 of X has no value in any row, .*: drop it"):
        case.empty.fit(Table(values))


@each
def test_sampling_then_fitting_recovers_the_parameters(case):
    drawn = case.known.sample(100_000, np.random.default_rng(1))
    assert drawn.shape == (100_000, 3)
    assert drawn.dtype == float
    fitted = case.empty.fit(Table(drawn))
    np.testing.assert_allclose(parameters(fitted), parameters(case.known), rtol=0.05, atol=0.04)


@each
def test_degenerate_data_have_finite_densities(case):
    spread = draw(case, 50).values[:, :1]
    constant = np.full((50, 1), case.constant)
    extreme = np.resize(case.extreme, (50, 1))
    table = Table(np.concatenate([constant, spread, extreme], axis=1))
    for family in (case.empty, case.empty.prepare(table, 3)):
        for rows in (slice(0, 1), slice(3, 5), slice(None)):
            fitted = family.fit(table.take(rows))
            assert np.isfinite(parameters(fitted)).all()
            assert np.isfinite(fitted.log_prob(table.take(rows))).all()
            assert not np.isnan(fitted.log_prob(table)).any()
    hardly = case.empty.prepare(table, 3).fit(table, weights=np.full(50, 1e-200))
    assert np.isfinite(hardly.log_prob(table)).all()


@each
def test_no_component_is_likelier_than_the_floor_allows(case):
    """However close its values are, a component's density has a bound that the floor sets."""
    table = draw(case, 400)
    wide, narrow = (type(case.known)(floor=floor).prepare(table, 1) for floor in (0.5, 0.05))
    one = Table(table.values[:1].repeat(5, axis=0))
    assert wide.fit(one).log_prob(one)[0] <= narrow.fit(one).log_prob(one)[0]
    assert narrow.fit(one).log_prob(one)[0] < 60


@each
def test_float32_is_taken(case):
    if case.name in ("Laplace", "Uniform"):
        return
    table = draw(case)
    single = Table(table.values.astype(np.float32))
    fitted = case.empty.fit(single)
    assert fitted.log_prob(single).dtype == float
    assert parameters(fitted).dtype == float


@each
def test_moving_takes_a_component_to_an_observation(case):
    table = draw(case)
    fitted = case.empty.fit(table)
    if not case.known.movable:
        with pytest.raises(NotImplementedError, match="cannot be moved"):
            fitted.moved_to(table.take(slice(0, 1)))
        return
    row = table.values[7:8].copy()
    row[0, 1] = np.nan
    moved = fitted.moved_to(Table(row))
    np.testing.assert_array_equal(parameters(moved)[:, 1], parameters(fitted)[:, 1])
    assert (parameters(moved)[:, [0, 2]] != parameters(fitted)[:, [0, 2]]).any()
    assert np.isfinite(moved.log_prob(Table(row))).all()


@each
def test_fit_returns_a_new_object_and_leaves_the_template(case):
    template = case.empty.prepare(draw(case), 1)
    fitted = template.fit(draw(case))
    assert fitted is not template
    assert not template.is_fitted
    assert fitted.n_parameters == 3 * len(fitted.parameters)


MIXTURES = {
    "Exponential": [
        Exponential([10, 1, 10]),
        Exponential([1, 20, 0.1]),
        Exponential([0.1, 0.5, 1]),
    ],
    "Gamma": [
        Gamma([2.0, 9.0], [1.0, 9.0]),
        Gamma([20.0, 9.0], [2.0, 1.0]),
        Gamma([30.0, 30.0], 1),
    ],
    "LogNormal": [LogNormal([0, 0], [1, 0.5]), LogNormal([3, 1], 0.5), LogNormal([0, 3], 0.5)],
    "Weibull": [Weibull([2, 9], [1, 1]), Weibull([9, 5], [4, 2]), Weibull([3, 3], [2, 6])],
    "Beta": [Beta([2, 20], [20, 20]), Beta([20, 20], [20, 2]), Beta([20, 2], [2, 20])],
    "Laplace": [Laplace([0, 0], [1, 0.5]), Laplace([9, 0], 0.5), Laplace([5, 5], 0.5)],
    "Uniform": [Uniform([0, 0], [1, 3]), Uniform([5, 0], [6, 3]), Uniform([3, 4], [4, 7])],
    "VonMises": [VonMises([0, 3], 9), VonMises([2, 0], [5, 20]), VonMises([-2, -2], 9)],
    "Bernoulli": [
        Bernoulli(np.repeat(rates, 6)) for rates in ([0.05, 0.9], [0.95, 0.9], [0.5, 0.05])
    ],
    "Geometric": [
        Geometric(np.repeat(rates, 3)) for rates in ([0.9, 0.02], [0.02, 0.9], [0.2, 0.2])
    ],
    "NegativeBinomial": [
        NegativeBinomial([5, 5], [0.1, 0.5]),
        NegativeBinomial([5, 5], [0.6, 0.9]),
        NegativeBinomial([20, 20], [0.4, 0.2]),
    ],
}


def draw_mixture(case, n=600, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(3, size=n)
    drawn = np.stack([one.sample(n, rng) for one in MIXTURES[case.name]])
    return drawn[labels, np.arange(n)], labels


def purity_of_the_truth(case, X, labels):
    values = np.stack([one.log_prob(Table(X)) for one in MIXTURES[case.name]])
    return purity_score(labels, values.argmax(axis=0))


@each
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_a_mixture_is_recovered(case, seed):
    X, labels = draw_mixture(case, seed=seed)
    init = "kmeans" if case.name == "Uniform" else "random"
    model = Mixture(case.empty, 3, init=init, random_state=seed).fit(X)
    assert purity_score(labels, model.labels_) > purity_of_the_truth(case, X, labels) - 0.03
    drawn, _ = model.sample(10)
    assert drawn.shape == (10, X.shape[1])
    assert np.isfinite(model.bic(X))


@each
def test_a_mixture_is_recovered_with_missing_values(case):
    X, labels = draw_mixture(case, 300)
    X = np.tile(X, 2)
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    init = "kmeans" if case.name == "Uniform" else "random"
    model = Mixture(case.empty, 3, init=init, random_state=0).fit(X)
    assert purity_score(labels, model.labels_) > 0.8
    assert model.predict_proba(X).shape == (300, 3)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@each
@pytest.mark.parametrize("init", ["points", "kmeans"])
def test_em_never_lowers_the_likelihood(case, init):
    if init == "points" and not case.known.movable:
        return
    X, _ = draw_mixture(case, 300)
    model = Mixture(case.empty, 3, algorithm="em", init=init, random_state=0).fit(X)
    slack = 1e-4 if case.name == "Bernoulli" else 1e-9  # pseudo-counts are no likelihood
    assert (np.diff(model.history_.score) > -slack).all()


@additive
def test_the_same_seed_gives_the_same_bits_for_any_number_of_jobs(case):
    X, _ = draw_mixture(case, 70_000)
    assert len(Table.of(X).blocks(3)) > 1
    one, two = (
        Mixture(case.empty, 3, algorithm="cem", init="kmeans", random_state=0, n_jobs=jobs).fit(X)
        for jobs in (1, 2)
    )
    assert one.lower_bound_ == two.lower_bound_
    for a, b in zip(one.components_, two.components_, strict=True):
        np.testing.assert_array_equal(parameters(a), parameters(b))


@additive
def test_tables_are_read_piece_by_piece_and_learned_from_a_stream(case):
    X, labels = draw_mixture(case, 3000)
    X[5, 0] = np.nan
    lazy = LazyTable(lambda start, stop: X[start:stop], X.shape)
    whole, pieces = (
        Mixture(case.empty, 3, algorithm="em", init="kmeans", random_state=0).fit(each)
        for each in (X, lazy)
    )
    np.testing.assert_array_equal(whole.labels_, pieces.labels_)
    stream = Mixture(case.empty, 3, algorithm="em", init="kmeans", random_state=0)
    for at in range(0, 3000, 1000):
        try:
            stream.partial_fit(X[at : at + 1000])
        except ValueError as error:
            assert case.name == "Uniform" and "impossible" in str(error)
            return
    assert purity_score(labels, stream.predict(X)) > purity_score(labels, whole.labels_) - 0.05


@particular
def test_values_outside_the_support_raise_an_error_with_column_and_row(case):
    for bad in case.refused:
        frame = pd.DataFrame({"age": draw(case, 9).values[:, 0], "income": case.constant})
        if case.constant in case.refused:
            frame["income"] = frame["age"]
        frame.loc[7, "income"] = bad
        message = rf"^Column 'income' of X holds {bad} in row 7, but {case.name} takes {case.takes}"
        model = Mixture(case.empty, 1, random_state=0).fit(frame.iloc[:5])
        for refuse in (
            lambda frame=frame: case.empty.observe(frame),
            lambda frame=frame: case.empty.prepare(Table.of(frame), 1),
            lambda frame=frame, model=model: model.predict(frame),
        ):
            with pytest.raises(ValueError, match=message):
                refuse()
        with pytest.raises(ValueError, match=f"^Column 2 of X holds {bad}, but {case.name} takes"):
            case.known.log_prob(Table(np.array([[np.nan, np.nan, bad]])))


@each
def test_bad_parameters_raise_an_error(case):
    first, *others = case.known.parameters
    rest = dict.fromkeys(others, 0.5)
    for bad in (np.nan, np.inf, "a", np.ones((2, 2)), []):
        with pytest.raises(ValueError, match=f"^{first} must be .*, one number for each column"):
            type(case.known)(**{first: bad}, **rest)
    with pytest.raises(ValueError, match="floor must be a number above 0 and at most 1"):
        type(case.known)(floor=0)
    if others:
        with pytest.raises(ValueError, match=f"has the parameters {first} and {others[0]}"):
            type(case.known)(0.25)
        with pytest.raises(ValueError, match="one number per column each"):
            type(case.known)([0.1, 0.2], [0.5, 0.6, 0.7])


@each
def test_an_unfitted_component_says_so(case):
    message = f"This {case.name} has no parameters yet: call fit first"
    for refuse in (
        lambda: case.empty.log_prob(draw(case)),
        lambda: case.empty.sample(1, np.random.default_rng(0)),
        lambda: case.empty.n_parameters,
    ):
        with pytest.raises(ValueError, match=message):
            refuse()


@each
def test_what_is_shown(case):
    assert repr(case.empty) == f"{case.name}()"
    shown = repr(case.empty.fit(draw(case)))
    assert shown.startswith(f"{case.name}({next(iter(case.known.parameters))}=[")
    assert "\n" not in shown and len(shown) < 120


@pytest.mark.parametrize("seed", range(3))
def test_components_of_very_different_scales_are_found_from_points(seed):
    """From a random split, two of these end as one: the third is all that matters at first."""
    known = [Exponential([100, 1]), Exponential([1, 100]), Exponential([0.01, 0.01])]
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(3), 200)
    X = np.concatenate([one.sample(200, rng) for one in known])
    model = Mixture(Exponential(), 3, init="points", random_state=seed).fit(X)
    assert purity_score(labels, model.labels_) > 0.97


@each
def test_states_of_a_hidden_markov_model_may_emit_it(case):
    sequences = [case.known.sample(30, np.random.default_rng(seed)) for seed in range(4)]
    fitted = HMM(2, emission=case.empty).fit(sequences)
    assert np.isfinite(fitted.log_prob(sequences)).all()


def test_single_numbers_are_parameters_of_one_column():
    assert repr(Gamma(2, 0.5)) == "Gamma(shape=[2.], rate=[0.5])"
    assert repr(LogNormal([0, 1], 2)) == "LogNormal(mean=[0. 1.], deviation=[2. 2.])"


def test_low_is_less_than_high():
    with pytest.raises(ValueError, match="low must be less than high"):
        Uniform(1, 0)


def test_angles_a_turn_apart_are_one():
    table = draw(next(case for case in CASES if case.name == "VonMises"))
    turned = Table(table.values + 2 * np.pi * np.random.default_rng(0).integers(-3, 3, (200, 3)))
    one, two = VonMises().fit(table), VonMises().fit(turned)
    np.testing.assert_allclose(parameters(one), parameters(two))
    np.testing.assert_allclose(one.log_prob(table), one.log_prob(turned), atol=1e-9)


@pytest.mark.parametrize("family", [Gamma, LogNormal, Weibull, Exponential])
def test_scaling_data_scales_the_distribution(family):
    x = np.random.default_rng(0).gamma(3.0, 1.0, (100, 2))
    one, two = family().fit(Table(x)), family().fit(Table(1e6 * x))
    expected = one.log_prob(Table(x)) - 2 * np.log(1e6)
    np.testing.assert_allclose(two.log_prob(Table(1e6 * x)), expected, rtol=1e-7)


def test_logarithms_far_from_zero_keep_their_digits():
    logs = 600 + 1e-4 * np.random.default_rng(0).standard_normal((1000, 1))
    fitted = LogNormal().fit(Table(np.exp(logs)))
    np.testing.assert_allclose(fitted.deviation, logs.std(axis=0), rtol=1e-8)


def test_counts_that_are_not_overdispersed_are_as_good_as_poisson():
    counts = np.random.default_rng(0).binomial(10, 0.5, (500, 1)).astype(float)
    fitted = NegativeBinomial().fit(Table(counts))
    expected = stats.poisson(counts.mean()).logpmf(counts)[:, 0]
    np.testing.assert_allclose(fitted.log_prob(Table(counts)), expected, atol=1e-4)


def test_an_outlier_does_not_set_the_least_scale():
    values = np.append(np.random.default_rng(0).laplace(size=999), 1e9)[:, None]
    prepared = Laplace().prepare(Table(values), 2)
    assert prepared.fit(Table(values[:500])).scale[0] < 2


def test_uniform_components_are_impossible_beyond_their_ends():
    fitted = Uniform([0, 0], [1, 2])
    values = fitted.log_prob(Table(np.array([[0.5, 2.0], [0.5, 2.1], [np.nan, 3.0]])))
    np.testing.assert_array_equal(values, [-np.log(2), -np.inf, -np.inf])


def test_many_counts_have_the_size_of_few_with_the_same_frequencies():
    """Rounding of frequencies, which add up with the rows, must not make counts look Poisson."""
    rng = np.random.default_rng(4)
    counts, weights = rng.negative_binomial(6, 0.6, (90, 1)), rng.uniform(0.1, 1, 90)
    few = NegativeBinomial().fit(Table.of(counts), weights=weights)
    many = Table.of(np.tile(counts, (3000, 1)))
    again = NegativeBinomial().fit(many, weights=np.tile(weights, 3000))
    np.testing.assert_allclose(again.size, few.size, rtol=1e-4)


@pytest.mark.parametrize("size", [1e-301, 1e-310, 5e-324])
def test_gamma_of_numbers_close_to_the_smallest_stays_finite(size):
    fitted = Gamma().fit(Table.of(np.full((3, 1), size)))
    assert np.isfinite(fitted.rate).all() and np.isfinite(fitted.shape).all()
    assert np.isfinite(fitted.log_prob(Table.of([[size]]))).all()
