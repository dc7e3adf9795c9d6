"""Generated text as people read it: a change of it is a change in these files.

    UPDATE_GOLDEN=1 .venv/bin/pytest tests/golden

writes them anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from admit import check
from admit.compiler import cython_text, lower, passes, python_text
from admit.compiler.program import listing

HERE = Path(__file__).parent
SCHEMAS = {
    "read": {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "offset": {"type": "integer", "minimum": 1},
            "limit": {"type": "integer", "minimum": 1},
        },
        "required": ["path"],
    },
    "union": {
        "type": "object",
        "properties": {
            "options": {
                "type": "array",
                "items": {
                    "oneOf": [
                        {"type": "string"},
                        {"type": "object", "properties": {"label": {"type": "string"}}, "required": ["label"]},
                    ]
                },
            },
            "size": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 0.5}]},
        },
        "additionalProperties": False,
    },
    "hostile": {
        "type": "object",
        "properties": {'"); import os #\r\n': {"type": "array", "items": {"type": "number", "minimum": 10**30}}},
        "required": ['"); import os #\r\n', "\ud800"],
    },
    "wide": {
        "type": "object",
        "properties": {f"p{i}": {"type": ["string", "integer", "boolean"][i % 3]} for i in range(60)},
        "required": ["p0", "p59"],
    },
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_text(name: str) -> None:
    contract = check(SCHEMAS[name])
    texts = {
        "program": listing(passes.run(lower(contract), passes.NATIVE)) + "\n",
        "py": python_text([contract]).text,
        "pyx": cython_text([contract]).text,
    }
    for kind, text in texts.items():
        path = HERE / f"{name}.{kind}.txt"
        if os.environ.get("UPDATE_GOLDEN") == "1":
            path.write_text(text, "utf-8")
        assert path.read_text("utf-8") == text, f"{path.name} differs: see the docstring"
