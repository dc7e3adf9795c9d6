"""Validators at every tier that needs no C compiler: what they return, raise, and do when tiers disagree."""

from __future__ import annotations

import gc
import linecache
import re
import subprocess
import sys
import threading
import traceback
from typing import Any

import pytest

import admit
from admit.tiers import Compiled

SCHEMA = {"properties": {"path": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}}, "required": ["path"]}


@pytest.fixture(params=["reference", "python"])
def validator(request: pytest.FixtureRequest) -> admit.Validator:
    return admit.compile(SCHEMA, tier=request.param)


def test_arguments_come_back_unchanged(validator: admit.Validator) -> None:
    arguments = {"path": "a", "limit": 2.0, "other": object()}
    before = dict(arguments)
    assert validator.validate(arguments) is arguments
    assert arguments == before
    assert validator.is_valid(arguments) is True
    assert validator.failures(arguments) == []


def test_a_refusal(validator: admit.Validator) -> None:
    with pytest.raises(admit.ValidationError) as caught:
        validator.validate({"limit": 0})
    error = caught.value
    assert [failure.keyword for failure in error.failures] == ["required", "minimum"]
    assert error.to_dict()["code"] == "validation"
    assert error.to_basic() == {
        "valid": False,
        "errors": [
            {
                "keywordLocation": failure.evaluation_path,
                "absoluteKeywordLocation": f"#{failure.keyword_location}",
                "instanceLocation": failure.instance_location,
                "error": failure.message,
            }
            for failure in error.failures
        ],
    }
    assert error.to_model_text().splitlines() == [failure.message for failure in error.failures]
    assert validator.is_valid({"limit": 0}) is False
    assert len(validator.failures({"limit": 0}, limit=1)) == 1
    with pytest.raises(ValueError, match="limit"):
        validator.failures({}, limit=0)


def test_json_text(validator: admit.Validator) -> None:
    assert validator.is_valid_json(b'{"path": "a"}')
    assert validator.validate_json('{"path": "a"}') == {"path": "a"}
    assert validator.failures_json('{"path": "a"}') == []
    assert [failure.keyword for failure in validator.failures_json("{}")] == ["required"]
    for text in ('{"path": "a", "path": "b"}', "{", '{"path": NaN}', '"\\ud800"', b'{"path": "\xff"}', "\ufeff{}"):
        assert not validator.is_valid_json(text)
        (failure,) = validator.failures_json(text)
        assert (failure.instance_location, failure.keyword) == ("", "")
        with pytest.raises(admit.ValidationError, match="not JSON"):
            validator.validate_json(text)
    with pytest.raises(admit.ExecutionError):
        validator.is_valid_json('{"path": "a", "limit": ' + "9" * 5_000 + "}")


def test_is_valid_is_the_compiled_function_itself() -> None:
    validator = admit.compile(SCHEMA, tier="python")
    assert validator.is_valid.__code__.co_filename.startswith("<admit ")  # type: ignore[attr-defined]
    kept = validator.is_valid
    validator.use(Compiled("reference", lambda arguments: True, None, "planted"))
    assert validator.is_valid is not kept
    assert kept({}) is False


def test_tiers_say_what_they_are() -> None:
    reference, python = admit.compile(SCHEMA, tier="reference"), admit.compile(SCHEMA, tier="python")
    assert (reference.tier, reference.source) == ("reference", None)
    assert python.tier == "python"
    assert python.source is not None
    assert "is_valid_1" in python.source
    assert python.tier_reason == "asked for"
    with pytest.raises(ValueError, match="tier"):
        admit.compile(SCHEMA, tier="fast")  # type: ignore[arg-type]


def test_tracebacks_show_the_generated_line() -> None:
    validator = admit.compile({"properties": {"a": {"type": "array", "items": {"type": "string"}}}}, tier="python")

    class Shrinking(threading.Thread):
        pass

    arguments: Any = {"a": 1}
    function = validator.is_valid
    filename = function.__code__.co_filename  # type: ignore[attr-defined]
    assert linecache.getline(filename, function.__code__.co_firstlineno).startswith("def is_valid_1")  # type: ignore[attr-defined]
    namespace = function.__globals__  # type: ignore[attr-defined]
    namespace["is_object"] = lambda value: 1 / 0
    with pytest.raises(ZeroDivisionError) as caught:
        function(arguments)
    assert "if not is_object(arguments):" in "".join(traceback.format_exception(caught.value))


def test_the_lines_go_with_the_function() -> None:
    from admit.compiler import compile_python

    function, _ = compile_python(admit.check(SCHEMA))
    filename = function.__code__.co_filename  # type: ignore[attr-defined]
    assert filename in linecache.cache
    del function
    gc.collect()
    assert filename not in linecache.cache


def test_disagreement_fails_closed() -> None:
    validator = admit.compile(SCHEMA, tier="python")
    validator.use(Compiled("python", lambda arguments: False, None, "planted"))
    for ask in (validator.validate, validator.failures):
        with pytest.raises(admit.ExecutionError, match="reference finds valid") as caught:
            ask({"path": "a"})
        assert caught.value.details["digest"] == validator.contract.digest


def test_a_limit_met_while_explaining_leaves_the_refusal_standing() -> None:
    validator = admit.compile({"properties": {"a": {"oneOf": [{"type": "string"}]}}}, tier="python")
    cycle: list[Any] = []
    cycle.append(cycle)
    assert validator.is_valid({"a": cycle}) is False
    (failure,) = validator.failures({"a": cycle})
    assert "instance_depth" in failure.message


def test_arguments_that_change_while_they_are_read() -> None:
    schema = {"properties": {f"p{i}": {"type": "array", "items": {"type": "string"}} for i in range(40)}}
    validator = admit.compile(schema, tier="python")
    arguments: dict[str, Any] = {f"p{i}": ["x"] * 50 for i in range(40)}
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            arguments.pop("p7", None)
            arguments["p7"] = ["x"] * 50

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(3_000):
            try:
                assert validator.is_valid(arguments)
            except admit.ExecutionError as error:
                assert re.search("changed", error.message)
    finally:
        stop.set()
        thread.join()


def test_one_contract_is_compiled_once() -> None:
    assert admit.compile(SCHEMA, tier="python").is_valid is admit.compile(dict(SCHEMA), tier="python").is_valid


def test_contracts_keep_their_own_options() -> None:
    contract = admit.check(SCHEMA, limits={"instance_depth": 3})
    assert admit.compile(contract, tier="python").contract is contract


@pytest.mark.parametrize("error", [RuntimeError("dictionary changed size during iteration"), KeyError("a")])
def test_arguments_that_change_under_the_reference(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    from admit.reference import keywords

    def changed(place: object, value: object) -> Any:
        raise error

    monkeypatch.setitem(keywords.KEYWORDS, "required", changed)
    contract = admit.check({"properties": {"path": {"type": "string"}}, "required": ["path"]})
    with pytest.raises(admit.ExecutionError, match="changed"):
        admit.compile(contract, tier="reference").is_valid({"path": "a"})
    (failure,) = admit.compile(contract, tier="python").failures({})
    assert "changed" in failure.message


def test_a_deep_stack_leaves_no_trace() -> None:
    schema: Any = {"type": "string"}
    for _ in range(60):
        schema = {"type": "object", "properties": {"b": schema}}
    contract = admit.check(schema)

    def deeper(frames: int) -> str:
        return deeper(frames - 1) if frames else admit.compile(contract, tier="python").tier

    tiers = set()
    for frames in range(sys.getrecursionlimit() - 300, sys.getrecursionlimit(), 20):
        try:
            tiers.add(deeper(frames))
        except RecursionError:
            break
    assert admit.compile(contract, tier="python").tier == "python"


def test_a_fork_while_another_thread_builds() -> None:
    program = """
import os, sys, threading, warnings
warnings.simplefilter("ignore")
import admit
from admit import native_tier, tiers
held, schema = threading.Event(), {"properties": {"a": {"type": "string"}}}
def slow():
    with native_tier._build_lock:
        tiers._python.get_or_build(admit.check(schema).digest, lambda: (held.set(), threading.Event().wait(60)))
threading.Thread(target=slow, daemon=True).start()
held.wait()
child = os.fork()
if child == 0:
    assert not native_tier._build_lock.locked()
    os._exit(0 if admit.compile(schema, tier="python").is_valid({"a": "b"}) else 1)
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=50).returncode == 0
