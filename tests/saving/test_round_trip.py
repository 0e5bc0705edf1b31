"""A loaded model is bitwise equal to the saved one, for every family."""

import warnings

import numpy as np
import pandas as pd
import pytest
from own_family import Exponential as OwnExponential
from scipy import stats
from sklearn.gaussian_process import kernels
from sklearn.neighbors import KernelDensity

import boltzmix
from boltzmix import BEEM, EM, GaussianMixture, Mixture, Swaps, Tracks, families
from boltzmix.checks.case import find_data
from boltzmix.families import (
    HMM,
    Categorical,
    FunctionFamily,
    Gaussian,
    GaussianProcess,
    LinearRegression,
    Logarithms,
    MarkovChain,
    Poisson,
    Product,
    RobustGaussian,
    ScipyFamily,
    SklearnFamily,
    StudentT,
    replaced,
)
from boltzmix.learning import Recipe
from boltzmix.saving.registry import KERNELS, NOT_SAVED
from experiments.baselines import ThompsonMixture
from tests.test_checks import FAMILIES, SUPPORTED

X, _ = boltzmix.datasets.make_square(random_state=0)
RNG = np.random.default_rng(0)
MISSING = np.where(RNG.random(X.shape) < 0.1, np.nan, X)
MIXED = pd.DataFrame(
    {
        "age": RNG.normal(40, 9, 120).round(1),
        "visits": RNG.poisson(3, 120),
        "colour": RNG.choice(["red", "blue", "gr\u00fcn"], 120),
        "member": RNG.random(120) < 0.4,
    }
)
PARTS = {("age",): Gaussian(), "colour": Categorical(), "member": Categorical()}
CHAINS = [RNG.normal(side * 3, 1, (RNG.integers(5, 9), 2)) for side in (0, 1) for _ in range(12)]
INPUTS = RNG.uniform(0, 5, (40, 1))
TARGETS = np.sin(INPUTS[:, 0]) + RNG.normal(0, 0.1, 40)

CASES = {
    **{repr(one): (one, find_data(one, 0), None) for one in FAMILIES if type(one) not in NOT_SAVED},
    **{type(one).__name__: (one, data, None) for one, data in SUPPORTED},
    "missing full": (Gaussian(), MISSING, None),
    "missing diag": (Gaussian("diag"), MISSING, None),
    "robust": (RobustGaussian(), X, None),
    "robust missing": (RobustGaussian(), MISSING, None),
    "missing EVI": (Gaussian("EVI"), MISSING, None),
    "missing VEV": (Gaussian("VEV"), MISSING, None),
    "robust VVE": (RobustGaussian(covariance="VVE"), X, None),
    "robust tied": (RobustGaussian(covariance="tied"), X, None),
    "robust rounded": (RobustGaussian(covariance="diag"), X.round(0), None),
    "ten columns": (Gaussian(), RNG.normal(size=(300, 20)), None),
    "auto": ("auto", MIXED, None),
    "logarithms": (Logarithms(columns=(0,)), np.abs(X), None),
    "product": (Product(PARTS), MIXED, None),
    "product of numbers": (Product({0: Poisson(), 2: Gaussian()}), RNG.poisson(4, (90, 3)), None),
    "product with scipy": (Product({0: ScipyFamily(stats.norm), 1: StudentT()}), X, None),
    "hmm mask": (HMM(2, topology=np.array([[True, True], [False, True]])), CHAINS, None),
    "hmm student": (HMM(2, StudentT()), CHAINS, None),
    "hmm tied": (HMM(3, Gaussian("tied")), CHAINS, None),
    "scipy new": (ScipyFamily(stats.Normal, start={"mu": 0, "sigma": 1}), X[:, :1], None),
    "regression": (LinearRegression(degree=3), INPUTS, TARGETS),
    "two targets": (LinearRegression(), INPUTS, np.c_[TARGETS, -TARGETS]),
    "gp two targets": (GaussianProcess(held_out=False), INPUTS, np.c_[TARGETS, -TARGETS]),
}
PUBLIC = [getattr(boltzmix, name) for name in boltzmix.__all__]
RECIPES = [one for one in PUBLIC if isinstance(one, type) and issubclass(one, Recipe)]


def fitted(family, X, y=None, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        defaults = {"n_components": 2, "random_state": 0, "max_iter": 4, "algorithm": "cem"}
        options = {**defaults, **options}
        return Mixture(family, **options).fit(X, y)


def assert_same(model, same, X, y=None):
    """Check that two models give bitwise equal results."""
    for method in ("predict", "predict_proba", "score_samples"):
        one, other = getattr(model, method)(X, y), getattr(same, method)(X, y)
        assert one.dtype == other.dtype and np.array_equal(one, other), method
    for method in ("bic", "icl"):
        assert outcome(model, method, X, y) == outcome(same, method, X, y)
    drawn, again = outcome(model, "sample", 7), outcome(same, "sample", 7)
    assert repr(drawn) == repr(again)
    assert repr(same.components_) == repr(model.components_)
    assert np.array_equal(same.labels_, model.labels_)
    assert np.array_equal(same.weights_, model.weights_)
    assert same.noise_weight_ == model.noise_weight_
    assert repr(same) == repr(model)
    for name in ("n_iter_", "converged_", "lower_bound_", "n_features_in_"):
        assert getattr(same, name) == getattr(model, name)
    for name in ("phase", "iteration", "temperature", "score", "counts"):
        assert np.array_equal(getattr(same.history_, name), getattr(model.history_, name))


def outcome(model, method, *arguments):
    try:
        return getattr(model, method)(*arguments)
    except (NotImplementedError, ValueError) as error:
        return str(error)


def saved(model, folder, **options):
    model.save(folder / "m.bmix")
    return boltzmix.load(folder / "m.bmix", **options)


@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_every_family_is_bitwise_equal_after_loading(case, noise, tmp_path):
    family, X, y = CASES[case]
    model = fitted(family, X, y, noise=noise)
    own = [OwnExponential] if isinstance(family, OwnExponential) else []
    assert_same(model, saved(model, tmp_path, families=own), X, y)


def test_every_family_is_among_the_cases():
    kinds = [getattr(families, name) for name in families.__all__]
    concrete = {
        kind
        for kind in kinds
        if isinstance(kind, type)
        and issubclass(kind, families.Family)
        and not kind.__abstractmethods__
    }
    covered = {type(family) for family, _, _ in CASES.values()}
    assert concrete - covered == {families.Automatic, *NOT_SAVED}  # "auto" is among the cases


@pytest.mark.parametrize("covariance", ["full", "tied", "diag", "spherical", "EEI", "VEV"])
def test_gaussian_mixtures_are_equal_after_loading(covariance, tmp_path):
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = GaussianMixture(4, covariance_type=covariance, random_state=0, means_init=X[:4])
    same = saved(model.fit(frame), tmp_path)
    assert_same(model, same, frame)
    for name in ("means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert np.array_equal(getattr(same, name), getattr(model, name))
    assert list(same.feature_names_in_) == ["a", "b"]
    assert np.array_equal(same.fit(frame).means_, model.fit(frame).means_)


def kernel_of(kind):
    base = kernels.RBF(0.7)
    given = {
        kernels.Sum: (base, kernels.WhiteKernel()),
        kernels.Product: (kernels.ConstantKernel(2.0, "fixed"), base),
        kernels.Exponentiation: (base, 2),
    }
    return kind(*given.get(kind, ()))


@pytest.mark.parametrize("kind", KERNELS.values(), ids=lambda kind: kind.__name__)
def test_every_kernel_is_equal_after_loading(kind, tmp_path):
    kernel = kernel_of(kind) + kernels.RBF([0.5])
    model = fitted(GaussianProcess(kernel, n_steps=0), INPUTS, TARGETS, algorithm="cem")
    same = saved(model, tmp_path)
    assert_same(model, same, INPUTS, TARGETS)
    assert same.components_[0].kernel == model.components_[0].kernel


def test_a_users_own_kernel_raises(tmp_path):
    class Mine(kernels.RBF):
        pass

    model = fitted(GaussianProcess(Mine()), INPUTS, TARGETS, max_iter=2)
    with pytest.raises(ValueError, match=r"kernel is of type Mine, and model files hold numbers"):
        model.save(tmp_path / "m.bmix")


@pytest.mark.parametrize(
    "generator", [np.random.default_rng(3), np.random.RandomState(3), 2**63, np.int64(4)]
)
def test_random_states_are_equal_after_loading(generator, tmp_path):
    model = Mixture(n_components=2, random_state=generator, max_iter=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)
    same = saved(model, tmp_path)
    assert np.array_equal(model.sample(5)[0], same.sample(5)[0])


def first_half(data, n_components, rng):
    return np.arange(len(data)) % n_components


def test_functions_are_saved_only_by_name(tmp_path):
    model = Mixture(n_components=2, init=first_half, verbose=lambda state: None).fit(X)
    same = saved(model, tmp_path)
    assert same.init == "first_half (not saved)"
    assert same.verbose == 0
    assert np.array_equal(same.predict(X), model.predict(X))
    with pytest.raises(ValueError, match=r"init .*first_half \(not saved\)"):
        same.fit(X)


@pytest.mark.parametrize(
    "algorithm",
    [
        BEEM(temperature=2.0, patience=3), [BEEM(patience=2), "em"], (EM(1e-3), "cem"),
        *(recipe() for recipe in RECIPES if recipe not in (Swaps, Tracks)),
    ],
)  # fmt: skip
def test_recipes_are_equal_after_loading(algorithm, tmp_path):
    model = Mixture(n_components=2, algorithm=algorithm, random_state=0, n_jobs=2).fit(X)
    same = saved(model, tmp_path)
    assert same.algorithm == algorithm
    assert np.array_equal(same.fit(X).score_samples(X), model.score_samples(X))


@pytest.mark.parametrize("init", [np.arange(len(X)) % 2, (np.arange(len(X)) % 2).tolist()])
def test_init_labels_are_equal_after_loading(init, tmp_path):
    model = Mixture(n_components=2, init=init, random_state=0).fit(X)
    assert np.array_equal(saved(model, tmp_path).init, init)


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")
@pytest.mark.parametrize("family", [Gaussian(), MarkovChain(), HMM(2), Poisson(), StudentT()])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_loaded_stream_continues_as_the_saved_one(family, tmp_path):
    data = find_data(family, 1)
    model = Mixture(family, 2, random_state=0, max_iter=5)
    model.partial_fit(data).partial_fit(data.take(slice(0, 20)))
    same = saved(model, tmp_path)
    more = data.take(slice(10, 30))
    assert np.array_equal(
        same.partial_fit(more).score_samples(data), model.partial_fit(more).score_samples(data)
    )


class Shifted(families.Exponential):
    """A user's own family, derived from a family of boltzmix."""


def test_load_needs_the_classes_of_a_users_own_families(tmp_path):
    waits = RNG.exponential(2.0, (60, 1))
    model = fitted(OwnExponential(), waits)
    with pytest.raises(boltzmix.ModelFileError, match=r"hand its class over.*\[Exponential\]"):
        saved(model, tmp_path)
    with pytest.raises(ValueError, match="families must be classes derived from"):
        saved(model, tmp_path, families=["Exponential"])
    assert_same(model, saved(model, tmp_path, families=[OwnExponential]), waits)
    inside = fitted(Product({0: Shifted(), 1: Gaussian()}), np.c_[waits, waits])
    same = saved(inside, tmp_path, families=[Shifted])
    assert isinstance(same.components_[0].parts[0], Shifted)


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (SklearnFamily(KernelDensity()), "SklearnFamily cannot be saved: it holds an estimator"),
        (
            FunctionFamily(lambda x: x.mean(0), lambda x, m: -((x - m) ** 2).sum(1)),
            "FunctionFamily cannot be saved: it holds functions",
        ),
        (LinearRegression(features=np.sin), r"features is a function, and model files hold"),
        (
            ScipyFamily(type(stats.norm)(name="norm")),
            "ScipyFamily cannot be saved: scipy.stats has no distribution of its own",
        ),
    ],
    ids=["sklearn", "functions", "features", "distribution"],
)
def test_families_that_hold_code_raise_and_keep_the_old_file(family, words, tmp_path):
    path = tmp_path / "m.bmix"
    path.write_bytes(b"old")
    curves = isinstance(family, LinearRegression)
    data = (INPUTS, TARGETS) if curves else (X[:, :1], None)
    model = fitted(family, *data, max_iter=3, algorithm="cem")
    with pytest.raises(ValueError, match=words):
        model.save(path)
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["m.bmix"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    model = fitted(Gaussian(), X)
    path = tmp_path / "m.bmix"
    model.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(
        "zipfile.ZipFile.writestr", lambda *_: (_ for _ in ()).throw(OSError("full"))
    )
    with pytest.raises(OSError, match="full"):
        fitted(Gaussian(), X, n_components=3).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["m.bmix"]


def test_equal_models_give_equal_files_and_about_is_saved(tmp_path):
    about = {"source": "square.csv", "columns": ["x", "y"], "limits": (0.5, float("inf"))}
    model = fitted(Gaussian(), X)
    for name in ("one", "two"):
        model.save(tmp_path / name, about=about)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    same = boltzmix.load(str(tmp_path / "one"))
    assert same.about_ == about
    assert set(same.written_by_) == {"boltzmix", "numpy", "scipy", "scikit-learn"}


class WithoutLength(HMM):
    """A hidden Markov model whose fit does not store the mean length."""

    def from_statistics(self, statistics, rng=None):
        return replaced(super().from_statistics(statistics, rng), mean_length=None)


def test_components_without_optional_parameters_can_be_saved(tmp_path):
    model = fitted(WithoutLength(2), CHAINS)
    assert [component.mean_length for component in model.components_] == [None, None]
    assert_same(model, saved(model, tmp_path, families=[WithoutLength]), CHAINS)


def test_categories_that_are_not_text_raise(tmp_path):
    days = np.array([[np.datetime64(f"2024-01-0{d}").item()] for d in (1, 2, 3)] * 9, dtype=object)
    model = fitted(Product({0: Categorical()}), days)
    with pytest.raises(ValueError, match=r"categories\[0\]\[0\] is of type date, and model files"):
        model.save(tmp_path / "m.bmix")


def test_a_model_that_cannot_be_loaded_is_not_saved(tmp_path):
    frame = pd.DataFrame(X, columns=["a", "\x1b[31m"])
    with pytest.raises(
        ValueError, match="could not be read back: it holds text that could command"
    ):
        Mixture().fit(frame).save(tmp_path / "m.bmix")
    assert not list(tmp_path.iterdir())


class MyMixture(Mixture):
    pass


@pytest.mark.parametrize(
    ("model", "path", "words"),
    [
        (Mixture(), "m.bmix", "is not fitted yet"),
        (MyMixture().fit(X), "m.bmix", "MyMixture cannot be saved, since load would not know"),
        (ThompsonMixture().fit(X), "m.bmix", "ThompsonMixture cannot be saved, since load would"),
        (Mixture().fit(X), "nowhere/m.bmix", "nowhere does not exist: make it first"),
        (Mixture().fit(X), ".", "is a folder: name a file"),
    ],
    ids=["unfitted", "subclass", "baseline", "folder", "no file"],
)
def test_models_and_paths_that_cannot_be_saved_raise(model, path, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        model.save(tmp_path / path)
