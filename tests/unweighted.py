"""A family whose fit takes no weights, for tests of algorithms without weights."""

from boltzmix.families import Gaussian


class Unweighted(Gaussian):
    """A Gaussian whose fit takes no weights."""

    weighted = False
    additive = False
