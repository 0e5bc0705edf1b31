"""The choice by the data of what a family was not given, such as a number of hidden states."""

from collections.abc import Generator, Sequence
from dataclasses import replace

import numpy as np

from ...data import without_covariates
from ...families.contract.base import Family
from ...families.contract.search_hints import FitRequest
from ..engine.loop import Run, learn
from ..engine.state import MixtureState, Move, State, Step
from ..engine.training_data import TrainingData
from ..parts.stopping import never
from ..recipes import EM
from .driver import as_trial


def choose(run: Run, family: Family, n_components: int) -> Generator[State, None, Family]:
    """Return a family with all that the data choose; yield the states of its fits as trials."""
    make = family.search_hints.choice
    if make is None:
        return family
    data = run.data
    choice = make(without_covariates(data.observations), n_components, data.sample_weight)

    def fits() -> Generator[State, None, Family]:
        try:
            request = next(choice)
            while True:
                request = choice.send((yield from _fitted(run, request)))
        except StopIteration as end:
            chosen: Family = end.value
            return chosen

    return (yield from run.log.recorded(as_trial(fits(), Move("choose"))))


def _fitted(run: Run, request: FitRequest) -> Generator[State, None, Family]:
    """Return a component after as many M-steps as a family asks for."""

    def is_over(steps: Sequence[Step]) -> bool:
        return len(steps) == request.n_steps

    run = replace(run, data=TrainingData(request.data, request.weights), max_iter=request.n_steps)
    start = MixtureState(request.component.bank([request.component]), np.ones(1))
    parts = replace(EM().parts, stopping=never)
    found = yield from learn(run, EM().name, parts, start, pause=is_over)
    return found.components[0]
