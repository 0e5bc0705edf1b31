"""What a fitted mixture says of its data, as methods of the mixture."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..data import Data, FloatArray, Remote, as_known, check_count, without_covariates
from ..families.contract.base import Family
from ..families.contract.gate import Gate
from ..inputs import as_seed
from ..learning import MixtureState, TrainingData, Workers
from ..learning.parts.assignment import log_likelihood
from ..views import Symbols
from .latent_classes.bootstrap import FitBootstrap
from .latent_classes.classification import Classification, classify
from .latent_classes.goodness_of_fit import GoodnessOfFit, fit_statistics, goodness_of_fit
from .latent_classes.indicators import indicators_of
from .latent_classes.residuals import BivariateResiduals, bivariate_residuals
from .profiles.bootstrap import bootstrap_profiles
from .profiles.profiles import Profiles, profile

GOODNESS = "goodness_of_fit"


class Interpreted:
    """A fitted mixture whose components can be interpreted."""

    membership_: Gate | None
    components_: tuple[Family, ...]

    @abstractmethod
    def predict_component_proba(self, X: Any, y: Any = None, covariates: Any = None) -> FloatArray:
        """Return the probability of each component for each observation, shape (n, K)."""

    @abstractmethod
    def _observe(self, X: Any, y: Any = None, covariates: Any = None) -> Data: ...

    @abstractmethod
    def _over_blocks(
        self, function: Callable[[FloatArray, FloatArray], Any], data: Data
    ) -> Any: ...

    @abstractmethod
    def _n_parameters(self) -> int: ...

    @abstractmethod
    def _workers(self) -> Workers: ...

    @property
    @abstractmethod
    def _state(self) -> MixtureState: ...

    def profiles(
        self,
        X: Any,
        y: Any = None,
        level: float = 0.95,
        *,
        bootstrap: int = 0,
        random_state: Any = None,
        symbols: Symbols | None = None,
        covariates: Any = None,
    ) -> Profiles:
        """Return what each column is like in each component, and which columns differ most.

        These are means of numbers and probabilities of categories, weighted by responsibilities,
        with effect sizes and intervals; missing values are left out. Of sequences, the steps and
        the lengths are shown; of curves, inputs and targets. Columns are ranked by the information
        about the component that each of them carries alone.

        Standard errors are those of weighted means, by the delta method. They take the components
        as known, so they are too small where these are uncertain themselves, unless there is a
        `bootstrap`.

        Parameters
        ----------
        X, y, covariates : as in `fit`
        level : float, default=0.95
            Confidence level of the intervals.
        bootstrap : int, default=0
            Number of replicates, as `n` of `bootstrap`, from which standard errors and intervals
            are taken. `X` must then be what the mixture was fitted to.
        random_state : int, Generator or None
            For the replicates.
        symbols : mapping of column names to sequences, optional
            What codes stand for, where columns hold codes.

        Examples
        --------
        >>> from boltzmix import Mixture
        >>> from boltzmix.datasets import make_square
        >>> X, _ = make_square(random_state=0)
        >>> found = Mixture(n_components=4, random_state=0).fit(X).profiles(X)
        >>> found.columns[0].means.shape
        (1, 4)
        """
        check_count("bootstrap", bootstrap, least=0)
        data = self._in_memory(X, y, covariates)
        probabilities = self.predict_component_proba(X, y, covariates)
        found = profile(self, without_covariates(data), probabilities, level, symbols)
        if bootstrap == 0:
            return found
        return bootstrap_profiles(found, self, data, bootstrap, as_seed(random_state), symbols)

    def classification(self, X: Any, y: Any = None, covariates: Any = None) -> Classification:
        """Return how certain it is which component each observation belongs to.

        The result has the entropy R², the classification table, the mean probabilities of those
        assigned to each component, and the expected fraction of wrong assignments.
        """
        self._in_memory(X, y, covariates)
        return classify(self, self.predict_component_proba(X, y, covariates))

    def bivariate_residuals(self, X: Any, covariates: Any = None) -> BivariateResiduals:
        """Return how far pairs of categorical columns are from what the latent classes expect.

        A residual is Pearson's chi-squared of the two-way table of both columns, over its degrees
        of freedom: values far above 1 say that the columns depend on each other within classes.
        Each pair is taken from the rows in which neither of the two is missing.
        """
        data = without_covariates(self._in_memory(X, None, covariates))
        indicators = indicators_of(self, data, "bivariate_residuals")
        return bivariate_residuals(indicators, self.predict_component_proba(X, None, covariates))

    def goodness_of_fit(
        self, X: Any, bootstrap: int = 0, random_state: Any = None
    ) -> GoodnessOfFit:
        """Return the usual table on the fit of latent classes, whose columns are categories.

        It has the number of parameters, log-likelihood, information criteria and entropy R²; and
        G² and Pearson's X², which compare the model with the table of all columns, with degrees of
        freedom and p-values. Without a bootstrap, p-values are asymptotic: do not trust them where
        most cells of that table are empty.

        Parameters
        ----------
        X : as in `fit`
        bootstrap : int, default=0
            Number of data sets that are drawn from the classes and fitted, beginning where the
            classes are now, for p-values that hold for sparse tables, too.
        random_state : int, Generator or None
            For the data sets.
        """
        if self.membership_ is not None:
            raise ValueError(
                "goodness_of_fit compares the table of all columns, which depends on covariates of"
                " membership here: compare models by bic, or look at bivariate_residuals."
            )
        data = self._in_memory(X, None)
        indicators = indicators_of(self, data, GOODNESS)
        fit = goodness_of_fit(
            indicators,
            lambda rows: self._over_blocks(log_likelihood, data.take(rows)),
            self._n_parameters(),
            self.classification(X).entropy_r2,
        )
        if bootstrap == 0:
            return fit
        check_count("bootstrap", bootstrap)
        sets = FitBootstrap(
            self._state,
            TrainingData(data),
            lambda drawn, log_prob: fit_statistics(indicators_of(self, drawn, GOODNESS), log_prob)[
                1:
            ],
        )
        n_threads = self._workers().n_threads
        found = sets.replicates(bootstrap, as_seed(random_state), n_threads)
        return replace(fit, replicates=found)

    def _in_memory(self, X: Any, y: Any, covariates: Any = None) -> Data:
        """Read observations; raise if they are elsewhere."""
        X = as_known(X)
        data = self._observe(X, y, covariates)
        if isinstance(data, Remote):
            raise ValueError(
                "X is not in memory, where it is needed here: pass a sample of the rows, as an"
                " array or a frame."
            )
        return data
