"""Mixtures from files."""

from collections.abc import Iterable
from os import PathLike

from .families import Family
from .gaussian_mixture import GaussianMixture
from .mixture import Mixture
from .saving import load_model


def load(
    path: str | PathLike[str], *, families: Iterable[type[Family]] = ()
) -> Mixture | GaussianMixture:
    """Read a mixture that its `save` method has written.

    No code is run that comes from the file: it names only classes that boltzmix knows, and those
    handed over.

    Parameters
    ----------
    path : str or path
    families : classes of families, optional
        Those of your own that the model has components of.

    Returns
    -------
    Mixture or GaussianMixture
        It predicts what the saved one predicts, bit for bit on the same machine. `about_` is what
        was kept beside it, and `written_by_` names the versions that wrote it.

    Raises
    ------
    ModelFileError
        A `ValueError` in one sentence, if there is no such file, or it is damaged, made up, or
        written by a newer boltzmix.
    """
    estimators = {"Mixture": Mixture, "GaussianMixture": GaussianMixture}
    model: Mixture | GaussianMixture = load_model(path, estimators, families)
    return model
