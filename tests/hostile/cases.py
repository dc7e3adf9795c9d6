"""The hostile cases: the project's own, and those of `../shared` where it is there.

A case is a JSON object; the note in `core.json` says what its members mean.

Imports: nothing of admit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Case = dict[str, Any]

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "cases" / "hostile.json"


def core_cases() -> list[Case]:
    """The cases of `core.json`, its templates filled in."""
    data = json.loads((HERE / "core.json").read_text(encoding="utf-8"))
    return [case for template in data["cases"] for case in _filled(template, data["payloads"])]


def shared_cases() -> list[Case]:
    """The shared cases, bent to profile `core`: it takes fewer schemas, and no root but objects."""
    cases = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]
    return [_narrowed(case) for case in cases if "schema_note" not in case]  # a note stands for what was left out


def _filled(template: Case, payloads: Mapping[str, str]) -> Iterator[Case]:
    case = {name: value for name, value in template.items() if name != "payloads"}
    chosen = template.get("payloads", {"": ""})
    if isinstance(chosen, str):
        chosen = payloads
    elif isinstance(chosen, list):
        chosen = {name: payloads[name] for name in chosen}
    for name, text in chosen.items():
        yield {**_replaced(case, text), "id": f"{case['id']}-{name}".rstrip("-")}


def _replaced(value: Any, text: str) -> Any:
    if isinstance(value, str):
        return value.replace("§", text)
    if isinstance(value, list):
        return [_replaced(item, text) for item in value]
    if isinstance(value, dict):
        return {_replaced(name, text): _replaced(member, text) for name, member in value.items()}
    return value


def _narrowed(case: Case) -> Case:
    wider = {"object_roots_only": True, "may_stay": True}
    if case["compile"] == ["ok"]:  # well-formed, so what core refuses it refuses as outside the profile
        return {**case, **wider, "compile": ["ok", "reject"], "error": "UnsupportedCapabilityError"}
    return {**case, **wider}
