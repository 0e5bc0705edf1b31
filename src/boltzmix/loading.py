"""Load mixtures from model files."""

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

    No code from the file is run: it can only name classes of boltzmix, and those passed as
    `families`.

    Parameters
    ----------
    path : str or path
    families : iterable of classes, optional
        Your own classes of families that the mixture has components of.

    Returns
    -------
    Mixture or GaussianMixture
        Its predictions equal those of the saved mixture, bit for bit on the same machine. `about_`
        holds the notes that were saved with it, and `written_by_` the versions that wrote it.

    Raises
    ------
    ModelFileError
        A `ValueError` with a message of one sentence, if the file does not exist, is damaged or
        forged, or was written by a newer boltzmix.
    """
    model: Mixture | GaussianMixture = load_model(path, (Mixture, GaussianMixture), families)
    return model
