"""Families by their names, as in the command, and with settings that searches change."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from boltzmix import Mixture, compare, load
from boltzmix.data import Sequences
from boltzmix.datasets import make_mixture
from boltzmix.families import FAMILIES, HMM, Family, Gaussian
from boltzmix.families.named_families import as_family, settings_of, with_settings

X, _ = make_mixture(200, 2, 2, separation=5, random_state=0)
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_name_of_the_command_is_a_family_in_python(name):
    assert type(as_family(name)) is FAMILIES[name]
    assert type(as_family(name.replace("-", "_").upper())) is FAMILIES[name]


def test_a_name_stands_for_the_family_with_its_defaults(tmp_path):
    by_name = Mixture("gaussian", 2, random_state=0).fit(X)
    by_object = Mixture(Gaussian(), 2, random_state=0).fit(X)
    assert by_name.lower_bound_ == by_object.lower_bound_
    by_name.save(tmp_path / "named.bmix")
    same = load(tmp_path / "named.bmix")
    assert same.family == "gaussian"
    np.testing.assert_array_equal(same.predict_proba(X), by_name.predict_proba(X))


def test_families_are_compared_by_name():
    found = compare(X, families=["gaussian", "student-t"], n_components=2, random_state=0)
    assert {one.model.family for one in found} == {"gaussian", "student-t"}


@pytest.mark.parametrize(
    ("family", "message"),
    [
        (3, "for 3 components, pass n_components=3"),
        ("gausian", "did you mean 'gaussian'"),
        ("xyz", "There is no family 'xyz': the names are auto, bernoulli"),
        (Gaussian, r"the class Gaussian: pass an object of it, Gaussian\(\)"),
        (True, "must be a Family such as"),
    ],
)
def test_what_is_no_family_raises_with_a_hint(family, message):
    with pytest.raises(ValueError, match=message):
        Mixture(family).fit(X)


@pytest.mark.parametrize("family", [None, "auto", Gaussian()])
@pytest.mark.parametrize(
    "sequences",
    [
        [RNG.normal(size=(5, 2)), RNG.normal(size=(7, 2))],
        [RNG.normal(size=5), RNG.normal(size=7)],
        Sequences.of([RNG.normal(size=(5, 2)), RNG.normal(size=(7, 2))]),
    ],
)
def test_sequences_without_a_family_of_sequences_say_so(family, sequences):
    with pytest.raises(ValueError, match=r"X has sequences, but .* Mixture\('hmm', 3\)"):
        Mixture(family, 2).fit(sequences)


def test_lists_of_rows_are_tables():
    assert Mixture("gaussian", 2, random_state=0).fit(list(X)).n_features_in_ == 2


def test_a_grid_search_finds_settings_of_the_family():
    grid = {"family__covariance": ["spherical", "full"], "family__prior": [0.0, 5.0]}
    search = GridSearchCV(Mixture("gaussian", 2, random_state=0), grid, cv=2).fit(X)
    assert [str(one["family__covariance"]) for one in search.cv_results_["params"]] == [
        "spherical", "spherical", "full", "full",
    ]  # fmt: skip
    best = search.best_estimator_.family
    assert {f"family__{name}": getattr(best, name) for name in ("covariance", "prior")} == (
        search.best_params_
    )


def test_settings_are_set_through_a_pipeline_and_survive_a_clone():
    pipeline = make_pipeline(StandardScaler(), Mixture(HMM(3, Gaussian("diag")), 2))
    pipeline.set_params(mixture__family__emission__covariance="full", mixture__family__n_states=4)
    family = clone(pipeline)[-1].family
    assert (family.n_states, family.emission.covariance) == (4, "full")


def test_a_family_and_its_settings_are_set_together():
    model = Mixture().set_params(family__covariance="diag", family="gaussian")
    assert (type(model.family), model.family.covariance) == (Gaussian, "diag")


def test_the_family_that_was_passed_does_not_change():
    family = Gaussian()
    Mixture(family).set_params(family__covariance="diag")
    assert family.covariance == "full"


def test_unknown_settings_raise():
    hint = r"did you mean 'covariance'\? Its settings are covariance, ridge, prior, resolution\.$"
    with pytest.raises(ValueError, match=f"Gaussian has no setting 'covarianc': {hint}"):
        Mixture("gaussian").set_params(family__covarianc="diag")
    with pytest.raises(ValueError, match="'covariance' of Gaussian is no family but 'full'"):
        Mixture("gaussian").set_params(family__covariance__prior=1)
    with pytest.raises(ValueError, match="Invalid parameter 'familly'"):
        Mixture("gaussian").set_params(familly="diag")


def test_parameters_of_a_mixture_with_a_wrong_family_can_be_read():
    assert Mixture(3).get_params()["family"] == 3


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_with_its_own_settings_is_the_same(name):
    family = as_family(name)
    settings = settings_of(family)
    same = with_settings(family, settings)
    assert settings_of(same).keys() == settings.keys()


class Own(Family):
    """A family that keeps an argument under its own name, as scikit-learn's estimators do."""

    def __init__(self, width=1.0):
        self.width = width

    def fit(self, data, *, weights=None, rng=None):
        return self

    def log_prob(self, data):
        return -0.5 * (np.asarray(data)[:, 0] / self.width) ** 2


def test_a_family_of_your_own_has_settings():
    assert Mixture(Own(2.0)).get_params()["family__width"] == 2.0
    assert Mixture(Own()).set_params(family__width=3.0).family.width == 3.0
