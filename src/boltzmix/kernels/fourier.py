"""Sums of waves at equally spaced frequencies, for Gaussian processes with finite features.

The features of an input with angle a are 1, cos(a), ..., cos(J a), sin(a), ..., sin(J a). Their
products are waves of frequencies 0 to 2 J, so sums of products need O(J) numbers, not O(J²).
"""

from typing import Any

import numpy as np

from .compile import fast_kernel, kernel

BLOCK = 128  # points that are rotated together


@fast_kernel()
def add_sums(angles: Any, weights: Any, targets: Any, highest: int, sums: Any) -> None:
    """Add the sums of weighted waves and of weighted targets times waves of some points.

    Parameters
    ----------
    angles : array, shape (n,)
    weights : array, shape (n,)
    targets : array, shape (m, n)
        Times the weights.
    highest : int
        The highest frequency J of features.
    sums : array, shape (2 (2 J + 1) + 2 m (J + 1),)
        Changed: cosines and sines of frequencies 0 to 2 J, then cosines and sines of frequencies 0
        to J of each target.
    """
    n, m = len(angles), len(targets)
    many, few = 2 * highest + 1, highest + 1
    across, up = np.empty(BLOCK), np.empty(BLOCK)
    cosines, sines = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for i in range(size):
            across[i], up[i] = np.cos(angles[start + i]), np.sin(angles[start + i])
            cosines[i], sines[i] = 1.0, 0.0
        for j in range(many):
            even, odd = 0.0, 0.0
            for i in range(size):
                even += weights[start + i] * cosines[i]
                odd += weights[start + i] * sines[i]
            sums[j] += even
            sums[many + j] += odd
            if j < few:
                for k in range(m):
                    even, odd = 0.0, 0.0
                    for i in range(size):
                        even += targets[k, start + i] * cosines[i]
                        odd += targets[k, start + i] * sines[i]
                    sums[2 * many + 2 * k * few + j] += even
                    sums[2 * many + (2 * k + 1) * few + j] += odd
            for i in range(size):
                turned = cosines[i] * across[i] - sines[i] * up[i]
                sines[i] = sines[i] * across[i] + cosines[i] * up[i]
                cosines[i] = turned


@fast_kernel()
def evaluate_waves(angles: Any, even: Any, odd: Any, values: Any) -> None:
    """Set values (n,) to the sum of cosines and sines with coefficients (J + 1,) each."""
    across, up = np.empty(BLOCK), np.empty(BLOCK)
    cosines, sines = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, len(angles), BLOCK):
        size = min(BLOCK, len(angles) - start)
        for i in range(size):
            across[i], up[i] = np.cos(angles[start + i]), np.sin(angles[start + i])
            cosines[i], sines[i] = across[i], up[i]
            values[start + i] = even[0]
        for j in range(1, len(even)):
            for i in range(size):
                values[start + i] += even[j] * cosines[i] + odd[j] * sines[i]
                turned = cosines[i] * across[i] - sines[i] * up[i]
                sines[i] = sines[i] * across[i] + cosines[i] * up[i]
                cosines[i] = turned


@kernel()
def products_of_features(even: Any, odd: Any, scales: Any, products: Any) -> None:
    """Write the weighted sum of products of any two features, each scaled.

    Parameters
    ----------
    even, odd : arrays, shape (2 J + 1,)
        Sums of weighted cosines and sines of frequencies 0 to 2 J.
    scales : array, shape (2 J + 1,)
        By which features are multiplied.
    products : array, shape (2 J + 1, 2 J + 1)
        Changed.
    """
    highest = len(scales) // 2
    for j in range(highest + 1):
        one = highest + j
        for k in range(j + 1):
            near, far = 0.5 * even[j - k], 0.5 * even[j + k]
            products[j, k] = products[k, j] = scales[j] * scales[k] * (near + far)
            if k > 0:
                other = highest + k
                both = scales[one] * scales[other] * (near - far)
                products[one, other] = products[other, one] = both
    for j in range(highest + 1):
        for k in range(1, highest + 1):
            near = odd[k - j] if k >= j else -odd[j - k]
            both = 0.5 * scales[j] * scales[highest + k] * (odd[j + k] + near)
            products[j, highest + k] = products[highest + k, j] = both


@kernel()
def waves_of_form(matrix: Any, highest: int, even: Any, odd: Any) -> None:
    """Add the coefficients of a quadratic form of the features, as a sum of waves.

    Parameters
    ----------
    matrix : array, shape (2 J + 1, 2 J + 1)
        Symmetric.
    highest : int
        J.
    even, odd : arrays, shape (2 J + 1,)
        Changed: coefficients of cosines and sines of frequencies 0 to 2 J; zero before.
    """
    for j in range(highest + 1):
        for k in range(highest + 1):
            value = 0.5 * matrix[j, k]
            even[abs(j - k)] += value
            even[j + k] += value
            if k == 0:
                continue
            if j > 0:
                value = 0.5 * matrix[highest + j, highest + k]
                even[abs(j - k)] += value
                even[j + k] -= value
            value = matrix[j, highest + k]
            odd[j + k] += value
            if k >= j:
                odd[k - j] += value
            else:
                odd[j - k] -= value
