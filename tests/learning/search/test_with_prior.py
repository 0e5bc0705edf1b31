"""A search without a prior finds what one with a prior finds."""

import numpy as np
import pandas as pd
import pytest

from boltzmix import EM, Mixture
from boltzmix.families import Bernoulli, Categorical, MarkovChain, Multinomial, Product
from tests.inference.carcinoma import carcinoma

CARCINOMA = carcinoma()
COLUMNS = tuple(CARCINOMA)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "family",
    [Categorical(prior=0), Bernoulli(prior=0), Product({COLUMNS: Categorical(prior=0)})],
    ids=["categorical", "bernoulli", "product"],
)
def test_three_latent_classes_reach_the_greatest_likelihood(family, seed):
    model = Mixture(family, 3, random_state=seed).fit(CARCINOMA)
    assert model.score_samples(CARCINOMA).sum() == pytest.approx(-293.705, abs=0.01)


@pytest.mark.parametrize("seed", range(2))
def test_four_latent_classes_do_not_end_in_a_worse_maximum(seed):
    model = Mixture(Categorical(prior=0), 4, random_state=seed).fit(CARCINOMA)
    assert model.score_samples(CARCINOMA).sum() > -289.5  # the second best is -289.789


def test_components_have_the_prior_they_were_given():
    model = Mixture(Categorical(prior=0), 3, random_state=0).fit(CARCINOMA)
    assert all(one.prior == 0 and one.frequencies is None for one in model.components_)
    longer = Mixture(
        Categorical(prior=0), 3, algorithm=EM(1e-9), init=model.predict_proba(CARCINOMA)
    ).fit(CARCINOMA)
    gained = longer.score_samples(CARCINOMA).sum() - model.score_samples(CARCINOMA).sum()
    assert gained == pytest.approx(0, abs=0.05)


def test_counts_and_chains_can_be_searched_without_a_prior():
    rng = np.random.default_rng(0)
    side = np.arange(60) % 2
    counts = rng.multinomial(8, [0.7, 0.3, 0.0], 60)
    counts[side == 1] = rng.multinomial(8, [0.0, 0.2, 0.8], 30)
    chains = [rng.choice(2, (9, 1), p=[0.9, 0.1] if one else [0.1, 0.9]) for one in side]
    for family, X in ((Multinomial(prior=0), counts), (MarkovChain(prior=0), chains)):
        model = Mixture(family, 2, random_state=0).fit(X)
        assert all(one.prior == 0 for one in model.components_)
        assert pd.crosstab(model.labels_, side).to_numpy().max(axis=1).sum() >= 58
