"""Strict decoding against the standard library's decoder, and everything that decoder lets pass."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from admit.errors import ExecutionError
from admit.json_text import NESTING, JSONTextError, decode
from admit.limits import Limits

LIMITS = Limits()
DIGITS = LIMITS.number_digits

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_decodes_what_the_standard_library_writes(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    expected = json.loads(text)
    for data in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        decoded = decode(data, limits=LIMITS)
        assert decoded == expected
        assert json.dumps(decoded) == json.dumps(expected)  # also 1 and 1.0, 0.0 and -0.0, the order of members


@given(st.text(alphabet='[]{}",:\\ud8cDe+-.01tfn NaI\n'))
def test_agrees_with_the_standard_library_on_any_text(text: str) -> None:
    """Either both decode to the same, or ours refuses, with a reason, what theirs refuses or lets pass."""
    try:
        expected = json.loads(text)
    except json.JSONDecodeError:
        with pytest.raises(JSONTextError):
            decode(text, limits=LIMITS)
        return
    try:
        assert repr(decode(text, limits=LIMITS)) == repr(expected)
    except JSONTextError as error:
        assert any(word in error.reason for word in ("is not JSON", "twice", "surrogate"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("", "expecting value (line 1, column 1)"),
        ("{", "expecting property name enclosed in double quotes (line 1, column 2)"),
        ("[1,\n2", "expecting ',' delimiter (line 2, column 2)"),
        ("[1] 2", "extra data (line 1, column 5)"),
        ("01", "extra data (line 1, column 2)"),
        ("'a'", "expecting value (line 1, column 1)"),
        ('"a\nb"', "invalid control character at (line 1, column 3)"),
        ("\u00a01", "expecting value (line 1, column 1)"),
        ('{"a":1,"b":2,"a":1}', 'one object has the name "a" twice'),
        ('[{"x":{"a":1,"\\u0061":2}}]', 'one object has the name "a" twice'),
        ('{"":1,"":1}', 'one object has the name "" twice'),
        ("[NaN]", "NaN is not JSON"),
        ("Infinity", "Infinity is not JSON"),
        ("-Infinity", "-Infinity is not JSON"),
        (r'"\ud800"', "an escape stands for half a surrogate pair"),
        (r'{"\uDC00":1}', "an escape stands for half a surrogate pair"),
        (r'"\ud800\ud800\udc00"', "an escape stands for half a surrogate pair"),
        (r'"\udc00\ud800"', "an escape stands for half a surrogate pair"),
        (r'"\ud800\\udc00"', "an escape stands for half a surrogate pair"),
        (r'"\ud83dx\ude00"', "an escape stands for half a surrogate pair"),
        ('"\ud800"', "a character is half a surrogate pair"),
        ('"\ud83d\\ude00"', "a character is half a surrogate pair"),
        (b'"\xff"', "the bytes are not UTF-8 at offset 1"),
        (b'"\xed\xa0\x80"', "the bytes are not UTF-8 at offset 1"),
        (b'"\xc0\xaf"', "the bytes are not UTF-8 at offset 1"),
        (b"\xef\xbb\xbf{}", "the text begins with a byte order mark"),
        ("\ufeff{}", "the text begins with a byte order mark"),
        ("{}".encode("utf-16"), "the bytes are not UTF-8 at offset 0"),
        ("{}".encode("utf-16-le"), "expecting property name enclosed in double quotes (line 1, column 2)"),
    ],
)
def test_refuses(data: str | bytes, reason: str) -> None:
    with pytest.raises(JSONTextError) as caught:
        decode(data, limits=LIMITS)
    assert caught.value.reason == str(caught.value) == reason


def test_a_long_name_given_twice_is_cut_and_escaped() -> None:
    name = "\x1b[31m\n" + "x" * 100_000
    with pytest.raises(JSONTextError) as caught:
        decode(json.dumps({name: 1})[:-1] + "," + json.dumps({name: 1})[1:], limits=LIMITS)
    assert len(caught.value.reason) < 200
    assert caught.value.reason.isprintable()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\\ud800"', "\\ud800"),
        (r'"\\\\ud800"', "\\\\ud800"),
        (r'"\\\ud83d\ude00\\udead"', "\\\U0001f600\\udead"),
        (r'"\uD7FF\uE000"', "\ud7ff\ue000"),
        ('"\ufeff"', "\ufeff"),
        (' \t\r\n{"a" : [ ] } \n', {"a": []}),
        ("1e400", math.inf),
        ("-1e400", -math.inf),
        ("1e-400", 0.0),
        ("1e" + "9" * 4000, math.inf),
        ('{"a":{"a":1},"b":{"a":1}}', {"a": {"a": 1}, "b": {"a": 1}}),
    ],
)
def test_accepts(text: str, value: Any) -> None:
    assert decode(text, limits=LIMITS) == decode(text.encode(), limits=LIMITS) == value


@pytest.mark.parametrize("data", [None, 1, ["{}"], {"a": 1}, array("b", b"{}"), object()])
def test_other_types_are_no_text(data: Any) -> None:
    with pytest.raises(TypeError, match="JSON text is bytes or str, not"):
        decode(data, limits=LIMITS)


def test_a_subclass_of_text_is_read_as_the_text_it_is() -> None:
    class Liar(str):
        def __getattribute__(self, name: str) -> Any:
            raise SystemExit(name)

    assert decode(Liar('{"a":1}'), limits=LIMITS) == {"a": 1}
    assert decode(memoryview(b"1x2x")[::2], limits=LIMITS) == 12


@pytest.fixture(params=[0, 640, 4300])
def digits_of_the_interpreter(request: pytest.FixtureRequest) -> Iterator[int]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield request.param
    sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("digits", [1, 639, 640, 641, 1279, 1280, 1281, DIGITS])
@pytest.mark.parametrize("sign", ["", "-"])
def test_integers_up_to_the_limit_whatever_the_interpreter_allows(
    digits_of_the_interpreter: int, digits: int, sign: str
) -> None:
    number = 10 ** (digits - 1) + 7 * (digits > 1)
    text = sign + "1" + ("7".rjust(digits - 1, "0") if digits > 1 else "")
    assert decode(f"[{text}]", limits=LIMITS) == [-number if sign else number]


@pytest.mark.parametrize(
    "number",
    ["1" * (DIGITS + 1), "-" + "1" * (DIGITS + 1), "1" * DIGITS + ".5", "0." + "1" * DIGITS, "1e" + "0" * DIGITS],
)
@pytest.mark.parametrize("place", ["{}", '{{"a":[{}]}}', "[{},NaN]"])
def test_a_number_of_too_many_digits_is_a_limit(digits_of_the_interpreter: int, number: str, place: str) -> None:
    with pytest.raises(ExecutionError) as caught:
        decode(place.format(number), limits=LIMITS)
    assert caught.value.details["limit"] == "number_digits"
    assert str(DIGITS) in caught.value.message


def test_the_limit_on_digits_is_the_callers() -> None:
    assert decode("[123, -4.56]", limits=Limits(number_digits=3)) == [123, -4.56]
    for text in ("1234", "-1234", "1.234", "1e100"):
        with pytest.raises(ExecutionError):
            decode(text, limits=Limits(number_digits=3))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"[":', "}]")])
def test_nesting_has_one_limit_everywhere(opening: str, closing: str) -> None:
    levels = NESTING // (opening.count("[") + opening.count("{") - ('"["' in opening))
    assert decode(opening * levels + "0" + closing * levels, limits=LIMITS)
    for deeper in (levels + 1, 10 * levels, 100_000):
        with pytest.raises(ExecutionError) as caught:
            decode(opening * deeper + "0" + closing * deeper, limits=LIMITS)
        assert caught.value.details["limit"] == "json_depth"


def test_nesting_is_counted_outside_strings_and_side_by_side() -> None:
    value = {"text": '["\\' * 5_000, "rows": [[[]]] * 5_000}
    assert decode(json.dumps(value), limits=LIMITS) == value


def test_deep_text_harms_no_small_thread() -> None:
    outcomes: list[object] = []

    def work() -> None:
        for levels in (NESTING, 9_000, 1_000_000):
            try:
                outcomes.append(type(decode("[" * levels + "]" * levels, limits=LIMITS)))
            except ExecutionError as error:
                outcomes.append(error.details["limit"])

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert outcomes == [list, "json_depth", "json_depth"]


@pytest.mark.parametrize(
    "unit",
    [
        '"\\\\\\"[",',
        "\\",
        '\\"',
        "[",
        "[],",
        '"\\ud83d\\ude00",',
        '"\\\\ud800",',
        '{"a":1},',
        "1" * 4000 + ",",
        "é",
    ],
)
def test_time_grows_with_the_text(unit: str) -> None:
    """Sixteen times the text takes far less than the 256 times of a quadratic scan."""

    def seconds(text: str) -> float:
        start = time.thread_time()
        with suppress(JSONTextError, ExecutionError):
            decode(text, limits=LIMITS)
        return time.thread_time() - start

    for before, after in (('["', ""), ("[", "0]")):
        short, long = (before + unit * (size // len(unit)) + after for size in (50_000, 800_000))
        assert min(seconds(long) for _ in range(3)) < 80 * min(seconds(short) for _ in range(5)) + 0.02
