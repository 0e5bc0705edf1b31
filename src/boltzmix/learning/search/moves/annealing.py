"""The temperature at which observations may leave a component that was fitted to them.

A component is likelier at the observations that it was fitted to: by one nat for each of its
parameters, all in all. Where it has few members, that is much for each of them. Observations of
other clusters that came to it by chance then stay, and EM ends at one of many optima that differ
by few observations. One E-step at a higher temperature lets them go.
"""

import numpy as np

from ...parts.assignment import responsibilities
from .pricing import EvaluatedMixture
from .proposals import n_parameters

CERTAIN = 0.99  # responsibility at the higher temperature, from which an observation stays


def annealing_temperature(priced: EvaluatedMixture) -> float:
    """Return a temperature that grows with the number of parameters for each observation.

    For sequences and trajectories, it is the number for each step, as these are what parameters are
    learned from. The temperature is one, so that nothing is annealed, where these are few
    (`AutoSettings.anneal_from`), and where no observation would leave its component.
    """
    n_steps = len(priced.data) * priced.data.observations.mean_size
    per_step = priced.n_components * n_parameters(priced.mixture.bank) / n_steps
    if per_step < priced.settings.anneal_from:
        return 1.0
    temperature = 1.0 + priced.settings.anneal_heat * per_step
    found, _ = responsibilities(priced.joint, np.zeros(priced.joint.shape[1]), temperature)
    return 1.0 if found.max(axis=1).min() > CERTAIN else temperature
