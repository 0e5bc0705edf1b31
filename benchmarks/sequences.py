"""Time one Baum–Welch iteration of boltzmix and of hmmlearn, and one of mixtures of such models."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from hmmlearn.hmm import GaussianHMM

from boltzmix import BEEM, EM, Mixture, Sequences
from boltzmix.families import HMM, Gaussian

from .contenders import no_convergence_warnings, time_of

SIZES = ((60, 35, 1, 4), (400, 117, 3, 8), (2000, 100, 3, 8), (5000, 50, 2, 4))
CLUSTERS = 5
STEPS = 1_000_000  # approximate number of time steps in all timed iterations
FEWEST, MOST = 5, 200  # limits of the number of timed iterations
ROUNDS = 3
AGREEMENT = 1e-9  # largest relative difference between log-likelihoods
Report = Callable[[str], None]


class Chain(NamedTuple):
    """The parameters of a hidden Markov model with diagonal Gaussians."""

    initial: Any
    transitions: Any
    means: Any
    variances: Any


Fit = Callable[[Sequences, Chain, int], float]


def draw_chain(d: int, s: int, rng: np.random.Generator) -> Chain:
    """Draw a model whose states last a few steps and whose Gaussians overlap somewhat."""
    transitions = rng.dirichlet(np.ones(s), size=s) / 2 + np.eye(s) / 2
    variances = rng.uniform(0.5, 1.5, size=(s, d))
    return Chain(rng.dirichlet(np.ones(s)), transitions, rng.normal(0, 3, (s, d)), variances)


def draw_sequences(chain: Chain, n: int, length: int, rng: np.random.Generator) -> list[Any]:
    """Draw n sequences; lengths are from 0.5 to 1.5 times the mean length."""
    lengths = rng.integers(length // 2, length + length // 2, size=n, endpoint=True)
    drawn = as_hmm(chain, 1).sample(n, rng, length=int(lengths.max()))
    return [one[:size] for one, size in zip(drawn, lengths, strict=True)]


def initial_parameters(chain: Chain, rng: np.random.Generator) -> Chain:
    """Return initial parameters: shifted means, larger variances, uniform probabilities."""
    s = len(chain.initial)
    means = chain.means + rng.normal(size=chain.means.shape)
    return Chain(np.full(s, 1 / s), np.full((s, s), 1 / s), means, 2 * chain.variances)


def as_hmm(chain: Chain, steps: int) -> HMM:
    """Return the model as an `HMM` without priors."""
    states = [
        Gaussian("diag", added_variance=0.0, prior=0.0, mean=mean, variance=variance)
        for mean, variance in zip(chain.means, chain.variances, strict=True)
    ]
    return HMM(
        len(states), states[0], n_steps=steps, prior=0.0,
        initial=chain.initial, transitions=chain.transitions, states=states[0].bank(states),
    )  # fmt: skip


def boltzmix_mixture(X: Sequences, start: Chain, iterations: int) -> float:
    """Fit a mixture of one component on all cores; its initialisation is one iteration."""
    model = Mixture(
        as_hmm(start, 1), algorithm=EM(tolerance=0.0), max_iter=iterations - 1, random_state=0
    )
    return float(model.fit(X).lower_bound_ * len(X))


def boltzmix_hmm(X: Sequences, start: Chain, iterations: int) -> float:
    """Fit a single `HMM`."""
    return float(as_hmm(start, iterations).fit(X).log_prob(X).sum())


def hmmlearn(implementation: str) -> Fit:
    """Return the function that fits hmmlearn's model without priors."""

    def fit(X: Sequences, start: Chain, iterations: int) -> float:
        model = GaussianHMM(
            len(start.initial), covariance_type="diag", covars_prior=0, covars_weight=1,
            n_iter=iterations, tol=-np.inf, init_params="", params="stmc",
            implementation=implementation,
        )  # fmt: skip
        model.startprob_, model.transmat_, model.means_, model.covars_ = start
        return float(model.fit(X.values, X.lengths).score(X.values, X.lengths))

    return fit


CONTENDERS: dict[str, Fit] = {
    "hmmlearn": hmmlearn("log"),
    "hmmlearn, scaling": hmmlearn("scaling"),
    "boltzmix": boltzmix_mixture,
    "boltzmix, HMM.fit": boltzmix_hmm,
}
PEERS = ("hmmlearn", "hmmlearn, scaling")


def sequences(report: Report) -> dict[str, Any]:
    """Time Baum–Welch iterations at every size, and iterations of a mixture."""
    time_chain(60, 35, 2, 2, 50)  # compile the kernels before timing
    time_mixture(100, 20, 2, 2, 20)
    chains, mixtures = [], []
    for n, length, d, s in SIZES:
        report(f"Baum–Welch on {n} x {length} x {d}, {s} states")
        size = {"n": n, "length": length, "d": d, "s": s}
        iterations = int(np.clip(STEPS // (n * length), FEWEST, MOST))
        chains.append(size | {"iterations": iterations} | time_chain(n, length, d, s, iterations))
        report(f"mixtures of {CLUSTERS} such models")
        seconds = time_mixture(n, length, d, s, iterations)
        mixtures.append(size | {"k": CLUSTERS, "iterations": iterations, "seconds": seconds})
    return {"chains": chains, "mixtures": mixtures}


def time_chain(n: int, length: int, d: int, s: int, iterations: int) -> dict[str, Any]:
    """Time an iteration of every contender; raise unless all reach the same likelihood."""
    rng = np.random.default_rng(0)
    chain = draw_chain(d, s, rng)
    X, start = Sequences.of(draw_sequences(chain, n, length, rng)), initial_parameters(chain, rng)
    with no_convergence_warnings():
        reached = {name: fit(X, start, 2 + iterations) for name, fit in CONTENDERS.items()}
    expected = reached["hmmlearn"]
    for name, value in reached.items():
        if not abs(value - expected) <= AGREEMENT * abs(expected):
            raise RuntimeError(f"{name} reached {value!r}, but hmmlearn {expected!r}")
    works = {name: partial(fit, X, start) for name, fit in CONTENDERS.items()}
    return {"log_likelihoods": reached, "seconds": per_iteration(works, 2, iterations)}


def time_mixture(n: int, length: int, d: int, s: int, iterations: int) -> dict[str, float]:
    """Time an iteration of a mixture by EM, in all threads and in one, and by BEEM.

    The peers have no mixture of chains: the time of theirs is that of one Baum–Welch iteration for
    each component, over all sequences.
    """
    rng = np.random.default_rng(0)
    chains = [draw_chain(d, s, rng) for _ in range(CLUSTERS)]
    drawn = [draw_sequences(chain, n // CLUSTERS, length, rng) for chain in chains]
    X = Sequences.of([one for part in drawn for one in part])
    family = HMM(s).fit(X)  # fitted already, so that its initialisation is not timed
    start = initial_parameters(chains[0], rng)

    def fit(recipe: Any, n_jobs: int | None, max_iter: int) -> None:
        model = Mixture(family, CLUSTERS, algorithm=recipe, max_iter=max_iter, n_jobs=n_jobs)
        model.set_params(random_state=0).fit(X)

    em = EM(tolerance=0.0)
    works = {name: partial(CONTENDERS[name], X, start) for name in PEERS} | {
        "EM": partial(fit, em, None),
        "EM, one thread": partial(fit, em, 1),
        "BEEM": partial(fit, BEEM(patience=10**6, small="reseed"), None),
    }
    found = per_iteration(works, 1, iterations)
    return found | {name: CLUSTERS * found[name] for name in PEERS}


def per_iteration(
    works: Mapping[str, Callable[[int], Any]], few: int, iterations: int
) -> dict[str, float]:
    """Return the seconds of one iteration: the best long fit minus the best short fit."""
    best = {(name, count): np.inf for name in works for count in (few, few + iterations)}
    with no_convergence_warnings():
        for _ in range(ROUNDS):
            for name, count in best:
                best[name, count] = min(best[name, count], time_of(partial(works[name], count)))
    found = {name: (best[name, few + iterations] - best[name, few]) / iterations for name in works}
    if min(found.values()) <= 0:
        raise RuntimeError(f"The machine is too busy: an iteration took no time: {found}")
    return found
