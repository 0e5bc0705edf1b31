"""Groups of components divided anew: all groups at once, each on its own observations.

It is BEEM, with a temperature for each group, and then EM or CEM, on a bank that has the pieces of
all groups: what an observation is to pieces of groups that do not have it is never asked.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from .. import kernels
from ..data import Columns, Data, FloatArray, Hard, IntArray, Table
from ..families.base import Bank
from .assignment import modified_responsibility
from .maximisation import maximise
from .pricing import FREE, Change, Holdings
from .workers import Workers

HEAT = 0.5  # temperature at the start, as a share of by how much the best piece is better
SAME = 0.99  # of a group's observations, that stay where they are if nothing changes


@dataclass(frozen=True)
class Pieces:
    """So many components for each group.

    Parameters
    ----------
    own : Holdings
    bank : Bank
        Of m G components: the pieces of group g are g, g + G, g + 2 G and so on.
    counts : array, shape (m, G)
        How much of the observations each piece has.
    gains : array, shape (G,)
        How much the log-likelihood rises with the pieces in the place of their group.
    labels : array of int, shape (e,)
        The best piece of each observation.
    """

    own: Holdings
    bank: Bank
    counts: FloatArray
    gains: FloatArray
    labels: IntArray

    def change(self, group: int) -> Change | None:
        """Return the change that puts pieces in the place of their group, if they are sound."""
        places, counts = self.own.groups[group], self.counts[:, group]
        if counts.min() < self.own.view.fewest or self._is_as_before(group):
            return None
        components = self.bank.chosen(range(group, len(self.bank), len(self.own.groups))).components
        before = self.own.view.mixture.bank.chosen(places).components
        if any(one.is_degenerate for one in components) and not all(
            one.is_degenerate for one in before
        ):
            return None
        weights = self.own.group_weights[group] * counts / counts.sum()
        told = f"split {' and '.join(map(str, places))}" + " anew" * (len(places) > 1)
        into = (*places, FREE)[: len(components)]
        arrivals = zip(into, components, weights.tolist(), strict=True)
        return Change(float(self.gains[group]), tuple(arrivals), (), told)

    def _is_as_before(self, group: int) -> bool:
        """Whether the pieces are what the group was, but for a few observations."""
        places = self.own.groups[group]
        if len(places) == 1:
            return False
        mine = slice(*np.searchsorted(self.own.group, [group, group + 1]))
        before = self.own.view.joint[self.own.rows[mine]][:, places].argmax(axis=1)
        moved = np.zeros((len(places), len(places)))
        np.add.at(moved, (before, self.labels[mine]), self.own.share[mine])
        stayed = moved[linear_sum_assignment(moved, maximize=True)].sum()
        return bool(stayed > SAME * moved.sum())


class Division:
    """Pieces in the making.

    Parameters
    ----------
    own : Holdings
    times : int
        How often each group is divided.
    n_pieces : int
    rng : Generator
    workers : Workers
    """

    def __init__(
        self, own: Holdings, times: int, n_pieces: int, rng: np.random.Generator, workers: Workers
    ) -> None:
        self._each, self._n_pieces, self._rng, self._workers = own, n_pieces, rng, workers
        self._own = own = own.repeated(times)
        n_groups, components = np.int32(len(own.groups)), own.view.mixture.bank.components
        self._copies = own.data.take(np.tile(np.arange(len(own.rows)), n_pieces))
        labels = [own.group + n_groups * np.int32(piece) for piece in range(n_pieces)]
        self._everyone = Hard(np.concatenate(labels), int(n_groups) * n_pieces)
        firsts = [components[members[0]] for members in own.groups]
        self._bank = own.view.mixture.bank.family.bank(firsts * n_pieces)

    def explore(self, steps: int, tail: float = 0.0) -> None:
        """Draw labels, from random ones on, or from those of the nearest of a few observations.

        If there is a tail, each group is divided once into its least likely observations, that
        share of them, and the others; what comes of that is not drawn but chosen.
        """
        labels = self._first_labels()
        hot = np.ones(len(self._own.groups))
        if tail > 0:
            labels[: len(self._each.rows)] = self._each.outlying(tail)
            hot[: len(self._each.groups)] = 0
        self._label(labels)
        for step in range(steps):
            values = self._values()
            heat = HEAT * (1 - step / steps) * hot * self._spread(values)
            self._label(self._drawn(values, np.maximum(heat, 1e-300)[self._own.group]))

    def _first_labels(self) -> IntArray:
        """Return labels by distance where that tells, and else random ones."""
        if isinstance(self._own.data, Table | Columns) and self._bank.family.distances:
            return self._nearest()
        return self._rng.integers(self._n_pieces, size=len(self._own.rows))

    def _nearest(self) -> IntArray:
        """Let observations join the nearest of some that are drawn from their group."""
        own = self._own
        rows = own.data.as_vectors()
        spreads = rows.std(axis=0)
        rows = rows / np.where(spreads > 0, spreads, 1.0)
        begins = np.cumsum(own.sizes) - own.sizes
        distances = np.empty((self._n_pieces, len(rows)))
        for piece in range(self._n_pieces):
            drawn = begins + (self._rng.random(len(own.groups)) * own.sizes).astype(int)
            distances[piece] = ((rows - rows[drawn][own.group]) ** 2).sum(axis=1)
        return distances.argmin(axis=0)

    def settle(self, steps: int) -> None:
        """Take steps of EM, or of CEM where the family takes no weights."""
        for _ in range(steps):
            values = self._values() + self._log_weights()
            if self._own.view.weighted:
                self._share_out(_shares(values))
            else:
                self._label(values.argmax(axis=0))

    def best(self) -> "Division":
        """Return the division of each group that gains most."""
        n_groups = len(self._each.groups)
        gains = self.pieces().gains.reshape(-1, n_groups)
        places = gains.argmax(axis=0) * n_groups + np.arange(n_groups)
        best = Division(self._each, 1, self._n_pieces, self._rng, self._workers)
        pieces = np.arange(self._n_pieces)[:, None] * len(self._own.groups)
        best._bank = self._bank.chosen((places + pieces).ravel())
        best._counts = self._counts[:, places]
        return best

    def pieces(self) -> Pieces:
        """Return the pieces as they are now."""
        values = self._values() + self._log_weights()
        together = np.logaddexp if self._own.view.weighted else np.maximum
        gains = self._own.gains(together.reduce(values, axis=0))
        return Pieces(self._own, self._bank, self._counts, gains, values.argmax(axis=0))

    def _values(self) -> FloatArray:
        """Return the values of observations under the pieces of their group, shape (m, e)."""
        return self._bank.log_prob_at(self._copies, self._everyone).reshape(self._n_pieces, -1)

    def _spread(self, values: FloatArray) -> FloatArray:
        """Return by how much the best piece of an observation is better, as a mean by groups."""
        best, second = values[0], np.full(values.shape[1], -np.inf)
        for more in values[1:]:
            second = np.maximum(second, np.minimum(best, more))
            best = np.maximum(best, more)
        with np.errstate(invalid="ignore"):
            apart = best - second
        apart[~np.isfinite(apart)] = 0
        sums = np.bincount(self._own.group, apart, minlength=len(self._own.groups))
        return np.asarray(sums / np.maximum(self._own.sizes, 1))

    def _drawn(self, values: FloatArray, temperature: FloatArray) -> IntArray:
        """Draw pieces in proportion to the exponentials of values over temperatures (e,)."""
        with np.errstate(invalid="ignore", over="ignore"):
            below = (
                np.nan_to_num(values - values.max(axis=0), nan=0.0, neginf=-np.inf) / temperature
            )
        labels = np.empty(values.shape[1], dtype=np.int32)
        draws = self._rng.random(values.shape[1])
        kernels.assignment.draw_labels(below, np.zeros(self._n_pieces), 1.0, draws, labels)
        return labels

    def _log_weights(self) -> FloatArray:
        with np.errstate(divide="ignore"):
            weights = self._counts / np.maximum(self._counts.sum(axis=0), 1e-300)
            return np.log(weights * self._own.group_weights)[:, self._own.group]

    def _label(self, pieces: IntArray) -> None:
        labels = self._own.group + pieces.astype(np.int32) * np.int32(len(self._own.groups))
        self._fit(self._own.data, Hard(labels, len(self._bank), self._own.weights))

    def _share_out(self, shares: FloatArray) -> None:
        weights = self._own.share * self._own.worth * shares
        self._fit(self._copies, Hard(self._everyone.labels, len(self._bank), weights.ravel()))

    def _fit(self, data: Data, membership: Hard) -> None:
        kept = self._bank.too_small(membership.counts, self._bank.family.min_observations)
        statistics = self._bank.summarise(data, membership)
        self._bank = maximise(
            self._bank, data, statistics, membership, kept, self._rng, self._workers
        )
        self._counts = membership.counts.reshape(self._n_pieces, -1)


def _shares(values: FloatArray) -> FloatArray:
    """Return the shares of each piece (m, e), in proportion to the exponentials of values."""
    return modified_responsibility(values.T, np.zeros(len(values)))[0].T
