"""A family whose fit takes no weights, for tests of what is done without them."""

from boltzmix.families import Gaussian


class Unweighted(Gaussian):
    """A Gaussian whose fit takes no weights."""

    weighted = False
    additive = False
