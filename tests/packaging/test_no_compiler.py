"""Without a C compiler everything works at the python tier, and what needs one says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import admit

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
import admit

schema = {"properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}
validator = admit.compile(schema)
admitted = admit.load_catalog({"count": schema}).admit()
seen = {
    "tiers": [validator.tier, admitted["count"].tier],
    "verdicts": [validator.is_valid({"n": n}) for n in (1, 0, True)],
    "errors": [],
}
for build in (lambda: admit.compile(schema, tier="native"), admitted.build):
    try:
        build()
    except admit.UnavailableError as error:
        seen["errors"].append(error.code)
seen["still"] = [admitted["count"].is_valid({"n": n}) for n in (1, 0, True)]
print(json.dumps(seen))
"""


def test_everything_works_at_the_python_tier(tmp_path: Path) -> None:
    env = {**os.environ, "CC": "/bin/false", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-I", "-c", PROGRAM, str(Path(admit.__file__).parents[1])]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "tiers": ["python", "python"],
        "verdicts": [True, False, False],
        "errors": ["unavailable", "unavailable"],
        "still": [True, False, False],
    }
