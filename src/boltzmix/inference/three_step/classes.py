"""Step two: assignments of observations to classes, and how often they are wrong."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...data import BoolArray, FloatArray, shown

ASSIGNMENTS = ("modal", "soft")
SMALLEST_SINGULAR_VALUE = 1e-6  # of the error matrix: below it, corrected results would be noise
SMALLEST_SIZE = 1e-6  # proportion of a class that has members
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class AssignedClasses:
    """Assignments of n observations to K classes, and the probabilities of wrong assignments.

    Parameters
    ----------
    assignments : array, shape (n, K)
        One for the most probable class of each observation ("modal"), or the posterior
        probabilities themselves ("soft").
    errors : array, shape (K, K)
        Probability that a member of the class of the row is assigned to the class of the column.
        Rows sum to one.
    names : tuple of str, length K
    assignment : str
        "modal" or "soft".
    sample_weight : array, shape (n,)
        Weights of the observations.
    """

    assignments: FloatArray
    errors: FloatArray
    names: tuple[str, ...]
    assignment: str
    sample_weight: FloatArray

    @classmethod
    def of(
        cls,
        posteriors: FloatArray,
        names: tuple[str, ...],
        assignment: str,
        sample_weight: FloatArray | None = None,
    ) -> "AssignedClasses":
        """Assign observations by posterior probabilities, shape (n, K)."""
        if not isinstance(assignment, str) or assignment not in ASSIGNMENTS:
            raise ValueError(f"assignment must be 'modal' or 'soft', not {shown(assignment)}.")
        weights = np.ones(len(posteriors)) if sample_weight is None else sample_weight
        weighted = weights[:, None] * posteriors
        totals = weighted.sum(axis=0)
        if totals.min() < TINY:
            raise ValueError(
                f"No observation may belong to component {names[int(totals.argmin())]}: pass the"
                " observations that the mixture was fitted to."
            )
        assigned = posteriors
        if assignment == "modal":
            assigned = np.zeros_like(posteriors)
            np.put_along_axis(assigned, posteriors.argmax(axis=1)[:, None], 1.0, axis=1)
        errors = weighted.T @ assigned / totals[:, None]
        return cls(assigned, errors, names, assignment, weights)

    @property
    def n_classes(self) -> int:
        """Number of classes, K."""
        return len(self.names)

    def take(self, kept: BoolArray) -> "AssignedClasses":
        """Return these assignments of some observations; the errors stay those of all of them."""
        weights = self.sample_weight[kept]
        return replace(self, assignments=self.assignments[kept], sample_weight=weights)

    def weights(self, correction: str | None) -> FloatArray:
        """Return the weight of each observation in each class, shape (n, K).

        Without a correction, these are the assignments. With that of Bolck, Croon and Hagenaars
        ("bch"), they are multiplied by the inverse of the error matrix, and some are negative.
        """
        weighted = self.sample_weight[:, None] * self.assignments
        return weighted @ self._inverse if correction == "bch" else weighted

    @cached_property
    def _inverse(self) -> FloatArray:
        self.check_correctable()
        return np.linalg.inv(self.errors)

    def check_correctable(self) -> None:
        """Raise if the error matrix has no inverse, so that nothing can be corrected."""
        never = np.flatnonzero(self.errors.max(axis=0) == 0)
        if len(never):
            raise ValueError(
                f"Component {self.names[never[0]]} is never the most probable one, so modal"
                " assignments cannot be corrected: use assignment='soft', or fewer components."
            )
        if np.linalg.svd(self.errors, compute_uv=False)[-1] < SMALLEST_SINGULAR_VALUE:
            raise ValueError(
                "The components overlap so much that assignments say nothing about some of them,"
                " and cannot be corrected: use fewer components."
            )

    @property
    def sizes(self) -> FloatArray:
        """Proportions of the classes among these observations, corrected for errors, (K,)."""
        proportions = np.maximum(self._corrected_sizes, SMALLEST_SIZE)
        return proportions / proportions.sum()

    @property
    def are_absent(self) -> BoolArray:
        """Whether each class has no members among these observations, shape (K,)."""
        return self._corrected_sizes <= SMALLEST_SIZE

    @property
    def _corrected_sizes(self) -> FloatArray:
        return self.weights("bch").sum(axis=0) / self.sample_weight.sum()

    @cached_property
    def likelihood(self) -> "AssignmentLikelihood":
        """The likelihood of these assignments, for estimates by maximum likelihood."""
        self.check_correctable()
        log_errors = np.log(np.maximum(self.errors, TINY))
        if self.assignment == "modal":
            places = self.assignments.argmax(axis=1)
            return AssignmentLikelihood(self.sample_weight[:, None], log_errors.T[places][:, None])
        every = np.broadcast_to(log_errors.T, (len(self.assignments), *log_errors.shape))
        return AssignmentLikelihood(self.weights(None), every)


@dataclass(frozen=True, eq=False)
class ExpectedClasses:
    """Expected true classes, given the assignments.

    Parameters
    ----------
    log_likelihood : float
    members : array, shape (n, K)
        Expected membership of each observation.
    covariance : array, shape (n, K, K)
        Covariance of the membership of each observation.
    """

    log_likelihood: float
    members: FloatArray
    covariance: FloatArray


@dataclass(frozen=True, eq=False)
class AssignmentLikelihood:
    """The likelihood of assignments, given probabilities of the true classes.

    An observation has S records, each an assigned class with a weight: one record for modal
    assignments; one for each class, weighted by its posterior probability, for soft ones.

    Parameters
    ----------
    weights : array, shape (n, S)
    log_errors : array, shape (n, S, K)
        Log probability of the assigned class, given each true class.
    """

    weights: FloatArray
    log_errors: FloatArray

    def value(self, log_probs: FloatArray) -> float:
        """Return the log-likelihood, given log probabilities of the true classes, (n, K)."""
        return float((self.weights * _log_sum(self.log_errors + log_probs[:, None])).sum())

    def members(self, log_probs: FloatArray) -> FloatArray:
        """Return the expected membership of each observation, shape (n, K)."""
        return np.einsum("ns,nsk->nk", self.weights, self._posteriors(log_probs))

    def expect(self, log_probs: FloatArray) -> ExpectedClasses:
        """Return what is expected of the true classes, given their log probabilities (n, K)."""
        found = self._posteriors(log_probs)
        members = np.einsum("ns,nsk->nk", self.weights, found)
        covariance = -np.einsum("ns,nsk,nsl->nkl", self.weights, found, found)
        places = np.arange(members.shape[1])
        covariance[:, places, places] += members
        return ExpectedClasses(self.value(log_probs), members, covariance)

    def _posteriors(self, log_probs: FloatArray) -> FloatArray:
        joint = self.log_errors + log_probs[:, None]
        return np.exp(joint - _log_sum(joint)[..., None])


def _log_sum(logs: FloatArray) -> FloatArray:
    """Return the logarithm of the sum of exponentials over the last axis."""
    largest = logs.max(axis=-1, keepdims=True)
    return (largest + np.log(np.exp(logs - largest).sum(axis=-1, keepdims=True)))[..., 0]
