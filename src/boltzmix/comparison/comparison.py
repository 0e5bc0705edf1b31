"""A comparison of mixtures of several families and numbers of components."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data import InputError, check_count, marked
from ..learning import AgreementCurve
from ..look import frame_of
from .candidate import CRITERIA, DEFAULT_CRITERION, Candidate, check_criterion
from .picture import draw_criteria
from .resampling import BootstrapTest, bootstrap_test
from .words import AGREEMENT, HELD_OUT, comparison_table, describe_comparison

COLUMNS = (
    "family",
    "n_components",
    "log_likelihood",
    "n_parameters",
    "effective_parameters",
    "aic",
    "bic",
    "sabic",
    "caic",
    "icl",
    "effective_bic",
    "effective_icl",
    "entropy",
    "smallest",
    "agreement",
    "held_out",
    "cross_validated",
    "seconds",
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Mixtures of several families and numbers of components, fitted to the same data.

    `Mixture` with several numbers of components has one as `comparison_`, and `boltzmix.compare`
    returns one. Of all criteria, lower values are better; but "agreement" chooses the number of
    components that fits to halves of the data agree on.

    Parameters
    ----------
    candidates : sequence of Candidate
        One for each family and number of components.
    chosen_by : str
        The criterion that `best` goes by.
    data : tuple of (X, y, sample_weight), optional
        The data that all of them were fitted to; absent where the comparison was read from a file.
    agreement : mapping of str to AgreementCurve
        For each family, how far fits to halves of the data agree, for each number of components;
        empty if none were made.
    clusters : AgreementCurve, optional
        How far halves agree on clusters of merged components, for each number of clusters.
    noun : str
        The plural noun for the observations.

    Examples
    --------
    >>> import boltzmix
    >>> X, _ = boltzmix.datasets.make_square(random_state=0)
    >>> comparison = boltzmix.compare(X, n_components=range(1, 7), random_state=0)
    >>> comparison.best.n_components_
    4
    >>> comparison.best_by("bic").n_components_
    4
    """

    candidates: Sequence[Candidate]
    chosen_by: str = DEFAULT_CRITERION
    data: Any = None
    agreement: Mapping[str, AgreementCurve] = field(default_factory=dict)
    clusters: AgreementCurve | None = None
    noun: str = "observations"

    def __post_init__(self) -> None:
        if self.chosen_by != HELD_OUT:
            check_criterion(self.chosen_by)
        if not self.candidates:
            raise ValueError("A comparison needs at least one candidate.")

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __repr__(self) -> str:
        return describe_comparison(self)

    def _repr_html_(self) -> str:
        return comparison_table(self)

    @property
    def best(self) -> Any:
        """The fitted mixture that is best by the criterion of this comparison."""
        return self.best_by(self.chosen_by)

    def best_by(self, criterion: str) -> Any:
        """Return the fitted mixture that is best by a criterion."""
        return self._model_of(self.best_candidate(criterion))

    def best_candidate(self, criterion: str | None = None) -> Candidate:
        """Return the candidate that is best by a criterion; of equals, the simplest one.

        By "agreement", each family has a number of components that halves of the data agree on; of
        these, the one with the highest held-out likelihood is the best.
        """
        name = self.chosen_by if criterion is None else criterion
        if name == HELD_OUT:
            return self._likeliest(self.candidates)
        check_criterion(name)
        if name == AGREEMENT:
            return self._best_by_agreement()
        return min(self.candidates, key=lambda one: (one.criterion(name), one.n_parameters))

    def _best_by_agreement(self) -> Candidate:
        if not self.agreement:
            raise InputError(
                "No fits to halves of the data were made: compare again with"
                f" {marked('criterion', repr('agreement'))}, or choose by another criterion."
            )
        chosen = [
            one
            for one in self.candidates
            if one.family in self.agreement
            and one.n_components == self.agreement[one.family].chosen
        ]
        return self._likeliest(chosen)

    def _likeliest(self, candidates: Sequence[Candidate]) -> Candidate:
        """Return the candidate with the highest held-out likelihood."""
        found = [self._from_halves(one)["held_out"] for one in candidates]
        scores = [one for one in found if one is not None]
        if not found or (len(found) > 1 and len(scores) < len(found)):
            raise InputError(
                "There are too few observations to compare fits to halves of them: choose by"
                f" another criterion, such as {marked('criterion', repr('bic'))}."
            )
        return candidates[int(np.argmax(scores))] if len(found) > 1 else candidates[0]

    def _from_halves(self, one: Candidate) -> dict[str, float | None]:
        """Return the agreement and held-out likelihood of a candidate; None if not known."""
        curve = self.agreement.get(one.family)
        if curve is None or one.n_components not in curve.numbers:
            return {"agreement": None, "held_out": None}
        place = curve.place(one.n_components)
        agreement, held_out = curve.median[place], curve.mean_held_out[place]
        return {"agreement": float(agreement), "held_out": float(held_out)}

    @property
    def criteria(self) -> tuple[str, ...]:
        """Names of the criteria that are known for all candidates."""
        is_validated = all(one.cross_validated is not None for one in self.candidates)
        return tuple(name for name in CRITERIA if name != "cv" or is_validated)

    def without_models(self) -> "Comparison":
        """Return the same without fitted mixtures and data, as model files hold it."""
        return replace(self, candidates=[one.without_model() for one in self], data=None)

    def rows(self) -> list[dict[str, object]]:
        """Return one row for each candidate, as plain values."""
        known = {"cross_validated": "cv" in self.criteria}
        known |= dict.fromkeys(("agreement", "held_out"), bool(self.agreement))
        names = [name for name in COLUMNS if known.get(name, True)]
        return [self._row(one, names) for one in self.candidates]

    def _row(self, one: Candidate, names: Sequence[str]) -> dict[str, object]:
        halves = self._from_halves(one)
        return {
            name: one.criterion(name)
            if name in CRITERIA
            else (halves[name] if name in halves else getattr(one, name))
            for name in names
        }

    def to_frame(self) -> Any:
        """Return a pandas frame with one row for each candidate."""
        return frame_of(self.rows())

    def plot(self, ax: "Axes | None" = None, criterion: str | None = None) -> "Axes":
        """Draw criteria against the number of components; return the axes.

        Of one family, BIC, ICL and the criterion that chose are drawn; of several, one line for
        each of the best 14. The names of more than four are beside the axes, for which a figure
        with ``layout="constrained"`` makes room.

        Parameters
        ----------
        ax : matplotlib axes, optional
            A new figure has its own, if absent.
        criterion : str, optional
            The criterion to draw of several families; the one that chose if absent.
        """
        return draw_criteria(self, ax, criterion)

    def bootstrap_test(
        self,
        n_components: int | None = None,
        B: int = 99,
        *,
        random_state: object = None,
        n_jobs: int | None = None,
    ) -> BootstrapTest:
        """Test a number of components K against K + 1 by a parametric bootstrap.

        `B` data sets are drawn from the mixture of K components, and both mixtures are fitted to
        each, beginning where they are now. The p-value is the fraction of likelihood ratios, that
        of the data included, which are at least as large as that of the data (McLachlan 1987).

        Parameters
        ----------
        n_components : int, optional
            K, of which there must be a candidate, as of K + 1; that of the best if absent. Of
            several families, the one that is best at K by the criterion is tested.
        B : int, default=99
            Number of data sets.
        random_state : int, Generator or None
        n_jobs : int, optional
            Number of threads; as many as there are cores if absent.
        """
        check_count("B", B)
        if n_components is not None:
            check_count("n_components", n_components)
        if self.data is None:
            raise ValueError(
                "A bootstrap test needs the data, which a comparison read from a file does not"
                " have: compare again."
            )
        small, large = self._nested(n_components)
        return bootstrap_test(small, large, self.data, B, random_state, n_jobs)

    def _nested(self, n_components: int | None) -> tuple[Any, Any]:
        """Return fitted mixtures of K and K + 1 components of one family."""
        k = self.best_candidate().n_components if n_components is None else n_components
        those = [one for one in self.candidates if one.n_components == k]
        if not those:
            raise InputError(f"There is no candidate with {marked('n_components', k)}.")
        best = self.best_candidate()
        small = best if best in those else max(those, key=lambda one: one.log_likelihood)
        for one in self.candidates:
            if one.family == small.family and one.n_components == k + 1:
                return self._model_of(small), self._model_of(one)
        raise InputError(
            f"There is no candidate {small.family} with {k + 1} components to test {k} against:"
            f" compare with {marked('n_components', [k, k + 1])}."
        )

    @staticmethod
    def _model_of(candidate: Candidate) -> Any:
        if candidate.model is None:
            raise ValueError(
                "A comparison that was read from a file has no fitted mixtures: compare again."
            )
        return candidate.model
