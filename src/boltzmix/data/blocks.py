"""Where blocks of observations lie."""

LARGEST, SMALLEST = 2**16, 2**10
NUMBERS = 2**18  # in a block's rows and values: what fits into a core's own cache


def block_size(n_features: int, n_components: int) -> int:
    """Return how many observations make a block: a power of two that fits the cache.

    It depends on nothing else, so that sums are made in the same order on every machine.
    """
    rows = NUMBERS // (n_features + n_components)
    return max(SMALLEST, min(LARGEST, 1 << max(rows, 1).bit_length() - 1))


def places(n: int, size: int) -> list[slice]:
    """Return the places of the blocks of n observations, in order."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]
