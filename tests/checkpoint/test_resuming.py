"""A fit that was interrupted, whatever it learns and how, goes on to the same bits."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

import boltzmix
from boltzmix import SMEM, GaussianMixture, Mixture
from boltzmix.data import LazyTable
from boltzmix.families import HMM, FunctionFamily, Gaussian, GaussianProcess, Poisson, Product
from tests.own_family_file import Rayleigh

from .runs import SQUARE, Interrupt, bits, interrupted, sequences

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(RNG.choice([2.0, 9.0], (120, 1)), (120, 2)).astype(float)
LENGTHS = RNG.rayleigh(RNG.choice([0.5, 8.0], (120, 1)))
ANGLES = np.sort(RNG.uniform(0, 6, 40))[:, None]
WAVES = np.where(RNG.random(40) < 0.5, np.sin, np.cos)
WAVES = np.array([f(x) for f, x in zip(WAVES, ANGLES[:, 0], strict=True)]) + RNG.normal(0, 0.1, 40)
KNOWN = np.where(np.arange(len(SQUARE)) < 20, np.arange(len(SQUARE)) % 4, -1)


def unit_log_prob(rows, mean):
    return -((rows - mean) ** 2).sum(axis=1) / 2 - np.log(2 * np.pi)


FUNCTIONS = FunctionFamily(lambda rows: rows.mean(axis=0), unit_log_prob)
CASES = {
    "auto": (Mixture(n_components=4, n_init=2), (SQUARE,)),
    "searched": (Mixture(Gaussian(), 5, init="random"), (SQUARE,)),
    "smem": (Mixture(Gaussian(), 4, algorithm=[SMEM(), "em"], init="random"), (SQUARE,)),
    "noise": (Mixture(n_components=4, noise=True), (SQUARE,)),
    "known labels": (Mixture(n_components=4), (SQUARE, None, None, KNOWN)),
    "known labels, hard": (Mixture(n_components=4, algorithm="beem"), (SQUARE, None, None, KNOWN)),
    "sample weights": (Mixture(n_components=4), (SQUARE, None, np.arange(len(SQUARE)))),
    "path over K": (Mixture(n_components=range(2, 6)), (SQUARE,)),
    "open path over K": (Mixture(n_components="auto", criterion="bic"), (SQUARE,)),
    "numbers by themselves": (Mixture(n_components=[2, 4], noise=True), (SQUARE,)),
    "sequences": (Mixture(HMM(2), 2), (sequences(),)),
    "curves": (Mixture(GaussianProcess(), 2), (ANGLES, WAVES)),
    "mixed table": (
        Mixture(Product({(0,): Gaussian(), (1,): Poisson()}), 2, algorithm="em"),
        (COUNTS,),
    ),
    "own family": (Mixture(Rayleigh(), 2, algorithm="em", init="random"), (LENGTHS,)),
    "own functions": (Mixture(FUNCTIONS, 4, algorithm="cem", init="random"), (SQUARE,)),
    "as in scikit-learn": (GaussianMixture(4, init_params="random", tol=1e-6), (SQUARE,)),
}
LONG = ("path over K", "numbers by themselves")  # an open path is like them
RECIPES = ("em", "beem", "cem", "sem", "daem")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def cloned(model, random_state=0):
    def make(**more):
        return clone(model).set_params(random_state=random_state, **more)

    return make


@pytest.mark.parametrize(
    "case", [pytest.param(one, marks=[pytest.mark.slow] * (one in LONG)) for one in CASES]
)
def test_an_interrupted_fit_goes_on_to_the_same_bits(case, tmp_path):
    model, given = CASES[case]
    make, watch = cloned(model), Interrupt()
    expected = make(verbose=watch).fit(*given)
    pauses = watch.n_seen // 2, 1
    found, n_seen = interrupted(make, lambda one: one.fit(*given), tmp_path / "run.bmix", pauses)
    assert bits(found) == bits(expected)
    assert n_seen < watch.n_seen
    if hasattr(expected, "comparison_"):
        assert found.comparison_.rows()[0].keys() == expected.comparison_.rows()[0].keys()


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("share", [0.2, 0.9])
def test_no_iteration_is_made_twice(recipe, share, tmp_path):
    make = cloned(Mixture(Gaussian(), 5, algorithm=recipe, init="random"))
    watch = Interrupt()
    expected = make(verbose=watch).fit(SQUARE)
    first = max(int(share * watch.n_seen), 1)
    found, n_seen = interrupted(
        make, lambda one: one.fit(SQUARE), tmp_path / "run.bmix", (first, 1)
    )
    assert bits(found) == bits(expected)
    assert n_seen == watch.n_seen - first - 1


def test_a_fit_that_ended_is_read_from_its_checkpoint(tmp_path):
    X = np.tile(SQUARE, (500, 1))  # whose fit takes long enough to be recorded
    make = cloned(Mixture(n_components=4, algorithm="em", init="random", max_iter=40))
    expected = make(checkpoint=tmp_path / "run.bmix").fit(X)
    found, n_seen = interrupted(make, lambda one: one.fit(X), tmp_path / "run.bmix", ())
    assert bits(found) == bits(expected)
    assert n_seen <= expected.n_iter_


@pytest.mark.parametrize(
    "model", [Mixture(Gaussian(), 4), GaussianMixture(4, init_params="random", tol=1e-6)]
)
def test_a_seed_from_the_system_is_used_again(model, tmp_path):
    make = cloned(model, random_state=None)
    try:
        make(checkpoint=tmp_path / "run.bmix", verbose=Interrupt(3)).fit(SQUARE)
    except KeyboardInterrupt:
        (tmp_path / "copy.bmix").write_bytes((tmp_path / "run.bmix").read_bytes())
    one = make(checkpoint=tmp_path / "run.bmix").fit(SQUARE)
    other = make(checkpoint=tmp_path / "copy.bmix").fit(SQUARE)
    assert bits(one) == bits(other)


def test_the_number_of_threads_may_change(tmp_path):
    make = cloned(Mixture(Gaussian(), 4, init="random"))
    with pytest.raises(KeyboardInterrupt):
        make(checkpoint=tmp_path / "run.bmix", n_jobs=1, verbose=Interrupt(9)).fit(SQUARE)
    found = make(checkpoint=tmp_path / "run.bmix", n_jobs=2).fit(SQUARE)
    assert bits(found) == bits(make().fit(SQUARE))


def test_rows_that_are_read_piece_by_piece(tmp_path):
    table = LazyTable(lambda start, stop: SQUARE[start:stop], SQUARE.shape, piece=64)
    make = cloned(Mixture(Gaussian(), 4, init="random"))
    with pytest.raises(KeyboardInterrupt):
        make(checkpoint=tmp_path / "run.bmix", verbose=Interrupt(9)).fit(table)
    found = make(checkpoint=tmp_path / "run.bmix").fit(table)
    assert bits(found) == bits(make().fit(table))
    other = LazyTable(lambda start, stop: 2 * SQUARE[start:stop], SQUARE.shape, piece=64)
    with pytest.raises(boltzmix.CheckpointError, match="the data are not the same"):
        make(checkpoint=tmp_path / "run.bmix").fit(other)


def test_a_dask_array(tmp_path):
    chunks = pytest.importorskip("dask.array").from_array(SQUARE, chunks=(60, 2))
    make = cloned(Mixture(Gaussian(), 4, init="random"))
    path, watch = tmp_path / "run.bmix", Interrupt()
    with pytest.raises(KeyboardInterrupt):
        make(checkpoint=path, verbose=Interrupt(9)).fit(chunks)
    found = make(checkpoint=path, verbose=watch).fit(chunks)
    whole = make(checkpoint=tmp_path / "other.bmix").fit(chunks)
    assert (found.weights_ == whole.weights_).all()
    assert (found.history_.score == whole.history_.score).all()
    assert 0 < watch.n_seen <= len(whole.history_) + sum(map(len, whole.history_.trials)) - 9
    with pytest.raises(boltzmix.CheckpointError, match="the data are not the same"):
        make(checkpoint=path).fit(chunks[:-1])


def test_a_model_does_not_keep_the_path_of_its_checkpoint(tmp_path):
    model = Mixture(n_components=4, random_state=0, checkpoint=tmp_path / "run.bmix").fit(SQUARE)
    model.save(tmp_path / "model.bmix")
    loaded = boltzmix.load(tmp_path / "model.bmix")
    assert loaded.checkpoint is None
    assert (loaded.predict(SQUARE) == model.labels_).all()
