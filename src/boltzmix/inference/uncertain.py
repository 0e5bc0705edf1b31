"""How sure a fitted mixture is of its parameters, as methods of the mixture."""

from abc import abstractmethod
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..data import Data, as_known
from ..families.contract.gate import Gate
from ..inputs import as_seed, check_remote, read_labels, weigh
from ..learning import MixtureState, TrainingData, Workers
from .bootstrap.making import make_bootstrap
from .bootstrap.result import Bootstrap
from .estimates import Estimates
from .information.standard_errors import (
    estimate,
    from_bootstrap,
    membership_only,
    takes_long,
    without_errors,
)
from .named_values import NamedValues


class Uncertain:
    """A fitted mixture whose parameters have standard errors."""

    n_components_: int
    membership_: Gate | None

    @abstractmethod
    def _observe(self, X: Any, y: Any = None, covariates: Any = None) -> Data: ...

    @abstractmethod
    def _column_names(self) -> list[str]: ...

    @property
    @abstractmethod
    def _state(self) -> MixtureState: ...

    @abstractmethod
    def _workers(self) -> Workers: ...

    def bootstrap(
        self,
        X: Any,
        y: Any = None,
        n: int = 200,
        *,
        kind: str | None = None,
        sample_weight: Any = None,
        labels: Any = None,
        random_state: Any = None,
        covariates: Any = None,
    ) -> Bootstrap:
        """Return standard errors and intervals of all parameters, by a bootstrap.

        Data sets that could have been observed instead are made, and the mixture is learned from
        each by EM, beginning where it is now. Components are matched to those of this mixture by
        their responsibilities. Replicates in which a component is another one, or has vanished, are
        counted and left out.

        Priors, frozen scales and, for curves, everything else that was taken from all the data
        before learning stay as they are.

        Parameters
        ----------
        X, y, covariates : what the mixture was fitted to
        n : int, default=200
            Number of replicates. Intervals of 95 % want 1,000.
        kind : {"weighted", "resample", "parametric"}, optional
            How data sets are made: "weighted" gives every observation a random weight (an
            exponential one, as Newton & Raftery 1994 do), "resample" draws observations with
            replacement, "parametric" draws them from the mixture: targets at the inputs of `X`,
            sequences as long as those of `X`. If absent, it is "weighted" where the family takes
            weights, else "resample". Points on curves are weighted, drawn again or drawn from the
            curves one by one.
        sample_weight, labels : as in `fit`, if they were given
        random_state : int, Generator, RandomState or None
            The same int gives the same result, bit for bit, for any `n_jobs`.

        Returns
        -------
        Bootstrap
        """
        observed = self._observe(X, y, covariates)
        check_remote(observed, sample_weight, labels)
        known = read_labels(labels, len(observed), self.n_components_)
        data, weights, kept = weigh(observed, sample_weight)
        named = NamedValues.of(self._state, self._column_names())
        return make_bootstrap(
            TrainingData(data, weights, None if known is None else known[kept]),
            self._state,
            lambda _, mixture: (named.names, named.values(mixture)),
            n,
            kind,
            as_seed(random_state),
            self._workers().n_threads,
        )

    def standard_errors(
        self, X: Any, y: Any = None, covariates: Any = None, sample_weight: Any = None
    ) -> Estimates:
        """Return all parameters with standard errors, z values, p-values and intervals.

        They come from the observed information: the curvature of the log-likelihood of the mixture
        at its parameters. They hold for large samples, and take prior, noise and what was learned
        for all components together, such as the degrees of freedom of tails, as known. `bootstrap`
        needs none of that, and is there for every family.

        Parameters
        ----------
        X, y, covariates, sample_weight : what the mixture was fitted to

        Raises
        ------
        NotImplementedError
            If components do not say what their free parameters are
            (`Family.parameter_vector`): use `bootstrap`.

        Examples
        --------
        >>> import numpy as np
        >>> from boltzmix import Mixture
        >>> from boltzmix.families import Poisson
        >>> counts = np.repeat([0, 1, 2, 8, 9, 12], [6, 12, 4, 5, 8, 2])[:, None]
        >>> model = Mixture(Poisson(prior=0), 2, random_state=0).fit(counts)
        >>> model.standard_errors(counts)
        component  parameter  estimate  std. error      z       p   lower   upper
        0          weight       0.5917      0.0813   7.28  <0.001  0.4324  0.7511
        0          rate[0]      0.9051      0.2039   4.44  <0.001  0.5054   1.305
        1          weight       0.4083      0.0813   5.02  <0.001  0.2489  0.5676
        1          rate[0]       9.015      0.7891  11.42  <0.001   7.468   10.56
        """
        X = as_known(X)
        data, weights, _ = weigh(self._observe(X, y, covariates), sample_weight)
        return estimate(self._state, TrainingData(data, weights), self._column_names())

    def membership_effects(
        self,
        X: Any,
        y: Any = None,
        covariates: Any = None,
        sample_weight: Any = None,
        n_replicates: int = 200,
    ) -> Estimates:
        """Return how covariates change membership: coefficients, odds ratios and p-values.

        Those of a component are against the first. Standard errors are those of `standard_errors`.
        Families that have none, such as `HMM`, are bootstrapped.

        Parameters
        ----------
        X, y, covariates, sample_weight : what the mixture was fitted to
        n_replicates : int, default=200
            Number of replicates of a bootstrap, if one is needed. With 0, standard errors that
            would take long are left out, and are NaN.
        """
        check_is_fitted(self)
        if self.membership_ is None:
            raise ValueError(
                "This mixture was fitted without covariates of membership: fit it with membership,"
                " as in Mixture(membership='age + sex')."
            )
        if n_replicates == 0 and takes_long(self._state, self._observe(X, y, covariates)):
            return membership_only(without_errors(self._state, self._column_names()))
        try:
            found = self.standard_errors(X, y, covariates, sample_weight)
        except NotImplementedError:
            found = self._bootstrapped(X, y, covariates, sample_weight, n_replicates)
        return membership_only(found)

    def _bootstrapped(
        self, X: Any, y: Any, covariates: Any, sample_weight: Any, n_replicates: int
    ) -> Estimates:
        """Return all parameters with standard errors from a bootstrap."""
        found = self.bootstrap(
            X, y, n_replicates, covariates=covariates, sample_weight=sample_weight, random_state=0
        )
        return from_bootstrap(found)
