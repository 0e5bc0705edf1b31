"""A fitted mixture as tables: its components, its parameters, the families of its columns."""

from abc import abstractmethod
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ..data import FloatArray
from ..families.contract.base import Family
from ..learning import MixtureState
from ..views import ColumnFamilies, Summary, frame_of
from .named_values import NOISE, NamedValues
from .profiles.ranking import rank_columns


class Summarised:
    """A fitted mixture whose components and parameters can be shown as tables."""

    components_: tuple[Family, ...]
    weights_: FloatArray

    @abstractmethod
    def _column_names(self) -> list[str]: ...

    @property
    @abstractmethod
    def _state(self) -> MixtureState: ...

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
        check_is_fitted(self)
        return Summary.of(self, rank_columns(self.components_, self.weights_))

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
        check_is_fitted(self)
        named = NamedValues.of(self._state, self._column_names())
        values = named.values(self._state).tolist()
        return frame_of(
            [
                {
                    "component": "noise" if name.component == NOISE else name.component,
                    **_entry_of(name.parameter),
                    "value": value,
                }
                for name, value in zip(named.names, values, strict=True)
            ]
        )

    @property
    def column_families_(self) -> ColumnFamilies | None:
        """The family of each column and the reason; None where columns have none of their own."""
        check_is_fitted(self)
        choices = self.components_[0].describe().choices
        return ColumnFamilies(choices) if choices else None


def _entry_of(name: str) -> dict[str, str]:
    """Return the name of a parameter, and that of its entry, which is in brackets if any.

    Examples
    --------
    >>> _entry_of("mean[height]"), _entry_of("weight")
    ({'parameter': 'mean', 'entry': 'height'}, {'parameter': 'weight', 'entry': ''})
    """
    parameter, _, entry = name.partition("[")
    return {"parameter": parameter, "entry": entry.removesuffix("]")}
