"""Autumn against the C++ reference: its traces on public programs, and its values of expressions.

The traces are exact under the reference's generator, which is the default. Deviations stand in DEVIATIONS and REFUSED:
they are what the specification recommends, and a library without visible names. docs/autumn.md tells authors of them.
"""

from __future__ import annotations

import json
import lzma
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.autumn import AutumnError, AutumnWorld, Program
from tests.builders import SHARED
from tests.suites.autumn.garden import after, drawn

pytestmark = pytest.mark.conformance

REFERENCE = SHARED / "reference" / "autumn"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = sorted(path.name.removesuffix(".json.xz") for path in REFERENCE.glob("golden/*.json.xz"))
LISTS_BY_TYPE = "list equality compares element-type tags"

K = '(object K (Cell 0 0 "red") (list (Cell 0 0 "red") (Cell 1 0 "blue")))'
DEVIATIONS: dict[str, tuple[str, str, str, object]] = {
    "lists are equal by their elements, not by a printed form with the type of elements": (
        "",
        "",
        "(== (list 1 2) (map (--> x x) (list 1 2)))",
        True,
    ),
    "state variables are initialised and advanced in program order, not in hash order": (
        "(= zz (initnext 1 (prev aa))) (= mm (initnext 2 zz)) (= aa (initnext 3 mm))",
        "noop",
        "(list zz mm aa)",
        [3, 3, 3],
    ),
    "allObjs returns objects in the order of drawing": (
        f"{K} (= b (K (Position 3 3))) (= a (initnext (K (Position 1 1)) (prev a)))",
        "",
        "(map (--> o (.. (.. o origin) x)) ((allObjs)))",
        [1, 3],
    ),
    "names that the library assigns inside are no variables of the program": (
        f'{K} (= dir "up") (= k (K (Position 3 3))) (on true (= k (nextLiquid k)))',
        "noop",
        "dir",
        "up",
    ),
}
"""Statements, actions, an expression, and its value here, by what differs from the reference."""
REFUSED = {
    "division by zero is an error, and does not end the process": ("(= x (/ 1 0))", "expected a divisor"),
    "too few arguments are an error, and do not read what is not there": (
        "(= f (--> (a b) a)) (f 1)",
        "too few arguments",
    ),
    "an atom with other characters after its name is refused, not cut": ("(= x foo-bar)", "found 'foo-bar'"),
    "an object type has one definition": ('(object K (Cell 0 0 "a")) (object K (Cell 0 0 "b"))', "is there already"),
}
"""Statements that the reference takes in some way, and with what they are refused here."""


@cache
def golden(name: str) -> dict[str, Any]:
    with lzma.open(REFERENCE / "golden" / f"{name}.json.xz", "rt") as file:
        document: dict[str, Any] = json.load(file)
    return document


@cache
def program(path: Path) -> Program:
    return Program.from_text(path.read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_is_that_of_the_reference(name: str) -> None:
    document = golden(name)
    for number, trace in enumerate(document["traces"]):
        world = program(REFERENCE / document["program"]).start(trace["seed"])
        where = f"{name}, trace {number} ({trace['mode']}, seed {trace['seed']})"
        follow(world, document, trace, where)


def follow(world: AutumnWorld, document: dict[str, Any], trace: dict[str, Any], where: str) -> None:
    """Play a trace and compare every frame. After the last one, the reference may have failed: so must we."""
    size, palette = document["grid_size"], document["palette"]
    cells = [palette[DIGITS.index(digit)] for digit in trace["frames"][0]]
    assert world.background == document["background"]
    for number, changes in enumerate(trace["frames"]):
        if number:
            world.act(trace["actions"][number - 1])
            for cell, digit in zip(changes[::2], changes[1::2], strict=True):
                cells[cell] = palette[DIGITS.index(digit)]
        rows = [cells[start : start + size] for start in range(0, size * size, size)]
        assert world.grid == rows, f"{where}, frame {number}"
    for action in trace["actions"][len(trace["frames"]) - 1 :]:
        with pytest.raises(AutumnError):
            world.act(action)


def cases() -> list[dict[str, Any]]:
    path = REFERENCE / "expressions.json"
    return json.loads(path.read_text("utf-8"))["cases"] if path.is_file() else []


@pytest.mark.parametrize("case", [case for case in cases() if "artefact" not in case], ids=lambda case: case["expr"])
def test_every_expression_has_the_value_of_the_reference(case: dict[str, Any]) -> None:
    document = json.loads((REFERENCE / "expressions.json").read_text("utf-8"))
    world = Program.from_text(document["program"]).start(document["seed"])
    if case["kind"] == "error":
        with pytest.raises(AutumnError):
            world.evaluate(case["expr"])
        return
    value = told(world.evaluate(case["expr"]))
    expected = re.sub(r" :(List<.*>|Unknown)\)$", ")", case["value"])
    if case.get("quirk") == LISTS_BY_TYPE:
        assert (value, expected) == ("(true: Bool)", "(false: Bool)")
    else:
        assert value == expected


def told(value: Any) -> str:
    """A value in the words of the reference, but for the type of a list's elements."""
    if isinstance(value, bool):
        return f"({'true' if value else 'false'}: Bool)"
    if isinstance(value, int):
        return f"({value}: N)"
    if isinstance(value, str):
        return f'("{value}": S)'
    if isinstance(value, list):
        return f"([{', '.join(map(told, value))}])"
    fields = ",".join(f"{name}: {told(held)}" for name, held in value.items() if name != "type")
    return f"{value['type']}{{{fields}}}"


@pytest.mark.parametrize("what", DEVIATIONS)
def test_what_differs_from_the_reference_on_purpose(what: str) -> None:
    statements, actions, expression, value = DEVIATIONS[what]
    assert after(statements, actions).evaluate(expression) == value


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_reference_takes_and_we_refuse(what: str) -> None:
    statements, message = REFUSED[what]
    with pytest.raises(AutumnError, match=message):
        after(statements)


def test_an_error_ends_a_world_where_the_reference_goes_on_in_a_broken_state() -> None:
    world = after(f"{K} (= k (initnext (K (Position 0 0)) (prev k))) (on left (head (list)))")
    for action in ("left", "noop"):
        with pytest.raises(AutumnError, match="0 elements"):
            world.act(action)
    assert drawn(world) == {(0, 0): "red", (1, 0): "blue"}


def test_the_condition_of_a_changed_environment_is_true_when_the_reference_says_so() -> None:
    """The trace has, for each step, whether the condition holds before the event and after it."""
    for name in NAMES:
        document = golden(name)
        if "condition" in document:
            changed = Program.from_text((REFERENCE / document["program"]).read_text("utf-8"), document["condition"])
            for trace in document["traces"]:
                world = changed.start(trace["seed"])
                for action, expected in zip(trace["actions"], trace["trigger"], strict=False):
                    assert [world.holds(), world.holds(action)] == [bool(flag) for flag in expected]
                    world.act(action)
