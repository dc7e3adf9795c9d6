"""`_support.py` as it is and as it is compiled: the same answers."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admit.compiler import load
from admit.compiler.support import _support

REQUIRED = os.environ.get("ADMIT_REQUIRE_EXTENSIONS") == "1" or os.environ.get("ADMIT_REQUIRE_NATIVE") == "1"


def built() -> ModuleType:
    try:
        return importlib.import_module("admit.compiler.support._support_c")
    except ImportError:
        if REQUIRED:
            raise
        pytest.skip("the extension was not built: no Cython or C compiler when admit was installed")


class Text(str):
    __slots__ = ()


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just(b""), st.just(Text("a"))
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.one_of(st.text(max_size=2), st.integers(), st.just(Text("k"))), inner, max_size=4),
        st.tuples(inner),
        inner.map(lambda value: [value, value]),
    ),
    max_leaves=12,
)


def outcome(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except RecursionError:
        return "too deep"


@given(VALUES, st.integers(1, 5))
def test_the_same_answers(value: Any, depth: int) -> None:
    other = built()
    assert other.is_object(value) is _support.is_object(value)
    assert other.is_json(value) is _support.is_json(value)
    assert outcome(other.is_only_json, value, depth) == outcome(_support.is_only_json, value, depth)
    if type(value) is dict:
        assert other.has_string_names(value) is _support.has_string_names(value)


def test_cycles_and_shared_containers() -> None:
    cycle: list[Any] = []
    cycle.append([cycle, cycle])
    shared: Any = []
    for _ in range(100):
        shared = [shared, shared]
    for module in (_support, built()):
        assert outcome(module.is_only_json, cycle, 256) == "too deep"
        assert module.is_only_json(shared, 256) is True
        assert outcome(module.is_only_json, shared, 100) == "too deep"


def test_the_built_one_is_used_and_is_not_older_than_its_source() -> None:
    other = built()
    assert load.HELPERS["is_object"] is other.is_object
    sources = [Path(_support.__file__), Path(_support.__file__).with_name("_support_c.pxd")]
    assert Path(str(other.__file__)).stat().st_mtime >= max(source.stat().st_mtime for source in sources), (
        "install again: pip install -e ."
    )
