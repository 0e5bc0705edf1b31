"""The E-step: from the value matrix to who belongs to whom.

`joint` (n, K) is the value matrix plus the log weights, log p(x_n | ζ_k) + log w_k.
`draw` returns one uniform number per observation; `weights` (n,) are the observations' own.
"""

from collections.abc import Callable

import numpy as np

from ..data import FloatArray, Hard, Membership, Soft

Assignment = Callable[[FloatArray, float, Callable[[], FloatArray], FloatArray | None], Membership]


def modified_responsibility(joint: FloatArray, temperature: float) -> FloatArray:
    """Return r' (n, K), proportional to exp(joint / temperature), with rows summing to one.

    A row that is impossible under every component gives no preference.
    """
    scaled = joint / temperature
    top = scaled.max(axis=1, keepdims=True)
    scaled -= np.where(np.isneginf(top), 0.0, top)
    shares = np.exp(scaled)
    shares[np.isneginf(top[:, 0])] = 1.0
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def soft(
    joint: FloatArray,
    temperature: float,
    draw: Callable[[], FloatArray],
    weights: FloatArray | None,
) -> Soft:
    """Share every observation out by its modified responsibility."""
    shares = modified_responsibility(joint, temperature)
    return Soft(shares if weights is None else shares * weights[:, None])


def sampled(
    joint: FloatArray,
    temperature: float,
    draw: Callable[[], FloatArray],
    weights: FloatArray | None,
) -> Hard:
    """Draw one component for every observation: z_n ~ Categorical(r'_n)."""
    steps = modified_responsibility(joint, temperature).cumsum(axis=1)
    labels = (draw()[:, None] >= steps[:, :-1]).sum(axis=1)
    return Hard(labels, joint.shape[1], weights)


def argmax(
    joint: FloatArray,
    temperature: float,
    draw: Callable[[], FloatArray],
    weights: FloatArray | None,
) -> Hard:
    """Give every observation to its best component."""
    return Hard(joint.argmax(axis=1), joint.shape[1], weights)


def log_likelihood(joint: FloatArray) -> FloatArray:
    """Return the log density of each observation under the mixture, shape (n,)."""
    top = joint.max(axis=1)
    top[np.isneginf(top)] = 0.0
    with np.errstate(divide="ignore"):  # log 0 = -inf: impossible under every component
        return top + np.log(np.exp(joint - top[:, None]).sum(axis=1))


Score = Callable[[FloatArray, FloatArray], FloatArray]


def mixture_score(values: FloatArray, joint: FloatArray) -> FloatArray:
    """Score each observation by its log density under the mixture (EM's likelihood)."""
    return log_likelihood(joint)


def classification_score(values: FloatArray, joint: FloatArray) -> FloatArray:
    """Score each observation by its best component, weight included (CEM's likelihood)."""
    return joint.max(axis=1)


def best_value_score(values: FloatArray, joint: FloatArray) -> FloatArray:
    """Score each observation by its best value, whatever the weights (the paper's score)."""
    return values.max(axis=1)
