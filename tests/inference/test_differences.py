"""Tests of the sentences that say how components differ."""

import numpy as np
import pandas as pd
import pytest

from boltzmix import Mixture
from boltzmix.families import Gaussian


def differences(frame, labels, **settings):
    """Return the sentences of a mixture that has these labels."""
    model = Mixture("auto", int(labels.max()) + 1, init=labels, algorithm="em", **settings)
    model.fit(frame)
    order = [int(np.bincount(labels[model.labels_ == k]).argmax()) for k in range(labels.max() + 1)]
    found = model.profiles(frame).differences
    return [found[order.index(k)] for k in range(len(order))]


@pytest.mark.filterwarnings("ignore::boltzmix.DegenerateMixtureWarning")  # both are narrow
def test_the_clearest_difference_comes_first_with_both_means():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 200)
    frame = pd.DataFrame(
        {
            "same": rng.normal(size=400),
            "little": rng.normal(3 * labels, 1.5),
            "much": rng.normal(1000 + 5000 * labels, 50),
        }
    )
    low, high = differences(frame, labels)
    assert low.startswith("Here much is lower (99")
    assert "others 6,00" in low
    assert "little is lower" in low
    assert "same" not in low
    assert high.index("much is higher") < high.index("little is higher")


def test_categories_are_compared_by_how_often_they_are():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 300)
    city = np.where(rng.random(600) < 0.9, np.array(["York", "Bath"])[labels], "Ely")
    one, other = differences(pd.DataFrame({"city": city, "x": rng.normal(9 * labels)}), labels)
    assert "city is York more often (9" in one or "city is Bath less often (0%, others 9" in one
    assert "city is Bath more often (9" in other or "city is York less often (0%, others 9" in other


def test_a_component_in_the_middle_is_said_to_be_there():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1, 2], 200)
    sentences = differences(pd.DataFrame({"x": rng.normal(10 * labels, 1.0)}), labels)
    assert "x is lower" in sentences[0]
    assert sentences[1].startswith("Here x lies in between (9.9)")
    assert "x is higher" in sentences[2]


def test_components_of_equal_means_differ_in_their_spread():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (500, 2)), rng.normal(0, 9, (500, 2))])
    model = Mixture(Gaussian(), 2, random_state=0).fit(X)
    found = sorted(model.profiles(X).differences)
    assert all("Its means are like those of all others, but" in one for one in found)
    assert "varies less" in found[0] + found[1]
    assert "varies more" in found[0] + found[1]


def test_a_single_component_has_nothing_to_differ_from():
    X = np.random.default_rng(0).normal(size=(50, 2))
    model = Mixture(Gaussian(), 1, random_state=0).fit(X)
    assert model.profiles(X).differences == ["It is the only component."]
