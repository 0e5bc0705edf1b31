"""What columns are like in each component."""

from typing import Any

from ..fitted import FittedMixture
from ..inference import Profiles
from .canvas import check_mixture


def profiles(model: FittedMixture, X: Any, y: Any = None) -> Profiles:
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
