"""Super-blocks of a Dask collection: the same observations, whatever its partitions are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self
from uuid import uuid4

import numpy as np
from dask.delayed import Delayed, delayed
from dask.highlevelgraph import HighLevelGraph
from dask.utils import ensure_dict

from ..data import BoolArray, IntArray, block_slices, groups_of
from ..data.blocks import FAN_IN
from .client import computed, holds, persisted


@dataclass(frozen=True, eq=False)
class SuperBlocks:
    """Data of consecutive observations, each a lazy value of Dask.

    Parameters
    ----------
    parts : tuple of Delayed
        Data, such as `Table`.
    places : tuple of slice
        Which of all observations each of them holds.
    """

    parts: tuple[Delayed, ...]
    places: tuple[slice, ...]

    @classmethod
    def cut(cls, partitions: Sequence[Delayed], lengths: Sequence[int], size: int) -> Self:
        """Cut and join partitions so that each part has `size` observations, but for the last.

        Parameters
        ----------
        partitions : sequence of Delayed
            Data, of which those without observations are not looked at.
        lengths : sequence of int
            Number of observations in each partition.
        size : int
        """
        ends = np.cumsum([0, *lengths])
        places = block_slices(int(ends[-1]), size)
        parts = []
        for place in places:
            first = int(np.searchsorted(ends, place.start, side="right")) - 1
            last = int(np.searchsorted(ends, place.stop, side="left")) - 1
            used = [k for k in range(first, last + 1) if lengths[k]]
            slices = [
                (max(place.start - int(ends[k]), 0), min(place.stop - int(ends[k]), lengths[k]))
                for k in used
            ]
            whole = len(used) == 1 and slices[0] == (0, lengths[used[0]])
            chosen = [partitions[k] for k in used]
            parts.append(chosen[0] if whole else delayed(_joined)(chosen, slices))
        return cls(_in_one_layer(parts), tuple(places))

    def __len__(self) -> int:
        return self.places[-1].stop

    def kept(self, n_bytes: int) -> Self:
        """Return the same parts, held by the workers if they have room for so many bytes.

        Dask computes those again that are lost with a worker.
        """
        if not holds(n_bytes):
            return self
        return type(self)(_in_one_layer(persisted(*self.parts)), self.places)

    def each(self, function: Callable[..., Any], *arguments: Any) -> list[Delayed]:
        """Return the lazy results of a function of each part, its place and further arguments.

        Arguments are sent to each worker once.
        """
        name = _unique(function.__name__)
        sent = {f"{name}-argument-{number}": Sent(one) for number, one in enumerate(arguments)}
        tasks = {
            f"{name}-{number}": (_call, function, part.key, place, list(sent))
            for number, (part, place) in enumerate(zip(self.parts, self.places, strict=True))
        }
        return lazy_values(self.parts[0].dask, name, sent | tasks, list(tasks))

    def at(self, indices: IntArray | BoolArray) -> list[Any]:
        """Return some observations of each part that has any, given sorted indices."""
        starts = [place.start for place in self.places]
        numbers = np.searchsorted(starts, indices, side="right") - 1
        chosen = [
            delayed(_taken)(self.parts[number], indices[numbers == number] - starts[number])
            for number in np.unique(numbers)
        ]
        return list(computed(*chosen))


@dataclass(frozen=True)
class Sent:
    """A value that is sent to workers as it is: Dask does not look into it."""

    value: Any


def lazy_sum(results: Sequence[Delayed], add: Callable[[Any, Any], Any]) -> Delayed:
    """Return the sum of lazy results of one graph, in the order of `add_up`."""
    name = _unique("sum")
    tasks: dict[str, Any] = {f"{name}-argument": Sent(add)}
    keys = [one.key for one in results]
    while len(keys) > 1:
        groups = {f"{name}-{len(tasks)}-{k}": one for k, one in enumerate(groups_of(keys, FAN_IN))}
        tasks |= {key: (_sum, f"{name}-argument", group) for key, group in groups.items()}
        keys = list(groups)
    if len(results) == 1:
        return results[0]
    return lazy_values(results[0].dask, name, tasks, keys)[0]


def lazy_values(
    graph: HighLevelGraph, name: str, tasks: Mapping[str, Any], keys: Sequence[str]
) -> list[Delayed]:
    """Return the lazy values of some tasks that are added to a graph as one layer.

    That is much quicker than a call of `delayed` for each of many tasks.
    """
    layers: dict[str, Any] = {**graph.layers, name: tasks}
    dependencies = {**graph.dependencies, name: set(graph.layers)}
    larger = HighLevelGraph(layers, dependencies)
    return [Delayed(key, larger, layer=name) for key in keys]


def _unique(name: str) -> str:
    return f"{name}-{uuid4().hex}"


def _sum(add: Sent, results: list[Any]) -> Any:
    return reduce(add.value, results)


def _in_one_layer(parts: Sequence[Delayed]) -> tuple[Delayed, ...]:
    """Return lazy values in a graph of one layer, so that graphs upon them are made quickly."""
    name = _unique("super-blocks")
    layer = ensure_dict(HighLevelGraph.merge(*(part.dask for part in parts)))
    graph = HighLevelGraph({name: layer}, {name: set()})
    return tuple(Delayed(part.key, graph, layer=name) for part in parts)


def _call(function: Callable[..., Any], part: Any, place: slice, sent: list[Sent]) -> Any:
    return function(part, place, *(one.value for one in sent))


def _joined(partitions: list[Any], slices: list[tuple[int, int]]) -> Any:
    """Return some observations of several partitions as one."""
    pieces = [one.take(slice(*place)) for one, place in zip(partitions, slices, strict=True)]
    return pieces[0] if len(pieces) == 1 else type(pieces[0]).joined(pieces)


def _taken(part: Any, indices: IntArray | BoolArray) -> Any:
    return part.take(indices)
