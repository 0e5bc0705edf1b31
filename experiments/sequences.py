"""Mixtures of hidden Markov models: random models, handwritten letters, spoken vowels."""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from boltzmix import BEEM, EM, Mixture
from boltzmix.datasets import draw_random_hmms, load_character_trajectories, make_random_hmms
from boltzmix.families import HMM, Family, Gaussian

from .methods import count_updates, fit_quietly
from .table import Found, Method, PaperTable, paper

CONVERGED_EM = EM(tolerance=1e-5)
PAPER = BEEM()
AUTO = BEEM(temperature="auto", small="reseed")

Run = Callable[[Any, int], Found]


def learn(family: Family, n_components: int, algorithm: Any, init: str = "random") -> Run:
    """Return a run that fits a mixture; initialisation A is random labels."""

    def run(X: Any, seed: int) -> Found:
        model = Mixture(
            family, n_components, algorithm=algorithm, init=init, random_state=seed, n_jobs=1
        )
        fit_quietly(model, X)
        return Found(model.labels_, count_updates(model) + 1, model.lower_bound_)

    return run


def by_true_models(lengths: tuple[int, int]) -> Run:
    """Return a run that assigns sequences to the true models with the highest likelihood."""

    def run(X: Any, seed: int) -> Found:
        drawn = draw_random_hmms(lengths, random_state=seed)
        emission = Gaussian("diag")
        states = emission.bank(
            [
                Gaussian("diag", mean=np.array([mean]), variance=np.array([drawn.deviation**2]))
                for mean in drawn.means
            ]
        )
        models = [
            HMM(len(drawn.means), emission, initial=initial, transitions=transitions, states=states)
            for initial, transitions in zip(drawn.initial, drawn.transitions, strict=True)
        ]
        return Found(np.argmax([model.log_prob(X) for model in models], axis=0))

    return run


def random_hmms(
    name: str, lengths: tuple[int, int], em: Any, smyth: Any, beem: Any, why: str = ""
) -> PaperTable:
    """Return the table of one setting of the random-HMM simulation."""
    family = HMM(4)
    return PaperTable(
        name=name,
        title=f"Random HMM simulation, lengths {lengths[0]} to {lengths[1]}",
        make_data=lambda seed: make_random_hmms(lengths, random_state=seed),
        methods=(
            Method("EM", "A", "–", learn(family, 3, CONVERGED_EM), em, why=why),
            Method("EM", "Smyth", "–", learn(family, 3, CONVERGED_EM, "smyth"), smyth, why=why),
            Method("BEEM", "A", "I", learn(family, 3, PAPER), beem, why=why),
            Method("BEEM, auto temperature", "A", "I", learn(family, 3, AUTO), {}),
            Method("auto", "A", "–", learn(family, 3, "auto"), {}),
            Method("true parameters", "–", "–", by_true_models(lengths), {}),
        ),
    )


INITIALISATION = (
    "the paper does not say how its models are initialised; ours take their states from K-means on"
    " the steps of all sequences, which finds the four states at once, and a prior of a tenth of a"
    " transition prevents that short sequences make transitions impossible."
)

SHORT_HMMS = random_hmms(
    "random-hmm-5-10", (5, 10),
    paper((0.51, 0.07), (0.13, 0.07), (0.13, 0.08), (0.09, 0.07)),
    paper((0.47, 0.07), (0.09, 0.07), (0.11, 0.08), (0.05, 0.07)),
    paper((0.49, 0.06), (0.09, 0.06), (0.10, 0.07), (0.07, 0.07)),
    why=INITIALISATION,
)  # fmt: skip

LONG_HMMS = random_hmms(
    "random-hmm-20-50", (20, 50),
    paper((0.80, 0.15), (0.64, 0.22), (0.67, 0.20), (0.60, 0.24)),
    paper((0.71, 0.13), (0.51, 0.18), (0.56, 0.18), (0.49, 0.20)),
    paper((0.87, 0.11), (0.68, 0.19), (0.69, 0.19), (0.68, 0.21)),
    why=INITIALISATION,
)  # fmt: skip


def characters(letters: str, em: Any, smyth: Any, beem: Any) -> PaperTable:
    """Return the table of some letters of the character trajectories."""
    family, k = HMM(12, Gaussian("full"), "left-right"), len(letters)
    return PaperTable(
        name=f"characters-{letters[0]}-{letters[-1]}",
        title=f"Character trajectories, {letters[0]} to {letters[-1]}",
        make_data=lambda seed: load_character_trajectories(letters),
        methods=(
            Method("EM", "A", "–", learn(family, k, CONVERGED_EM), em),
            Method("EM", "Smyth", "–", learn(family, k, CONVERGED_EM, "smyth"), smyth),
            Method("BEEM", "A", "I", learn(family, k, PAPER), beem),
            Method("BEEM, auto temperature", "A", "I", learn(family, k, AUTO), {}),
            Method("auto", "A", "–", learn(family, k, "auto"), {}),
        ),
        best_of=3,
        repeats=10,
        remark="One half of the data set: 400 of the paper's 797 sequences of the letters a to e."
        " Left-to-right models of twelve states with full covariances; the paper does not say"
        " which models it used.",
    )


PERFECT = paper((1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 0.0))
CHARACTERS_AB = characters("ab", PERFECT, PERFECT, PERFECT)
CHARACTERS_AE = characters(
    "abcde",
    paper((0.96, 0.0), (0.90, 0.0), (0.91, 0.0), (0.90, 0.0)),
    paper((0.96, 0.0), (0.90, 0.0), (0.91, 0.0), (0.89, 0.0)),
    paper((0.98, 0.0), (0.95, 0.0), (0.95, 0.0), (0.96, 0.0)),
)


def load_japanese_vowels() -> tuple[list[Any], Any]:
    """Read the 640 utterances of nine speakers that come with the aeon package."""
    aeon = find_spec("aeon")
    if aeon is None or aeon.origin is None:
        raise FileNotFoundError(
            "Japanese Vowels come with the aeon package: pip install --no-deps aeon."
        )
    folder = Path(aeon.origin).parent / "datasets" / "data" / "JapaneseVowels"
    sequences, labels = [], []
    for part in ("TRAIN", "TEST"):
        for line in (folder / f"JapaneseVowels_{part}.ts").read_text().splitlines():
            if line and line[0] not in "#@":
                *channels, label = line.split(":")
                sequences.append(np.array([channel.split(",") for channel in channels], float).T)
                labels.append(int(label) - 1)
    return sequences, np.array(labels)


def vowels() -> PaperTable:
    """Return the table of Japanese Vowels, which the paper does not have."""
    fit = partial(learn, HMM(3, topology="left-right"), 9)
    return PaperTable(
        name="japanese-vowels",
        title="Japanese Vowels, nine speakers",
        make_data=lambda seed: load_japanese_vowels(),
        methods=(
            Method("EM", "A", "–", fit(CONVERGED_EM), {}),
            Method("EM", "Smyth", "–", fit(CONVERGED_EM, "smyth"), {}),
            Method("BEEM", "A", "I", fit(PAPER), {}),
            Method("BEEM, auto temperature", "A", "I", fit(AUTO), {}),
            Method("auto", "A", "–", fit("auto"), {}),
        ),
        repeats=20,
        remark="Not in the paper. Left-to-right models of three states with diagonal covariances.",
    )


JAPANESE_VOWELS = vowels()
