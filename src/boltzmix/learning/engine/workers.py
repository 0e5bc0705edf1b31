"""Threads that work on blocks of observations."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from threading import Lock
from typing import Any, Self, TypeVar

from threadpoolctl import ThreadpoolController

from ... import kernels
from ...data import Data
from ...families.base import Bank

T = TypeVar("T")


class Workers:
    """A number of threads, started when there is more than one block to work on.

    Results come in the order of the blocks, whatever the number of threads; and matrix products
    inside a block use one thread, so that they too are the same for any number.

    Parameters
    ----------
    n_threads : int
        Number of threads.
    """

    def __init__(self, n_threads: int = 1) -> None:
        self.n_threads = n_threads

    def __enter__(self) -> Self:
        _PRODUCTS_ON_ONE_THREAD.begin()
        return self

    def __exit__(self, *_: object) -> None:
        _PRODUCTS_ON_ONE_THREAD.end()
        if "_pool" in self.__dict__:
            self._pool.shutdown()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.n_threads)

    def map(self, function: Callable[[slice], T], data: Data, bank: Bank) -> Iterable[T]:
        """Yield the result of a function for the place of each block, in order.

        A family that is not additive sees all observations as one block.
        """
        blocks = data.blocks(len(bank)) if bank.family.additive else [slice(0, len(data))]
        if self.n_threads == 1 or len(blocks) == 1:
            return map(function, blocks)
        return self._pool.map(function, blocks)


class _OneThread:
    """Keeps matrix products on one thread while any fit, in any thread, is running."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0

    def begin(self) -> None:
        with self._lock:
            if self._users == 0:
                self._limits = self._controller.limit(limits=1, user_api="blas")
            self._users += 1

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._limits.restore_original_limits()

    @cached_property
    def _controller(self) -> Any:
        """The libraries for matrix products, which importing a kernel loads."""
        kernels.moments  # noqa: B018
        return ThreadpoolController()


_PRODUCTS_ON_ONE_THREAD = _OneThread()
