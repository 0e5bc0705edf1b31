import numpy as np
import pytest

from boltzmix.data import Table
from boltzmix.families import Bernoulli, Categorical, Gamma, Gaussian, Poisson, StudentT, VonMises
from boltzmix.views import describe_columns


@pytest.mark.parametrize(
    "family, words",
    [
        (Gaussian(), "1.5 ± 0.9"),
        (Gamma(), "mean 1.5"),
        (Poisson(), "rate 1.5"),
        (Categorical(smoothing=0), "one (75%)"),
        (VonMises(), "direction 1."),
    ],
)
def test_a_column_is_told_in_a_few_words(family, words):
    X = Table.of([[1], [3], [1], [1]])
    (told,) = describe_columns(family.fit(X), ["x"], {"x": ["zero", "one", "two", "three"]})
    assert told.replace("\N{NO-BREAK SPACE}", " ").startswith(words)


def test_heavy_tails_are_told_by_their_centre_and_scale():
    X = Table.of(np.random.default_rng(0).normal(5, 2, size=(500, 2)))
    told = describe_columns(StudentT().fit(X), ["x", "y"], {})
    assert all("±" in one for one in told)


def test_truth_is_told_by_the_likelier_value():
    X = Table.of([[1], [1], [1], [0]])
    told = describe_columns(Bernoulli(smoothing=0).fit(X), ["x"], {"x": [False, True]})
    assert told == ["True (75%)"]


def test_what_has_no_columns_is_not_told():
    assert describe_columns(object(), ["x"], {}) is None
