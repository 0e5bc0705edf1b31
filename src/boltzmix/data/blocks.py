"""Blocks of observations that are processed one at a time."""

LARGEST, SMALLEST = 2**16, 2**10  # observations per block
NUMBERS = 2**18  # in the rows and the log-likelihoods of a block, so that a core's cache holds them


def block_size(n_features: int, n_components: int) -> int:
    """Return the number of observations per block: a power of two that fits the cache.

    It depends on nothing else, so that sums are made in the same order on every machine.
    """
    rows = NUMBERS // (n_features + n_components)
    return max(SMALLEST, min(LARGEST, 1 << max(rows, 1).bit_length() - 1))


def block_slices(n: int, size: int) -> list[slice]:
    """Return the slices of n observations, in order, that hold `size` of them each."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]
