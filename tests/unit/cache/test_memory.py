"""The memory cache: its bound and order, and one build for all who ask at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from admit.cache import MemoryCache, memory


def kept(cache: MemoryCache[int], keys: str) -> str:
    return "".join(key for key in keys if cache.get(key) is not None)


def test_the_least_recently_used_goes_first() -> None:
    cache: MemoryCache[int] = MemoryCache(3)
    for number, key in enumerate("abc"):
        cache.put(key, number)
    cache.get("a")
    cache.get_or_build("b", lambda: pytest.fail("b is there"))
    cache.put("d", 3)
    cache.put("e", 4)
    assert len(cache) == 3
    assert kept(cache, "abcde") == "bde"


def test_setting_a_key_again_uses_it_and_adds_nothing() -> None:
    cache: MemoryCache[int] = MemoryCache(2)
    for key, value in [("a", 1), ("b", 2), ("a", 3), ("c", 4)]:
        cache.put(key, value)
    assert kept(cache, "abc") == "ac"
    assert cache.get("a") == 3


def test_evicting() -> None:
    cache: MemoryCache[int] = MemoryCache()
    cache.put("a", 1)
    cache.evict("a")
    cache.evict("never there")
    assert cache.get("a") is None
    assert len(cache) == 0


@pytest.mark.parametrize("maxsize", [0, -1])
def test_a_cache_of_nothing_is_refused(maxsize: int) -> None:
    with pytest.raises(ValueError, match="maxsize"):
        MemoryCache(maxsize)


def test_none_is_a_value_and_is_built_once() -> None:
    cache: MemoryCache[None] = MemoryCache()
    builds: list[int] = []
    for _ in range(2):
        cache.get_or_build("a", lambda: builds.append(1))
    assert len(builds) == 1


class Build:
    """A build that lasts until `finish` is set, and counts how often it ran."""

    def __init__(self, outcome: object) -> None:
        self.outcome = outcome
        self.runs = 0
        self.started = threading.Event()
        self.finish = threading.Event()

    def __call__(self) -> object:
        self.runs += 1
        self.started.set()
        assert self.finish.wait(30)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Released once for each thread that waits for another's build."""
    released = threading.Semaphore(0)
    wait = memory._Flight.wait

    def counted(flight: memory._Flight[object]) -> object:
        released.release()
        return wait(flight)

    monkeypatch.setattr(memory._Flight, "wait", counted)
    return released


def asked_by_16(cache: MemoryCache[object], build: Build, waiting: threading.Semaphore) -> list[object]:
    """What 16 threads get that ask while one build runs: a value, or the exception raised."""

    def ask(_: int) -> object:
        try:
            return cache.get_or_build("key", build)
        except LookupError as error:
            return error

    with ThreadPoolExecutor(16) as pool:
        answers = pool.map(ask, range(16))
        assert all(waiting.acquire(timeout=30) for _ in range(15))
        build.finish.set()
        return list(answers)


def test_16_threads_share_one_build(waiting: threading.Semaphore) -> None:
    cache: MemoryCache[object] = MemoryCache()
    build = Build(outcome := object())
    assert all(answer is outcome for answer in asked_by_16(cache, build, waiting))
    assert build.runs == 1
    assert cache.get("key") is outcome


def test_an_exception_reaches_every_waiter_and_is_not_kept(waiting: threading.Semaphore) -> None:
    cache: MemoryCache[object] = MemoryCache()
    build = Build(error := LookupError("no"))
    assert all(answer is error for answer in asked_by_16(cache, build, waiting))
    assert build.runs == 1
    assert len(cache) == 0
    assert cache.get_or_build("key", lambda: "built after all") == "built after all"


def test_other_keys_do_not_wait() -> None:
    cache: MemoryCache[object] = MemoryCache()
    slow = Build("slow")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(cache.get_or_build, "slow", slow)
        assert slow.started.wait(30)
        assert cache.get_or_build("quick", lambda: "quick") == "quick"
        assert not asked.done()
        slow.finish.set()
        assert asked.result(30) == "slow"


@pytest.mark.parametrize("put", [False, True])
def test_a_build_overtaken_by_evict_or_put_is_not_kept(put: bool) -> None:
    cache: MemoryCache[object] = MemoryCache()
    slow = Build("old")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(cache.get_or_build, "key", slow)
        assert slow.started.wait(30)
        if put:
            cache.put("key", "new")
        else:
            cache.evict("key")
        slow.finish.set()
        assert asked.result(30) == "old"
    assert cache.get("key") == ("new" if put else None)


def test_a_build_that_asks_for_its_own_key_is_told_so() -> None:
    cache: MemoryCache[object] = MemoryCache()
    with pytest.raises(RuntimeError, match="its own key"):
        cache.get_or_build("key", lambda: cache.get_or_build("key", object))
    assert cache.get_or_build("key", lambda: 1) == 1


def test_a_changed_schema_replaces_the_old_one_when_the_new_one_is_there() -> None:
    cache: MemoryCache[object] = MemoryCache()
    cache.put("old", 1)

    def build() -> object:
        assert cache.get("old") == 1
        return 2

    assert cache.replace("old", "new", build) == 2
    assert (cache.get("old"), cache.get("new")) == (None, 2)
    assert cache.replace("new", "new", build) == 2
    assert cache.get("new") == 2


def test_a_replacement_that_fails_leaves_the_old_one() -> None:
    cache: MemoryCache[object] = MemoryCache()
    cache.put("old", 1)
    with pytest.raises(ZeroDivisionError):
        cache.replace("old", "new", lambda: 1 // 0)
    assert cache.get("old") == 1


def test_many_threads_and_keys_stay_within_the_bound() -> None:
    cache: MemoryCache[str] = MemoryCache(8)

    def work(seed: int) -> bool:
        keys = [str((seed * step) % 23) for step in range(300)]
        return all(cache.get_or_build(key, partial(str, key)) == key for key in keys)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(1, 9)))
    assert len(cache) == 8
