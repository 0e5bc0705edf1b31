"""K generalised linear models of the same features, evaluated together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from ...data import Regression
from ..contract.bank import Bank, Evaluation
from .outcomes import Outcomes
from .responses import bounded

if TYPE_CHECKING:
    from .generalised_linear import GeneralisedLinear


class GeneralisedLinearBank(Bank):
    """K models of the same features, which are computed once for all."""

    def evaluate(self, data: Regression, *, is_rounded: bool = True) -> Evaluation:
        """Return the log density of the targets under each component, shape (n, K)."""
        members = cast("Sequence[GeneralisedLinear]", self.components)
        intercepts, coefficients = zip(*(one.fitted_parameters for one in members), strict=True)
        dispersions = np.array([one.dispersion or 0.0 for one in members])
        predictors = members[0].expand(data.inputs) @ np.stack(coefficients, axis=1)
        predictors += np.array(intercepts)
        if data.offset is not None:
            predictors += data.offset[:, None]
        outcomes, response = Outcomes.of(data), members[0].response
        impossible = response.outside(outcomes)
        with np.errstate(all="ignore"):
            found = response.log_kernel(outcomes.as_columns, bounded(predictors), dispersions)
            found += response.log_base(outcomes.as_columns)
        found[impossible] = -np.inf
        return self.evaluated(found, data)
