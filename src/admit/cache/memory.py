"""Compiled schemas in memory: a bounded map, least recently used out first, and one build a key at a time.

Imports: nothing of admit.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class _Flight(Generic[T]):
    """A build under way, with those who wait for it."""

    value: T

    def __init__(self) -> None:
        self.builder = threading.get_ident()
        self.error: BaseException | None = None
        self.landed = threading.Event()

    def wait(self) -> T:
        """What the builder built; raises what the builder raised."""
        if self.builder == threading.get_ident():
            raise RuntimeError("a build asked the cache for its own key")
        self.landed.wait()
        if self.error is not None:
            raise self.error
        return self.value


_caches: WeakSet[MemoryCache[Any]] = WeakSet()


def _after_fork() -> None:
    """The threads that build in the parent are not in the child."""
    for cache in _caches:
        cache._lock = threading.Lock()
        cache._flights = {}


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class MemoryCache(Generic[T]):
    """Up to `maxsize` values by digest, shared between threads.

    Raises ValueError where `maxsize` is below 1.
    """

    def __init__(self, maxsize: int = 1024) -> None:
        if maxsize < 1:
            raise ValueError("maxsize must be at least 1")
        self._maxsize = maxsize
        self._lock = threading.Lock()
        self._values: OrderedDict[str, T] = OrderedDict()
        self._flights: dict[str, _Flight[T]] = {}
        _caches.add(self)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> T | None:
        """The value of `key`, used just now; None where there is none."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: str, value: T) -> None:
        """Set `key` to `value`, whatever a build under way will say."""
        with self._lock:
            self._flights.pop(key, None)
            self._store(key, value)

    def evict(self, key: str) -> None:
        """Forget `key`. A build under way still serves those who wait for it, and is not kept."""
        with self._lock:
            self._flights.pop(key, None)
            self._values.pop(key, None)

    def get_or_build(self, key: str, build: Callable[[], T]) -> T:
        """The value of `key`, or of one call of `build` for all threads that ask meanwhile.

        Raises what `build` raises, in every one of those threads, and keeps nothing then;
        RuntimeError where `build` asks for `key` itself.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
            under_way = self._flights.get(key)
            if under_way is None:
                flight = self._flights[key] = _Flight()
        if under_way is not None:
            return under_way.wait()
        try:
            flight.value = build()
        except BaseException as error:
            flight.error = error
            raise
        else:
            return flight.value
        finally:
            with self._lock:
                if self._flights.get(key) is flight:
                    del self._flights[key]
                    if flight.error is None:
                        self._store(key, flight.value)
            flight.landed.set()

    def replace(self, old: str, key: str, build: Callable[[], T]) -> T:
        """The value of `key`, as `get_or_build` gives it; `old` is evicted once that value is there.

        Until then, and when `build` raises, `old` stays.
        """
        value = self.get_or_build(key, build)
        if old != key:
            self.evict(old)
        return value

    def _store(self, key: str, value: T) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        if len(self._values) > self._maxsize:
            self._values.popitem(last=False)
