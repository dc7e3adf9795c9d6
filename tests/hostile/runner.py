"""Runs hostile cases at a tier, in processes that may die of them.

Imports: nothing of admit but where it is.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import admit

from .cases import HERE, Case

LIMITS = {"RLIMIT_AS": 3 << 30, "RLIMIT_CPU": 600, "RLIMIT_CORE": 0}
PROCESSES = 2
"""Processes that judge at a time."""
WALL_S = 900
"""Seconds that one process may take on a busy machine; each case has its own `max_s` of CPU time."""


class UnavailableTierError(Exception):
    """This machine cannot build natively."""


def run(tier: str, cases: list[Case]) -> dict[str, list[str]]:
    """The problems of every case by id, at one tier: none where it has its right outcome.

    Where a process dies, the culprit is looked for: the case that it was judging is judged alone; where it died before
    it judged any, each half of its cases has a process of its own.
    """
    results: dict[str, list[str]] = {}
    alone = [[case] for case in cases if case.get("alone")]
    together = [case for case in cases if not case.get("alone")]
    left = [batch for batch in (*alone, *(together[part::PROCESSES] for part in range(PROCESSES))) if batch]
    while left:
        with ThreadPoolExecutor(PROCESSES) as pool:
            judged = list(pool.map(partial(_judged, tier), left))
        batches, left = left, []
        for batch, (found, last_words) in zip(batches, judged, strict=True):
            results |= found
            rest = [case for case in batch if case["id"] not in found]
            if len(batch) == 1:
                results |= {case["id"]: [f"the process died: {last_words}"] for case in rest}
            else:
                suspects = 1 if found else len(rest) // 2
                left += [part for part in (rest[:suspects], rest[suspects:]) if part]
    return results


def _judged(tier: str, cases: list[Case]) -> tuple[dict[str, list[str]], str]:
    """The problems of the cases that were judged, and what the process said in the end if it died."""
    job = json.dumps({"tier": tier, "cases": cases, "limits": LIMITS})
    path = os.pathsep.join([str(HERE.parent), str(Path(admit.__file__).parents[1])])
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "hostile.judge"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, "ADMIT_CACHE_DIR": "off", "TMPDIR": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(job, timeout=WALL_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
    lines = [json.loads(line) for line in out.splitlines() if line.endswith("}")]
    for line in lines:
        if "unavailable" in line:
            raise UnavailableTierError(line["unavailable"])
    return {line["id"]: line["problems"] for line in lines}, f"status {process.returncode}, {err[:1500]}"
