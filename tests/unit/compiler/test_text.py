"""What may become code: names, literals, comments, and the audit that looks again."""

from __future__ import annotations

import ast
import math
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admit import ExecutionError, check
from admit.compiler import cython_text, python_text
from admit.compiler.audit import audit_python, audit_tokens
from admit.compiler.code import Lit, Mint, Name, plain_pointer
from admit.compiler.print_cython import VOCABULARY as CYTHON
from admit.compiler.print_python import VOCABULARY as PYTHON
from strategies.core_schemas import core_schemas
from strategies.payloads import PAYLOADS

CONSTANTS = st.one_of(
    st.text(st.characters(exclude_categories=())), st.integers(), st.floats(allow_nan=False, allow_infinity=False)
)


@given(CONSTANTS)
def test_a_literal_reads_back(value: Any) -> None:
    text = str(Lit(value))
    assert text.isascii()
    assert "\n" not in text
    again = ast.literal_eval(text)
    assert (type(again), repr(again)) == (type(value), repr(value))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_reads_back(payload: str) -> None:
    assert ast.literal_eval(str(Lit(payload))) == payload


def test_an_integer_of_any_size_reads_back() -> None:
    assert ast.literal_eval(str(Lit(-(10**20_000)))) == -(10**20_000)


@pytest.mark.parametrize("value", [True, None, math.nan, math.inf, b"x", (1,), type("S", (str,), {})("x")])
def test_nothing_else_is_a_literal(value: Any) -> None:
    with pytest.raises(ValueError, match="literal"):
        Mint().lit(value)


@pytest.mark.parametrize("text", ["", "1a", "a b", "a\n", "é", "a-b", "a\u212a"])
def test_names_are_identifiers(text: str) -> None:
    with pytest.raises(ValueError, match="identifier"):
        Name(text)


def test_only_plain_pointers_are_written() -> None:
    assert plain_pointer("/properties/a_1/type") == "/properties/a_1/type"
    for hostile in ("/a\rimport os", "/a b", "/é", "/a~1b", "/a#", "/a\n", "/\u2028"):
        assert plain_pointer(hostile) is None


@pytest.mark.parametrize(
    "addition",
    [
        "import os",
        "x = __import__",
        "check_99(1)",
        "y = 'not minted'",
        "y = 12345",
        "y = b'bytes'",
        "def f(): pass",
        "type.mro",
        "lambda type: type",
        "[type for type in list]",
        "del type",
        "type(item=item, *item)",
        "y = f'{type}'",
        "class C: pass",
        "global evil",
    ],
)
def test_the_audit_refuses_what_was_not_minted(addition: str) -> None:
    mint = Mint()
    contract = check({"properties": {"a": {"type": "string"}}})
    text = python_text([contract]).text
    mint.names |= {"is_valid_1", "arguments", "item"}
    mint.lit("a")
    audit_python(text, mint, PYTHON)
    with pytest.raises(ExecutionError, match="generated text"):
        audit_python(f"{text}\n{addition}\n", mint, PYTHON)


@pytest.mark.parametrize("addition", ["import os", "cdef extern from 'x.h': pass", "x = 'y'", "x = 77", "$", "?"])
def test_the_token_audit_refuses_what_was_not_minted(addition: str) -> None:
    with pytest.raises(ExecutionError, match="generated text"):
        audit_tokens(f"cdef int undecided(int reason) except -1:\n    pass\n{addition}\n", Mint(), CYTHON)


@given(core_schemas())
def test_no_text_of_a_schema_stands_outside_literals(schema: Any) -> None:
    """The audits pass for any schema; they run on every emission."""
    contract = check(schema)
    python_text([contract])
    cython_text([contract])


def test_text_is_the_same_under_every_hash_seed() -> None:
    program = (
        "import hashlib, admit; from admit.compiler import python_text, cython_text\n"
        "tools = admit.load_catalog('examples/catalog.json')\n"
        "contracts = [admit.check(tool.schema) for tool in tools]\n"
        "print(hashlib.sha256((python_text(contracts).text + cython_text(contracts).text).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(digests) == 1
