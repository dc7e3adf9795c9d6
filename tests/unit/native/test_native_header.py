"""The C primitives of `support/admit_native.h`, one by one, against Python's own answers."""

from __future__ import annotations

import functools
import itertools
import math
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from decimal import Decimal
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from admit.compiler import native
from admit.errors import UnavailableError

pytestmark = pytest.mark.native

TEXT = """\
# cython: language_level=3, binding=False
from admit_native cimport *


def types(value, /):
    cdef PyObject *it = <PyObject *>value
    answers = {
        'object': admit_is_object(it),
        'array': admit_is_array(it),
        'string': admit_is_string(it),
        'integer': admit_is_integer(it),
        'number': admit_is_number(it),
        'boolean': admit_is_boolean(it),
        'null': admit_is_null(it),
    }
    return {name for name, answer in answers.items() if answer}


def is_json_type(value, /):
    return admit_is_json_type(<PyObject *>value)


def is_json(value, Py_ssize_t depth_limit, /):
    return admit_is_json(<PyObject *>value, depth_limit)


def length(value, /):
    return admit_string_length(<PyObject *>value)


def compare(value, bound, /):
    cdef const admit_bound *it = admit_bound_new(bound)
    cdef PyObject *number = <PyObject *>value
    return admit_at_least(number, it), admit_at_most(number, it), admit_above(number, it), admit_below(number, it)


def compare_small(value, long long bound, /):
    cdef PyObject *number = <PyObject *>value
    return (
        admit_at_least_small(number, bound),
        admit_at_most_small(number, bound),
        admit_above_small(number, bound),
        admit_below_small(number, bound),
    )


def find(names, cases, keys, /):
    cdef const admit_table *table = admit_table_new(names, cases)
    return [admit_find(table, <PyObject *>key) for key in keys]


def members(value, /):
    cdef PyObject *key
    cdef PyObject *item
    cdef Py_ssize_t position = 0
    found = []
    while PyDict_Next(<PyObject *>value, &position, &key, &item):
        found.append((<object>key, <object>item))
    return found


cdef bint is_empty(PyObject *value) noexcept:
    return PyDict_GET_SIZE(value) == 0


cdef int is_short(PyObject *value) except -1:
    if PyList_GET_SIZE(value) > 2:
        raise OverflowError('long')
    return PyList_GET_SIZE(value) < 2


def descend(value, /):
    return admit_descend(is_empty, <PyObject *>value)


def descend_raising(value, /):
    return admit_descend_raising(is_short, <PyObject *>value) == 1
"""


@pytest.fixture(scope="session")
def header(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    try:
        native.toolchain()
    except UnavailableError as error:
        if os.environ.get("ADMIT_REQUIRE_NATIVE") == "1":
            raise
        pytest.skip(error.message)
    source = native.NativeSource("admit_0a", TEXT)
    return native.load(source.name, native.build([source], tmp_path_factory.mktemp("header"))[source.name])


class Untouchable:
    """Whatever is asked of it raises."""

    def fail(self, *arguments: object) -> Any:
        raise AssertionError("Python code of a value was run")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __len__ = __iter__ = __contains__ = __getitem__ = fail
    __index__ = __int__ = __float__ = __bool__ = keys = items = fail


class Dict(Untouchable, dict[str, Any]):
    pass


class List(Untouchable, list[Any]):
    pass


class Str(str):
    __slots__ = ()


class Int(Untouchable, int):
    pass


class Float(Untouchable, float):
    pass


Level = IntEnum("Level", {"LOW": 1})

TYPES: list[tuple[Any, str]] = [
    ({}, "object"),
    ({"a": 1}, "object"),
    ([], "array"),
    ("", "string"),
    ("\ud800é😀", "string"),
    (True, "boolean"),
    (False, "boolean"),
    (None, "null"),
    (0, "integer number"),
    (-(10**5000), "integer number"),
    (2**62, "integer number"),
    (1.0, "integer number"),
    (-0.0, "integer number"),
    (2.0**53 - 1, "integer number"),
    (-(2.0**53), "integer number"),
    (1e308, "integer number"),
    (1.5, "number"),
    (-0.1, "number"),
    (5e-324, "number"),
    (4503599627370495.5, "number"),
    (math.nan, ""),
    (math.inf, ""),
    (-math.inf, ""),
    (Dict(), ""),
    (List(), ""),
    (Str("a"), ""),
    (Int(1), ""),
    (Float(1.0), ""),
    (Level(1), ""),
    (OrderedDict(), ""),
    ((), ""),
    (b"", ""),
    (Decimal(1), ""),
    (1j, ""),
    (Untouchable(), ""),
]


@pytest.mark.parametrize("place", range(len(TYPES)), ids=lambda place: f"{place} {type(TYPES[place][0]).__name__}")
def test_a_value_is_of_the_types_of_exact_built_ins(header: ModuleType, place: int) -> None:
    value, expected = TYPES[place]  # pytest would compare the value
    assert header.types(value) == set(expected.split())
    assert header.is_json_type(value) == bool(expected)
    assert header.is_json(value, 1) == bool(expected)


@given(st.floats())
def test_a_float_is_an_integer_as_python_says(header: ModuleType, value: float) -> None:
    assert ("integer" in header.types(value)) == value.is_integer()
    assert ("number" in header.types(value)) == math.isfinite(value)


@given(st.text(st.characters()))
def test_length_counts_code_points(header: ModuleType, text: str) -> None:
    assert header.length(text) == len(text)


def near(*powers: int) -> st.SearchStrategy[int]:
    return st.builds(
        lambda power, sign, off: sign * 2**power + off,
        st.sampled_from(powers),
        st.sampled_from((1, -1)),
        st.integers(-2, 2),
    )


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTEGERS = st.integers() | near(0, 15, 30, 31, 53, 60, 62, 63, 64, 970, 1023, 1024, 20_000)
NUMBERS = INTEGERS | FLOATS | INTEGERS.filter(lambda number: abs(number) < 2**1023).map(float)


@given(NUMBERS, NUMBERS)
@example(2**53 + 1, float(2**53))
@example(float(2**53), 2**53 + 1)
@example(sys.float_info.max, int(sys.float_info.max) + 1)
@example(-sys.float_info.max, -int(sys.float_info.max) - 1)
@example(sys.float_info.max, 10**400)
@example(-sys.float_info.max, -(10**400))
@example(0, 5e-324)
@example(-0.0, 0)
def test_numbers_compare_exactly(header: ModuleType, value: float, bound: float) -> None:
    for left, right in ((value, bound), (value, value), (bound, value)):
        assert header.compare(left, right) == (left >= right, left <= right, left > right, left < right)


@given(NUMBERS, st.integers(-(2**53), 2**53) | near(0, 30, 52))
@example(2.0**53, 2**53)
@example(2**53 + 1, 2**53)
@example(-(2**53) - 1, -(2**53))
def test_numbers_compare_exactly_with_small_bounds(header: ModuleType, value: float, bound: int) -> None:
    for number in (value, bound, float(bound), bound + 0.5):
        expected = number >= bound, number <= bound, number > bound, number < bound
        assert header.compare_small(number, bound) == expected


@pytest.mark.parametrize("bound", [True, math.nan, math.inf, "1", None, Level(1), Decimal(1)])
def test_a_bound_is_a_finite_number(header: ModuleType, bound: Any) -> None:
    with pytest.raises(ValueError, match="finite number"):
        header.compare(1, bound)


NAMES = st.lists(
    st.text(st.characters(), max_size=4) | st.sampled_from("a A é e\u0301 😀 \ud800 \udc00 \0".split(" ")), unique=True
)


@given(NAMES, NAMES, st.data())
@example([], [""], None)
@example([""], ["", "a"], None)
def test_a_table_finds_what_a_dict_finds(header: ModuleType, names: list[str], others: list[str], data: Any) -> None:
    cases = [index // 2 for index in range(len(names))]
    keys = names + others
    fresh = [(key + "x")[:-1] for key in keys]  # equal, not the same, with no hash yet
    expected = [dict(zip(names, cases, strict=True)).get(key, -1) for key in keys]
    assert header.find(names, cases, keys) == header.find(names, cases, fresh) == expected


def test_a_table_keeps_names_apart_that_share_a_slot(header: ModuleType) -> None:
    slots = 64
    texts = (f"n{number}" for number in itertools.count())
    names = list(itertools.islice((text for text in texts if hash(text) % slots in (slots - 1, 0)), slots))
    mine, others = names[::2], names[1::2]  # half full, all from the last slot on
    assert header.find(mine, list(range(len(mine))), names) == [
        number if name in mine else -1 for number, name in zip([n // 2 for n in range(slots)], names, strict=True)
    ]
    assert len(mine) == len(others) == slots // 2


def test_a_table_of_many_names_stays_fast(header: ModuleType) -> None:
    names = [f"property {number}" for number in range(20_000)]
    strangers = [f"unknown {number}" for number in range(20_000)]
    assert header.find(names, list(range(20_000)), names + strangers) == [*range(20_000), *[-1] * 20_000]
    assert best_of_three(functools.partial(header.find, names, [0] * 20_000, names + strangers)) < 0.5


@pytest.mark.parametrize(
    ("names", "cases"),
    [
        (["a"], []),
        (["a", "a"], [0, 1]),
        ([Str("a")], [0]),
        ([1], [0]),
        (["a"], [-1]),
        (["a"], [True]),
        (["a"], ["0"]),
        (["a"], [2**40]),
        (["a"], [2**80]),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(header: ModuleType, names: list[Any], cases: list[Any]) -> None:
    with pytest.raises(ValueError, match="name table"):
        header.find(names, cases, [])


def test_members_are_walked_in_order(header: ModuleType) -> None:
    members = {"b": 1, "a": [2], "": None}
    assert header.members(members) == list(members.items())
    assert header.members({}) == []


def test_a_container_has_its_references_back_after_descent(header: ModuleType) -> None:
    for value, descend, expected in (
        ({}, header.descend, True),
        ({"a": 1}, header.descend, False),
        ([1], header.descend_raising, True),
        ([1, 2], header.descend_raising, False),
    ):
        before = sys.getrefcount(value)
        assert descend(value) is expected
        assert sys.getrefcount(value) == before
    value = [1, 2, 3]
    before = sys.getrefcount(value)
    for _ in range(10):
        with pytest.raises(OverflowError, match="long"):
            header.descend_raising(value)
    assert sys.getrefcount(value) == before


def written_out(value: Any, depth_limit: int, depth: int = 1) -> int:
    """What `admit_is_json` answers, without a memory of what it has met."""
    if type(value) not in (dict, list):
        return int(value is None or type(value) in (bool, str, int) or (type(value) is float and math.isfinite(value)))
    if depth > depth_limit:
        return -1
    if type(value) is dict and any(type(name) is not str for name in value):
        return 0
    for member in value.values() if type(value) is dict else value:
        answer = written_out(member, depth_limit, depth + 1)
        if answer != 1:
            return answer
    return 1


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """Containers that may share and hold one another, with something foreign in some."""
    nodes: list[Any] = [draw(st.sampled_from((dict, list)))() for _ in range(draw(st.integers(1, 6)))]
    leaves = st.sampled_from([1, "a", 2.5, None, True, 10**30])
    foreign = st.sampled_from([math.nan, (), Str("a"), OrderedDict(), Level(1)])
    names = st.sampled_from("abc")
    for place, node in enumerate(nodes):
        later, any_node = st.sampled_from([*nodes[place + 1 :], 0]), st.sampled_from(nodes)
        members = st.one_of(*[leaves] * 3, *[later] * 6, any_node, *([foreign] if draw(st.integers(0, 9)) == 0 else []))
        for member in draw(st.lists(members, max_size=3)):
            if type(node) is list:
                node.append(member)
            else:
                node[draw(names) if draw(st.integers(0, 29)) else draw(st.sampled_from([1, Str("d"), None]))] = member
    return nodes[0]


@given(graphs(), st.integers(0, 7))
def test_json_is_told_as_if_it_were_written_out(header: ModuleType, value: Any, depth_limit: int) -> None:
    assert header.is_json(value, depth_limit) == written_out(value, depth_limit)


def test_what_is_shared_is_walked_once(header: ModuleType) -> None:
    doubled: Any = []
    for _ in range(60):
        doubled = [doubled, doubled]
    assert header.is_json(doubled, 61) == 1
    assert header.is_json(doubled, 60) == -1
    wide = [[[0] * 1_000] * 1_000] * 1_000
    assert header.is_json(wide, 3) == 1
    assert header.is_json(wide, 2) == -1
    assert best_of_three(lambda: header.is_json(wide, 3)) < 0.1
    many: list[Any] = [[] for _ in range(100_000)]
    assert header.is_json(many + many, 2) == 1
    assert best_of_three(lambda: header.is_json([*many, *many], 2)) < 0.5


@pytest.mark.parametrize("depth_limit", range(9))
def test_what_is_shared_counts_its_height_wherever_it_is(header: ModuleType, depth_limit: int) -> None:
    three: Any = [{"a": []}]
    four = [three]
    for value in ([three, [[three]]], [three, four, [{"b": four}]], {"a": four, "b": [[three], [[four]]]}):
        assert header.is_json(value, depth_limit) == written_out(value, depth_limit)


def test_what_holds_itself_is_too_deep(header: ModuleType) -> None:
    own: list[Any] = [1]
    own.append(own)
    through: dict[str, Any] = {"a": [{}]}
    through["a"][0]["b"] = through
    for value in (own, through, [[own]], {"x": {}, "y": through}):
        assert header.is_json(value, 10**9) == -1
    assert header.is_json([b"", own], 10**9) == 0
    assert header.is_json([own, b""], 10**9) == -1


def test_depth_is_bounded_by_the_limit_alone(header: ModuleType) -> None:
    deep: Any = {}
    for level in range(1_000_000):
        deep = {"a": deep} if level % 2 else [deep]
    assert header.is_json(deep, 1_000_001) == 1
    assert header.is_json(deep, 1_000_000) == -1
    assert header.is_json([], 0) == header.is_json({}, -5) == -1
    assert header.is_json(1, 0) == 1


def best_of_three(run: Any) -> float:
    """Processor seconds."""

    def times() -> Iterator[float]:
        for _ in range(3):
            start = time.process_time()
            run()
            yield time.process_time() - start

    return min(times())
