"""One of the mixtures that are compared: measures of its training data, and criteria."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import add
from typing import Any

import numpy as np

from ..data import FloatArray, InputError, check_choice, marked
from ..learning import MixtureState, TrainingData, Workers
from ..learning.parts.assignment import log_likelihood, responsibilities
from ..learning.parts.objective import mean_objective
from .words import AGREEMENT


@dataclass(frozen=True, eq=False)
class Measures:
    """Likelihoods and labels of the training data by a fitted mixture.

    Parameters
    ----------
    n_observations : float
        Their number, or the sum of their sample weights; for sequences, that of their steps.
    log_likelihood : float
        Of all of them. For curves, whose points depend on each other, a bound on that of all of
        them together.
    robust_log_likelihood : float
        The same with a background of outliers, if the mixture was learned with one.
    certainty : float
        Sum of the logarithm of each observation's largest responsibility.
    entropy : float
        Mean entropy of an observation's responsibilities, in nats.
    sizes : array, shape (K,)
        Total responsibility of each component.
    smallest : float
        Number of observations, or sum of their weights, whose most probable component is the
        smallest one.
    """

    n_observations: float
    log_likelihood: float
    robust_log_likelihood: float
    certainty: float
    entropy: float
    sizes: FloatArray
    smallest: float


def measure(
    mixture: MixtureState,
    data: TrainingData,
    workers: Workers,
    shown: MixtureState | None = None,
) -> Measures:
    """Evaluate a mixture on its training data, in one pass.

    Parameters
    ----------
    mixture : MixtureState
    data : TrainingData
    workers : Workers
    shown : MixtureState, optional
        The first components of the mixture, if it has a background that is left out of all
        measures but the robust log-likelihood.
    """
    shown = mixture if shown is None else shown
    log_weights, robust_weights = shown.log_weights, mixture.log_weights
    k, n_shown = len(mixture.bank), len(log_weights)

    def measured(block: TrainingData, place: slice) -> FloatArray:
        log_probs = mixture.evaluate(block.observations, is_rounded=False).log_densities
        seen = log_probs[:, :n_shown]
        found, scores = responsibilities(seen, log_weights)
        robust = (
            scores if n_shown == len(robust_weights) else log_likelihood(log_probs, robust_weights)
        )
        weight = np.ones(len(block)) if block.sample_weight is None else block.sample_weight
        logs = np.where(found > 0, seen + log_weights - scores[:, None], 0.0)
        return np.concatenate(
            [
                [weight @ scores, weight @ robust],
                [weight @ np.log(found.max(axis=1)), -weight @ (found * logs).sum(axis=1)],
                (weight @ found)[:k],
                np.bincount(found.argmax(axis=1), weight, n_shown)[:k],
            ]
        )

    total = workers.fold(measured, data, mixture, add)
    n, likelihood, robust = data.total_weight, total[0], total[1]
    counted = n * data.observations.n_counted / len(data)
    if mixture.family.joint:
        likelihood = robust = n * mean_objective(data, mixture, workers)
    sizes, assigned = np.split(total[4:], 2)
    return Measures(
        counted,
        float(likelihood),
        float(robust),
        float(total[2]),
        float(total[3] / n),
        sizes,
        assigned.min(),
    )


@dataclass(frozen=True, eq=False)
class Candidate:
    """One of the mixtures that are compared.

    Parameters
    ----------
    family : str
        Its family.
    n_components : int
        Its number of components.
    n_observations : float
        Number of observations it was fitted to, or the sum of their sample weights; for sequences,
        that of their steps.
    log_likelihood : float
        Of all of these.
    robust_log_likelihood : float
        The same with the background of outliers that learning assumes, if the family has one.
    n_parameters : int
        Number of free parameters, mixing weights included.
    effective_parameters : float
        The same, where parameters that a prior pulls together count in part.
    penalty : float
        Sum over these of the logarithm of the number of observations that each is learned from.
    certainty : float
        Sum of the logarithm of each observation's largest responsibility.
    entropy : float
        Mean entropy of an observation's responsibilities, in nats: zero where all are certain.
    smallest : float
        Number of observations, or sum of their weights, in the smallest component.
    seconds : float
        How long its fit took.
    cross_validated : float, optional
        Mean log-likelihood of observations that were left out of the fit, if it was asked for.
    model : fitted mixture, optional
        Absent in a comparison that was read from a file.
    """

    family: str
    n_components: int
    n_observations: float
    log_likelihood: float
    robust_log_likelihood: float
    n_parameters: int
    effective_parameters: float
    penalty: float
    certainty: float
    entropy: float
    smallest: float
    seconds: float
    cross_validated: float | None = None
    model: Any = None

    @classmethod
    def of(
        cls,
        family: str,
        mixture: MixtureState,
        measures: Measures,
        seconds: float,
    ) -> "Candidate":
        """Return the candidate with the measures of a fitted mixture."""
        n_weights, n = mixture.n_weights, measures.n_observations
        total = measures.sizes.sum()  # zero, if all observations are noise
        sizes = measures.sizes * (n / total if total > 0 else 0.0)
        numbers, observations = mixture.effective_parameters(sizes)
        penalty = numbers @ np.log(np.maximum(observations, 1.0)) + n_weights * np.log(n)
        return cls(
            family,
            len(mixture.bank),
            n,
            measures.log_likelihood,
            measures.robust_log_likelihood,
            mixture.n_parameters,
            float(numbers.sum()) + n_weights,
            float(penalty),
            measures.certainty,
            measures.entropy,
            float(measures.smallest),
            seconds,
        )

    @property
    def deviance(self) -> float:
        """Minus twice the log-likelihood."""
        return -2 * self.log_likelihood

    def criterion(self, name: str) -> float:
        """Return the value of a criterion: the lower, the better."""
        return float(CRITERIA[name](self))

    def without_model(self) -> "Candidate":
        """Return the same without the fitted mixture."""
        return replace(self, model=None)


def aic(one: Candidate) -> float:
    """Return Akaike's information criterion."""
    return one.deviance + 2 * one.n_parameters


def bic(one: Candidate) -> float:
    """Return the Bayesian information criterion."""
    return one.deviance + np.log(one.n_observations) * one.n_parameters


def sabic(one: Candidate) -> float:
    """Return the sample-size adjusted BIC."""
    return one.deviance + np.log((one.n_observations + 2) / 24) * one.n_parameters


def caic(one: Candidate) -> float:
    """Return the consistent AIC."""
    return one.deviance + (np.log(one.n_observations) + 1) * one.n_parameters


def icl(one: Candidate) -> float:
    """Return the integrated completed likelihood: BIC and a price for uncertain labels."""
    return bic(one) - 2 * one.certainty


def effective_bic(one: Candidate) -> float:
    """Return BIC with effective numbers of parameters, and of observations for each.

    Far outliers come from a background, if the family has one, so that they need no component.
    """
    return -2 * one.robust_log_likelihood + one.penalty


def effective_icl(one: Candidate) -> float:
    """Return ICL with effective numbers of parameters, and of observations for each."""
    return effective_bic(one) - 2 * one.certainty


def cross_validation(one: Candidate) -> float:
    """Return minus twice the mean log-likelihood of observations left out of the fit."""
    if one.cross_validated is None:
        raise InputError(
            f"These mixtures were not cross-validated: compare them with {marked('folds', 5)}, or"
            " choose by another criterion."
        )
    return -2 * one.cross_validated


CRITERIA: Mapping[str, Callable[[Candidate], float]] = {
    "aic": aic,
    "bic": bic,
    "sabic": sabic,
    "caic": caic,
    "icl": icl,
    "effective_bic": effective_bic,
    "effective_icl": effective_icl,
    "cv": cross_validation,
}
DEFAULT_CRITERION = AGREEMENT


def check_criterion(name: object) -> None:
    """Raise unless there is such a criterion."""
    check_choice("criterion", name, [AGREEMENT, *CRITERIA])
