"""The method of fitted mixtures that relates components to outside variables."""

from typing import Any

import numpy as np
from joblib import effective_n_jobs

from ...data import check_count
from ...families import Family
from ...inputs import as_seed, read_weights
from .bootstrap import Replicates
from .classes import AssignedClasses
from .relations import relate_to_covariates, relate_to_outcome
from .results import CovariateEffects, DistalOutcome


class ThreeStepAnalysis:
    """A fitted mixture whose components are related to variables outside it."""

    components_: tuple[Family, ...]
    n_components_: int
    random_state: Any
    predict_component_proba: Any
    _observe: Any
    _state: Any
    n_jobs: int | None

    def three_step(
        self,
        X: Any,
        y: Any = None,
        *,
        covariates: Any = None,
        outcome: Any = None,
        kind: str = "auto",
        correction: str | None = "auto",
        assignment: str = "modal",
        sample_weight: Any = None,
        n_bootstrap: int = 0,
    ) -> CovariateEffects | DistalOutcome:
        """Relate the components to variables outside the mixture, which leave it as it is.

        The first step is this mixture; the second assigns observations to components; the third
        relates assignments to the outside variables, corrected for wrong assignments. Pass either
        `covariates`, which change the probabilities of components, or an `outcome`, which depends
        on them. Rows with missing outside values are left out.

        Parameters
        ----------
        X, y : as in `fit`
        covariates : frame or array, shape (n, q), optional
            Categories (text or booleans) become indicators of all categories but the first.
        outcome : series, array or list, shape (n,), optional
        kind : {"auto", "number", "category", "count"}, default="auto"
            Kind of the outcome. With "auto", numbers are numbers, and all else is a category.
        correction : {"auto", "ml", "bch", None}, default="auto"
            "ml" maximises the likelihood of the assignments, given their probabilities of being
            wrong (Vermunt 2010); "bch" weights observations by the inverse of these (Bolck, Croon
            and Hagenaars 2004); None takes assignments for true. "auto" is "ml" for covariates
            and "bch" for an outcome.
        assignment : {"modal", "soft"}, default="modal"
            Whether an observation is assigned to its most probable component, or to each in
            proportion to its probability.
        sample_weight : array, shape (n,), optional
            Weights of observations, such as those of a survey.
        n_bootstrap : int, default=0
            Number of bootstrap replicates of all three steps from which standard errors are
            estimated: observations are weighted at random, and EM goes on from this mixture. With
            0, standard errors are robust ones that take the mixture as known, which is too small
            where components overlap much.

        Examples
        --------
        >>> import numpy as np
        >>> from boltzmix import Mixture
        >>> rng = np.random.default_rng(0)
        >>> group = rng.integers(2, size=600)
        >>> X = rng.normal(2.5 * group, 1.0)[:, None]
        >>> income = rng.normal(10.0 + 3.0 * group, 2.0)
        >>> model = Mixture(n_components=2, random_state=0).fit(X)
        >>> found = model.three_step(X, outcome=income)
        >>> found.estimates.values.round(1)
        array([13., 10.])
        >>> found.test.p_value < 0.001
        True
        """
        if (covariates is None) == (outcome is None):
            raise ValueError("Pass either covariates or outcome to three_step.")
        check_count("n_bootstrap", n_bootstrap, least=0)
        posteriors = np.asarray(self.predict_component_proba(X, y), dtype=float)
        names = (*map(str, range(self.n_components_)), "noise")[: posteriors.shape[1]]
        weights = None if sample_weight is None else read_weights(sample_weight, len(posteriors))
        classes = AssignedClasses.of(posteriors, names, assignment, weights)
        replicates = None
        if n_bootstrap != 0:
            self._check_replicates(n_bootstrap)
            data, seed = self._observe(X, y), as_seed(self.random_state)
            n_threads = effective_n_jobs(-1 if self.n_jobs is None else self.n_jobs)
            replicates = Replicates(self._state, data, classes, n_bootstrap, seed, n_threads)
        if outcome is None:
            return relate_to_covariates(classes, covariates, correction, replicates)
        return relate_to_outcome(classes, outcome, kind, correction, replicates)

    def _check_replicates(self, n_bootstrap: int) -> None:
        check_count("n_bootstrap", n_bootstrap)
        family = self.components_[0]
        if not family.weighted:
            raise ValueError(
                f"n_bootstrap weights observations, but fit of {family.name} takes no weights: use"
                " n_bootstrap=0."
            )
