"""Every family: mixtures of three components are drawn, and fitted to what was drawn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy import stats
from sklearn.neighbors import KernelDensity

from boltzmix import Mixture, families
from boltzmix.families import HMM, Family, Gaussian
from boltzmix.metrics import purity_score

from .methods import fit_quietly, random_responsibilities
from .table import Found, Method, PaperTable

K, N = 3, 300
STEPS = 15  # of a sequence
TOLERANCE = 1e-3  # of a mean log-likelihood
AXES = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.6, 0.8, 0.0], [0.0, 0.0, -0.6, 0.8]])
SIMPLEX = np.array([[6.0, 1.0, 2.0, 1.0], [1.0, 5.0, 1.0, 5.0], [8.0, 8.0, 40.0, 8.0]])
CORNERS = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
LOADINGS = np.random.default_rng(0).normal(size=(K, 8, 2))
CENTRES = 1.5 * np.random.default_rng(1).normal(size=(K, 8))
LINES = np.array([[0.0, 2.0], [4.0, -2.0], [-4.0, 0.0]])  # intercept and slope
LOG_LINES = np.array([[1.5, 1.0], [1.5, -1.0], [3.0, 0.0]])  # of means or odds
NOISE = 0.5
RISING = np.array([[0.6, 0.3, 0.1], [0.1, 0.6, 0.3], [0.3, 0.1, 0.6]])


@dataclass(frozen=True)
class Case:
    """A family, and a true mixture of three components to draw observations from.

    Parameters
    ----------
    family : Family
        The template that is fitted.
    draw : function of (labels, rng) returning the arguments of fit: (X,) or (X, y)
    log_densities : function of these arguments returning true log densities, shape (K, n)
        Up to a constant for each observation.
    runs : int
        Number of runs of "auto".
    """

    family: Family
    draw: Callable[[Any, np.random.Generator], tuple[Any, ...]]
    log_densities: Callable[..., Any]
    runs: int = 1


def known(family: Family, truth: Sequence[Any], **options: Any) -> Case:
    """Return the case of three components that can draw observations, and evaluate them."""

    def draw(labels: Any, rng: np.random.Generator) -> tuple[Any]:
        drawn = [one.sample(len(labels), rng, **options) for one in truth]
        return ([drawn[k][n] for n, k in enumerate(labels)],)

    def log_densities(X: Any) -> Any:
        return [one.log_prob(one.observe(X)) for one in truth]

    return Case(family, draw, log_densities)


def curves(family: Family, functions: Callable[[Any], Any], runs: int = 1) -> Case:
    """Return the case of three functions of one input (n,), with values of shape (n, K)."""

    def draw(labels: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        x = rng.uniform(-3, 3, len(labels))
        on_curve = functions(x)[np.arange(len(labels)), labels]
        return x[:, None], on_curve + NOISE * rng.normal(size=len(labels))

    def log_densities(X: Any, y: Any) -> Any:
        return -(((y - functions(X[:, 0]).T) / NOISE) ** 2)

    return Case(family, draw, log_densities, runs)


def regressions(family: Family, law: Callable[[Any], Any], *beside: float) -> Case:
    """Return the case of three regressions of one input, whose log means or odds are lines.

    Parameters
    ----------
    family : Family
    law : function of means (n, K), or odds, returning a distribution of scipy.stats
    *beside : float
        What further columns of X hold.
    """

    def draw(labels: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        x = rng.uniform(-3, 3, len(labels))
        drawn = law(np.exp(LOG_LINES[:, 0] + x[:, None] * LOG_LINES[:, 1])).rvs(random_state=rng)
        X = np.column_stack([x, *(np.full(len(x), one) for one in beside)])
        return X, drawn[np.arange(len(labels)), labels]

    def log_densities(X: Any, y: Any) -> Any:
        found = law(np.exp(LOG_LINES[:, 0] + X[:, :1] * LOG_LINES[:, 1]))
        density = found.logpmf if hasattr(found.dist, "pmf") else found.logpdf
        return density(y[:, None]).T

    return Case(family, draw, log_densities)


def growth(family: Family) -> Case:
    """Return the case of three lines over time, each trajectory of which has a level of its own."""

    def draw(labels: Any, rng: np.random.Generator) -> tuple[Any]:
        trajectories = []
        for label in labels:
            times = rng.uniform(-3, 3, rng.integers(4, 9))
            values = lines(times)[:, label] + rng.normal() + NOISE * rng.normal(size=len(times))
            trajectories.append((times, values))
        return (trajectories,)

    def log_densities(X: Any) -> Any:
        def one(times: Any, values: Any) -> Any:
            covariance = 1.0 + NOISE**2 * np.eye(len(times))
            apart = values[:, None] - lines(times)
            return [stats.multivariate_normal(cov=covariance).logpdf(each) for each in apart.T]

        return np.transpose([one(times, values) for times, values in X])

    return Case(family, draw, log_densities)


def lines(x: Any) -> Any:
    """Return the values of three lines at x (n,), shape (n, K)."""
    return LINES[:, 0] + x[:, None] * LINES[:, 1]


def waves(x: Any) -> Any:
    """Return the values of three waves at x (n,), shape (n, K)."""
    return np.column_stack([3 * np.sin(x), 4 + np.cos(2 * x), 2 * np.cos(x) - 4])


def chain(k: int) -> HMM:
    """Return one of three models that share their states, and differ in the transitions."""
    states = [Gaussian("diag", mean=np.array([m]), variance=np.ones(1)) for m in (-3.0, 0.0, 3.0)]
    return HMM(
        3, states[0], initial=np.full(3, 1 / 3), transitions=np.roll(RISING, k, axis=1),
        states=states[0].bank(states),
    )  # fmt: skip


def analyser(k: int) -> Gaussian:
    """Return a Gaussian whose covariance is that of two factors and noise."""
    return Gaussian(mean=CENTRES[k], variance=LOADINGS[k] @ LOADINGS[k].T + 0.5 * np.eye(8))


def student(k: int) -> Family:
    """Return a t distribution with few degrees of freedom."""
    return families.StudentT(
        location=1.5 * CORNERS[k], scatter=np.diag([1.0, 0.5]), degrees=3.0 + k, learned=True
    )


def robust(k: int) -> Family:
    """Return a Gaussian with somewhat heavy tails."""
    return families.RobustGaussian(
        location=1.5 * CORNERS[k], scatter=np.diag([1.0, 0.5]), degrees=4.0, learned=True
    )


def of_columns(family: type, *parameters: Sequence[Any]) -> Case:
    """Return the case of three components of a family, given the parameters of each."""
    return known(family(), [family(*own) for own in parameters])


def scale_of(rows: Any) -> Any:
    """Return centres and deviations, as the fit of a user's family may."""
    return rows.mean(axis=0), rows.std(axis=0) + 0.05


def logistic(rows: Any, parameters: Any) -> Any:
    """Return log densities, as the log_prob of a user's family may."""
    centre, deviation = parameters
    return stats.logistic.logpdf(rows, centre, deviation * np.sqrt(3) / np.pi).sum(axis=1)


BY_HAND = families.FunctionFamily(scale_of, logistic)
GAUSSIANS = [Gaussian(mean=centre, variance=np.eye(2)) for centre in CORNERS]
FREQUENCIES = np.array([[0.05, 0.9], [0.95, 0.9], [0.5, 0.05]])

CASES = {
    "Bernoulli": of_columns(
        families.Bernoulli, *([np.repeat(p, 6)] for p in FREQUENCIES)
    ),
    "Beta": of_columns(
        families.Beta, ([2, 20], [20, 20]), ([20, 20], [20, 2]), ([20, 2], [2, 20])
    ),
    "Categorical": known(
        families.Categorical(),
        [families.Categorical(probabilities=np.tile(row / row.sum(), (6, 1))) for row in SIMPLEX],
    ),
    "Dirichlet": known(
        families.Dirichlet(), [families.Dirichlet(concentrations=row) for row in SIMPLEX]
    ),
    "Exponential": of_columns(
        families.Exponential, ([10, 1, 10],), ([1, 20, 0.1],), ([0.1, 0.5, 1],)
    ),
    "FactorAnalyser": known(families.FactorAnalyser(2), [analyser(k) for k in range(K)]),
    "Gamma": of_columns(
        families.Gamma, ([2, 9], [1, 9]), ([20, 9], [2, 1]), ([30, 30], 1)
    ),
    "GammaRegression": regressions(
        families.GammaRegression(), lambda mean: stats.gamma(8.0, scale=mean / 8)
    ),
    **{
        f"Gaussian {shape}": known(Gaussian(shape), GAUSSIANS)
        for shape in ("full", "tied", "diag", "spherical")
    },
    "GaussianProcess": curves(families.GaussianProcess(), waves, runs=3),
    "Geometric": of_columns(
        families.Geometric, *([np.repeat(p, 3)] for p in ([0.9, 0.02], [0.02, 0.9], [0.2, 0.2]))
    ),
    "GrowthCurve": growth(families.GrowthCurve()),
    "HMM": known(HMM(3), [chain(k) for k in range(K)], length=STEPS),
    "Laplace": of_columns(
        families.Laplace, ([0, 0], [1, 0.5]), ([4, 0], 0.5), ([2, 3], 0.5)
    ),
    "LinearRegression": curves(families.LinearRegression(), lines),
    "LogisticRegression": regressions(
        families.LogisticRegression(trials=1), lambda odds: stats.binom(50, odds / (1 + odds)), 50
    ),
    "LogNormal": of_columns(
        families.LogNormal, ([0, 0], [1, 0.5]), ([3, 1], 0.5), ([0, 3], 0.5)
    ),
    "MarkovChain": known(
        families.MarkovChain(),
        [
            families.MarkovChain(initial=np.full(3, 1 / 3), transitions=np.roll(RISING, k, axis=1))
            for k in range(K)
        ],
        length=STEPS,
    ),
    "Multinomial": known(
        families.Multinomial(),
        [families.Multinomial(probabilities=p / p.sum(), mean_total=20.0) for p in SIMPLEX],
    ),
    "NegativeBinomial": of_columns(
        families.NegativeBinomial,
        ([5, 5], [0.1, 0.5]), ([5, 5], [0.6, 0.9]), ([20, 20], [0.4, 0.2]),
    ),
    "NegativeBinomialRegression": regressions(
        families.NegativeBinomialRegression(), lambda mean: stats.nbinom(10.0, 10 / (10 + mean))
    ),
    "Poisson": known(
        families.Poisson(),
        [families.Poisson(rate=np.array(rate)) for rate in ([2.0, 2.0], [12.0, 2.0], [6.0, 10.0])],
    ),
    "PoissonRegression": regressions(families.PoissonRegression(), stats.poisson),
    "RobustGaussian": known(families.RobustGaussian(), [robust(k) for k in range(K)]),
    "StudentT": known(families.StudentT(), [student(k) for k in range(K)]),
    "Uniform": of_columns(
        families.Uniform, ([0, 0], [1, 3]), ([5, 0], [6, 3]), ([3, 4], [4, 7])
    ),
    "VonMises": of_columns(
        families.VonMises, ([0, 3], 9), ([2, 0], [5, 20]), ([-2, -2], 9)
    ),
    "VonMisesFisher": known(
        families.VonMisesFisher(),
        [families.VonMisesFisher(direction=axis, concentration=10.0) for axis in AXES],
    ),
    "Weibull": of_columns(
        families.Weibull, ([2, 9], [1, 1]), ([9, 5], [4, 2]), ([3, 3], [2, 6])
    ),
    "ScipyFamily(gumbel_r)": known(
        families.ScipyFamily(stats.gumbel_r),
        [
            families.ScipyFamily(stats.gumbel_r, parameters={"loc": place, "scale": 1.0})
            for place in (0.0, 5.0, 12.0)
        ],
    ),
    "SklearnFamily(KernelDensity)": known(
        families.SklearnFamily(KernelDensity(bandwidth=0.5)), GAUSSIANS
    ),
    "FunctionFamily": known(BY_HAND, GAUSSIANS),
    "ZeroInflatedLogNormal": of_columns(
        families.ZeroInflatedLogNormal,
        ([0.2, 0.6], [0, 0], [1, 0.5]), ([0.2, 0.2], [3, 1], 0.5), ([0.6, 0.2], [0, 3], 0.5),
    ),
}  # fmt: skip


def find(case: Case) -> Callable[[Any, int], Found]:
    """Return a run that draws the observations of a case, and fits it by "auto" and by EM."""

    def run(labels: Any, seed: int) -> Found:
        observations = case.draw(labels, np.random.default_rng([seed, 1]))
        plain = "em" if case.family.weighted else "cem"
        other = learn(case.family, plain, random_responsibilities, observations, seed)
        started = perf_counter()
        found = learn(case.family, "auto", "random", observations, seed, case.runs)
        seconds = perf_counter() - started
        most_likely = np.argmax(case.log_densities(*observations), axis=0)
        gain = found.lower_bound_ - other.lower_bound_
        return Found(
            found.labels_,
            figures={
                "true parameters": purity_score(labels, most_likely),
                "EM": purity_score(labels, other.labels_),
                "gain over EM": gain,
                "auto ≥ EM": float(gain >= -TOLERANCE),
                "seconds": seconds,
            },
        )

    return run


def learn(
    family: Family, algorithm: str, init: Any, observations: Any, seed: int, runs: int = 1
) -> Any:
    """Fit a mixture of three."""
    model = Mixture(
        family, K, algorithm=algorithm, init=init, n_init=runs, random_state=seed, n_jobs=1
    )
    return fit_quietly(model, *observations)


def draw_labels(seed: int) -> tuple[Any, Any]:
    """Draw the components of observations; every case draws its own observations of them."""
    labels = np.random.default_rng([seed, 0]).integers(K, size=N)
    return labels, labels


FAMILIES = PaperTable(
    name="families",
    title="Every family: mixtures of three",
    make_data=draw_labels,
    methods=tuple(Method(name, "–", "–", find(case), {}) for name, case in CASES.items()),
    metrics=("ACC", "true parameters", "EM", "gain over EM", "auto ≥ EM", "seconds"),
    repeats=10,
    remark=f"Not in the paper. {N} observations of three components; one run from a random"
    " assignment, but three runs for curves. ACC is the purity of `auto`; beside it are that of"
    " labels by the true parameters, and of a single run of EM from random responsibilities (of CEM"
    " for FunctionFamily, which has no weights here). The gain is the mean log-likelihood of `auto`"
    " minus that of EM; the next column is the fraction of seeds in which `auto` is not below EM"
    f" by more than {TOLERANCE}. Kernel densities of one bandwidth add up to the same density for"
    " any assignment of observations, so their likelihood does not distinguish assignments. Curves"
    " are found in eight seeds of ten: in one, other curves have a higher likelihood than those"
    " that EM reaches from the true labels (-1.756 against -1.759); in one, three runs ended lower"
    " (-2.04 against -1.82), and eight runs at -1.82. The machine was busy with other work, so"
    " seconds are upper bounds.",
)
