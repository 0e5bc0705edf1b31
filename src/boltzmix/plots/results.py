"""Pictures of what a fitted mixture was chosen by, and of its columns."""

from ..comparison import Comparison
from ..data import shown
from ..fitted import FittedMixture
from ..inference import Profiles
from .canvas import check_mixture


def criteria(model: FittedMixture) -> Comparison:
    """Show criteria against the number of components. The lower, the better.

    Parameters
    ----------
    model : Comparison, or mixture that chose its number of components
        What `boltzmix.compare` returns, or a fitted ``Mixture(n_components="auto")``, whose
        `comparison_` is taken.

    Returns
    -------
    Comparison
        Its `plot` draws one family by BIC, ICL and the criterion that chose, and several by one
        line each.

    Examples
    --------
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> model = Mixture(n_components=range(1, 7), random_state=0).fit(X)
    >>> axes = plots.criteria(model).plot()
    """
    found = getattr(model, "comparison_", model)
    if not isinstance(found, Comparison):
        raise ValueError(
            "model must be a comparison, or a fitted mixture that chose its number of components,"
            f" as Mixture(n_components='auto') does, not {shown(model)}."
        )
    return found


def profiles(model: FittedMixture, X: object, y: object = None) -> Profiles:
    """Show the means or probabilities of columns in each component, with intervals.

    Parameters
    ----------
    model : fitted mixture
    X : array, frame or whatever the family takes
    y : array, optional
        The targets of a family that has them.

    Returns
    -------
    Profiles
        Its `plot` draws the columns that say most about the component. Where all columns are
        categories, these are probabilities; else, distances from the mean of all observations, in
        standard deviations.

    Examples
    --------
    >>> from boltzmix import Mixture, plots
    >>> from boltzmix.datasets import make_square
    >>> X, _ = make_square(random_state=0)
    >>> model = Mixture(n_components=4, random_state=0).fit(X)
    >>> axes = plots.profiles(model, X).plot()
    """
    check_mixture(model)
    found: Profiles = model.profiles(X, y)
    return found
