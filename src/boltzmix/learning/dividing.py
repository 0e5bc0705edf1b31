"""Groups of components divided anew: all groups at once, each on its own observations.

It is BEEM, with a temperature for each group, and then EM or CEM, on a bank that has the pieces of
all groups: what an observation is to pieces of groups that do not have it is never asked.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from .. import kernels
from ..data import BoolArray, Data, FloatArray, Hard, IntArray
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
        if any(one.leans for one in components):
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
    n_pieces : int
    rng : Generator
    workers : Workers
    """

    def __init__(
        self, own: Holdings, n_pieces: int, rng: np.random.Generator, workers: Workers
    ) -> None:
        self.own, self.n_pieces, self.rng, self.workers = own, n_pieces, rng, workers
        group, size, bank = own.group, np.int32(len(own.groups)), own.view.mixture.bank
        self._copies = own.data.take(np.tile(np.arange(len(group)), n_pieces))
        labels = np.concatenate([group + size * piece for piece in np.arange(n_pieces, dtype=np.int32)])
        self._everyone = Hard(labels, int(size) * n_pieces)
        firsts = [bank.components[members[0]] for members in own.groups]
        self._bank = bank.family.bank(firsts * n_pieces)

    def run(self, labels: IntArray, hot: BoolArray, explore: int, settle: int) -> Pieces:
        """Divide groups, given the piece that each observation is in at first.

        Parameters
        ----------
        labels : array of int, shape (e,)
        hot : array of bool, shape (G,)
            Which groups explore; in the others, every observation chooses the best piece at once.
        explore, settle : int
            How many steps of each kind.
        """
        self._label(labels)
        for step in range(explore):
            values = self._values()
            heat = HEAT * (1 - step / explore) * hot * self._spread(values)
            self._label(self._drawn(values, np.maximum(heat, 1e-300)[self.own.group]))
        for _ in range(settle):
            values = self._values() + self._log_weights()
            if self.own.view.weighted:
                self._share_out(_shares(values))
            else:
                self._label(values.argmax(axis=0))
        return self._pieces()

    def _values(self) -> FloatArray:
        """Return the values of observations under the pieces of their group, shape (m, e)."""
        return self._bank.log_prob_at(self._copies, self._everyone).reshape(self.n_pieces, -1)

    def _spread(self, values: FloatArray) -> FloatArray:
        """Return by how much the best piece of an observation is better, as a mean by groups."""
        with np.errstate(invalid="ignore"):
            apart = 2 * (values.max(axis=0) - values.mean(axis=0))
        apart = np.where(np.isfinite(apart), apart, 0.0)
        sums = np.bincount(self.own.group, apart, minlength=len(self.own.groups))
        return sums / np.maximum(self.own.sizes, 1)

    def _drawn(self, values: FloatArray, temperature: FloatArray) -> IntArray:
        labels = np.empty(values.shape[1], dtype=np.int32)
        draws = self.rng.random(values.shape[1])
        kernels.assignment.draw_labels(
            values / temperature, np.zeros(self.n_pieces), 1.0, draws, labels
        )
        return labels

    def _log_weights(self) -> FloatArray:
        with np.errstate(divide="ignore"):
            weights = self._counts / np.maximum(self._counts.sum(axis=0), 1e-300)
            return np.log(weights * self.own.group_weights)[:, self.own.group]

    def _label(self, pieces: IntArray) -> None:
        labels = self.own.group + pieces.astype(np.int32) * np.int32(len(self.own.groups))
        self._fit(self.own.data, Hard(labels, len(self._bank), self.own.weights))

    def _share_out(self, shares: FloatArray) -> None:
        weights = (self.own.weights * shares).ravel()
        self._fit(self._copies, Hard(self._everyone.labels, len(self._bank), weights))

    def _fit(self, data: Data, membership: Hard) -> None:
        kept = self._bank.too_small(membership.counts, self._bank.family.min_observations)
        statistics = self._bank.summarise(data, membership)
        self._bank = maximise(
            self._bank, data, statistics, membership, kept, self.rng, self.workers
        )
        self._counts = membership.counts.reshape(self.n_pieces, -1)

    def _pieces(self) -> Pieces:
        values = self._values() + self._log_weights()
        together = np.logaddexp if self.own.view.weighted else np.maximum
        gains = self.own.gains(together.reduce(values, axis=0))
        return Pieces(self.own, self._bank, self._counts, gains, values.argmax(axis=0))


def _shares(values: FloatArray) -> FloatArray:
    """Return the shares of each piece (m, e), in proportion to the exponentials of values."""
    return modified_responsibility(values.T, np.zeros(len(values)))[0].T
