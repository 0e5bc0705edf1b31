"""Tables, pictures, inference and files of a fitted mixture, each by one line.

A fit needs none of it, so the estimators know none of it: `Mixture` puts both together.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import Any

from sklearn.utils import estimator_html_repr

from .checkpoint import CheckpointLog, checkpointed, fingerprint
from .data import Data, read_path
from .estimator import BaseMixture, Watcher
from .inference import (
    BivariateResiduals,
    Bootstrap,
    Classification,
    CovariateEffects,
    DistalOutcome,
    Estimates,
    GoodnessOfFit,
    Profiles,
    bivariate_residuals,
    bootstrap_parameters,
    classify_observations,
    goodness_of_fit,
    membership_effects,
    parameters_frame,
    profile_mixture,
    standard_errors,
    summarise,
    three_step,
)
from .learning import DegenerateMixtureWarning
from .learning.engine.log import Log
from .report import Report, make_report
from .saving import save_model
from .views import ColumnFamilies, Summary, Symbols, marked_problems, watcher


class Surfaces(BaseMixture):
    """An estimator that shows, explains and keeps what it has learned."""

    def summary(self) -> Summary:
        """Return the components in a few words, with their weights and sizes.

        Printed, it is a table below facts about the fit; ``summary().to_frame()`` is a pandas frame
        with a row for each component. Of many columns, those are described that tell components
        apart most: rows are drawn from the components, and columns ranked by how much each of them
        says about the component of a row.

        Examples
        --------
        >>> from boltzmix import Mixture
        >>> from boltzmix.datasets import make_square
        >>> X, _ = make_square(random_state=0)
        >>> Mixture(n_components=4, random_state=0).fit(X).summary().to_frame().shape
        (4, 3)
        """
        return summarise(self)

    def parameters_frame(self) -> Any:
        """Return all parameters as a pandas frame, with a row for each number.

        Its columns are the `component` ("noise" for that of noise), the name of the `parameter`,
        the `entry` of a parameter that is an array (a column, such as "height", two of them, or a
        category, such as "colour=red"), and the `value`. To compare components side by side::

            frame.pivot(index=["parameter", "entry"], columns="component", values="value")

        `standard_errors` and `bootstrap` say how sure the values are.

        Examples
        --------
        >>> from boltzmix import Mixture
        >>> Mixture("auto").fit([[1.5], [2.5], [4.0], [2.0]]).parameters_frame()
           component   parameter entry     value
        0          0      weight        1.000000
        1          0        mean     0  2.500000
        2          0  covariance  0, 0  0.875055
        """
        return parameters_frame(self)

    @property
    def column_families_(self) -> ColumnFamilies | None:
        """The family of each column and the reason; None where columns have none of their own."""
        return ColumnFamilies.of(self)

    def profiles(
        self,
        X: object,
        y: object = None,
        level: float = 0.95,
        *,
        bootstrap: int = 0,
        random_state: object = None,
        symbols: Symbols | None = None,
        covariates: object = None,
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
        return profile_mixture(self, X, y, covariates, level, bootstrap, random_state, symbols)

    def classification(
        self, X: object, y: object = None, covariates: object = None
    ) -> Classification:
        """Return how certain it is which component each observation belongs to.

        The result has the entropy R², the classification table, the mean probabilities of those
        assigned to each component, and the expected fraction of wrong assignments.
        """
        return classify_observations(self, X, y, covariates)

    def bivariate_residuals(self, X: object, covariates: object = None) -> BivariateResiduals:
        """Return how far pairs of categorical columns are from what the latent classes expect.

        A residual is Pearson's chi-squared of the two-way table of both columns, over its degrees
        of freedom: values far above 1 say that the columns depend on each other within classes.
        Each pair is taken from the rows in which neither of the two is missing.
        """
        return bivariate_residuals(self, X, covariates)

    def goodness_of_fit(
        self, X: object, bootstrap: int = 0, random_state: object = None
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
        return goodness_of_fit(self, X, bootstrap, random_state)

    def three_step(
        self,
        X: object,
        y: object = None,
        *,
        covariates: object = None,
        outcome: object = None,
        kind: str = "auto",
        correction: str | None = "auto",
        assignment: str = "modal",
        sample_weight: object = None,
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
        return three_step(
            self,
            X,
            y,
            covariates,
            outcome,
            kind,
            correction,
            assignment,
            sample_weight,
            n_bootstrap,
        )

    def bootstrap(
        self,
        X: object,
        y: object = None,
        n: int = 200,
        *,
        kind: str | None = None,
        sample_weight: object = None,
        labels: object = None,
        random_state: object = None,
        covariates: object = None,
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
            An equal int gives the same result, bit for bit, for any `n_jobs`.

        Returns
        -------
        Bootstrap
        """
        return bootstrap_parameters(
            self, X, y, covariates, n, kind, sample_weight, labels, random_state
        )

    def standard_errors(
        self, X: object, y: object = None, covariates: object = None, sample_weight: object = None
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
        return standard_errors(self, X, y, covariates, sample_weight)

    def membership_effects(
        self,
        X: object,
        y: object = None,
        covariates: object = None,
        sample_weight: object = None,
        n_replicates: int = 200,
    ) -> Estimates:
        """Return how covariates change membership: coefficients, odds ratios and p-values.

        Effects of a component are against the first. Standard errors are by `standard_errors`.
        Families that have none, such as `HMM`, are bootstrapped.

        Parameters
        ----------
        X, y, covariates, sample_weight : what the mixture was fitted to
        n_replicates : int, default=200
            Number of replicates of a bootstrap, if one is needed. With 0, standard errors that
            would take long are left out, and are NaN.
        """
        return membership_effects(self, X, y, covariates, sample_weight, n_replicates)

    def report(
        self,
        X: object,
        y: object = None,
        symbols: Symbols | Sequence[object] | None = None,
        covariates: object = None,
        compare_with: object = None,
        source: str | PathLike[str] | None = None,
        command: str | None = None,
    ) -> Report:
        """Return a report on how this mixture sees some observations, those fitted to or others.

        A notebook shows it; ``report.save("report.html")`` writes it as one file, which opens in
        any browser and needs no network. Its last part says how to make it again.

        Parameters
        ----------
        X, y, covariates : as in `fit`
        symbols : mapping of column names to sequences, or one sequence for all, optional
            What codes stand for, where columns hold codes.
        compare_with : array, shape (n,), or str, optional
            Known classes, or the name of a column of the frame X that holds them. The report shows
            how far the components agree with them; the mixture does not use them.
        source : str or path, optional
            The file that X was read from. The report names it, with its checksum.
        command : str, optional
            What made this report, if not the calls in Python that it would show otherwise.

        Examples
        --------
        >>> from boltzmix import Mixture
        >>> from boltzmix.datasets import make_square
        >>> X, corners = make_square(random_state=0)
        >>> model = Mixture(n_components=4, random_state=0).fit(X)
        >>> report = model.report(X, compare_with=corners)
        """
        return make_report(self, X, y, symbols, covariates, compare_with, source, command)

    def save(self, path: str | PathLike[str], *, about: Mapping[str, object] | None = None) -> None:
        """Write the fitted mixture to a file, which `boltzmix.load` reads.

        The file is a zip of JSON and arrays. It holds no code, and reading it runs none. It is
        moved to its path once it is complete and could be read back, so that a failure does not
        destroy a file that was there before.

        Parameters
        ----------
        path : str or path
            Such as ``"m.bmix"``.
        about : mapping, optional
            Text, numbers and lists to store with the model. A loaded model has them as `about_`.

        Notes
        -----
        Of parameters of the constructor that are functions, as `init` may be, only the names are
        kept. Of `comparison_`, the table is kept, without the other mixtures and the data. A model
        with a family of your own can be saved, and whoever loads it hands the class over. Those
        with `FunctionFamily` or `SklearnFamily` cannot be saved.

        Examples
        --------
        >>> import tempfile, boltzmix
        >>> from pathlib import Path
        >>> X, _ = boltzmix.datasets.make_square(random_state=0)
        >>> model = boltzmix.Mixture(n_components=4, random_state=0).fit(X)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.save(Path(folder) / "m.bmix")
        ...     same = boltzmix.load(Path(folder) / "m.bmix")
        >>> bool((same.predict_proba(X) == model.predict_proba(X)).all())
        True
        """
        save_model(self, path, about)

    def _repr_html_(self) -> str:
        shown = estimator_html_repr(self)
        return (
            f"{shown}{self.summary()._repr_html_()}" if self.__sklearn_is_fitted__() else str(shown)
        )

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    def _watcher(self) -> AbstractContextManager[Watcher]:
        return watcher(self.verbose, self._interval)

    def _checkpointed(
        self, data: Data, sample_weight: object, labels: object
    ) -> AbstractContextManager[Log]:
        family, settings = self._family(), self.get_params(deep=False)
        found = fingerprint(settings, data, sample_weight, labels)
        return checkpointed(CheckpointLog(read_path("checkpoint", self.checkpoint), found, family))

    def _remarks(self) -> Iterator[tuple[str, type[Warning]]]:
        for sentence in marked_problems(self):
            yield sentence, DegenerateMixtureWarning
        if self.column_families_ is not None:
            for sentence in self.column_families_.left_out():
                yield sentence, UserWarning
