"""One engine in a process of its own: `python -m admit.bench.worker ENGINE`, told what to time on standard input.

The first line is the catalog and the calls; every further one names a tool and how often to go through its calls; the
answer to each is a line with nanoseconds a call. An empty line ends it.

Imports: engines.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from itertools import repeat
from time import perf_counter_ns
from typing import Any

from .engines import ENGINES


def time_calls(decide: Callable[[Any], Any], calls: list[Any], times: int) -> float:
    """Nanoseconds that one call takes, the loop around it included."""
    start = perf_counter_ns()
    for _ in repeat(None, times):
        for arguments in calls:
            decide(arguments)
    return (perf_counter_ns() - start) / (times * len(calls))


def main() -> None:
    """Serve one engine until there is nothing more to time."""
    engine = ENGINES[sys.argv[1]]
    setup = json.loads(sys.stdin.readline())
    start = perf_counter_ns()
    try:
        verdicts = engine.compile(setup["schemas"])
    except Exception as error:
        print(json.dumps({"left_out": f"{type(error).__name__}: {error}"[:200]}), flush=True)
        return
    answer: dict[str, Any] = {"compile": perf_counter_ns() - start}
    gc.disable()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # all engines on one core: the others may be busy
    print(json.dumps(answer), flush=True)
    for line in sys.stdin:
        if not line.strip():
            return
        request = json.loads(line)
        calls = setup["calls"][request["tool"]]
        print(time_calls(verdicts[request["tool"]], calls, request["times"]), flush=True)


if __name__ == "__main__":
    main()
