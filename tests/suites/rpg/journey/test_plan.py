"""Plans are calls and nothing else, and no text makes reading slow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from herobench.suites.rpg.game.calls import NotStraight
from herobench.suites.rpg.journey import plan as module
from herobench.suites.rpg.journey.plan import MOST_CALLS, as_code, read_plan
from herobench.suites.rpg.journey.walk import ACTIONS, Call
from tests.sizes import for_each, many

VALUES = ["iron", "bow", "wolf", "a_b", "", "x" * 40, "it's", "#", "a, b", "(", ")", ";", "é", " "]


def calls(text: str) -> list[Call]:
    return [line.call for line in read_plan(text)]


def test_what_is_written_is_read_again() -> None:
    chance = Random(1)
    for _ in range(many(500)):
        plan: list[Call] = [
            (chance.choice([*ACTIONS, "jump"]), *(chance.choice(VALUES) for _ in range(chance.randint(0, 3))))
            for _ in range(chance.randint(0, 9))
        ]
        assert [*map(tuple, read_plan(as_code(plan)))] == [(call, line) for line, call in enumerate(plan, 1)]


@for_each(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n\t\n", []),
        ("# nothing", []),
        ("leave()", [("leave",)]),
        ("  leave ( )  # out", [("leave",)]),
        ("fight('wolf', \"bow\")", [("fight", "wolf", "bow")]),
        ("fight( 'wolf' ,'bow' )", [("fight", "wolf", "bow")]),
        ('fight("it\'s", \'a "b"\')', [("fight", "it's", 'a "b"')]),
        ('gather("iron"); gather("coal");', [("gather", "iron"), ("gather", "coal")]),
        ('gather("#1")#2', [("gather", "#1")]),
        ("leave()\n\n# leave()\nleave()", [("leave",), ("leave",)]),
        ("leave()\r\n# out\r\nleave()\rleave()\r", [("leave",)] * 3),
    ],
)
def test_calls_and_comments_are_read(text: str, expected: list[Call]) -> None:
    assert calls(text) == expected


@for_each(
    "line",
    [
        "for i in range(3): leave()",
        "for i in range(3):",
        "if True: leave()",
        "while 1: pass",
        "leave() if 1 else rest()",
        "x = 1",
        "x = leave()",
        "import os",
        "import os; leave()",
        "leave()\\",
        "gather(iron)",
        "gather(1)",
        "gather(f'iron')",
        "gather(r'iron')",
        "gather('ir' + 'on')",
        "gather('ir' 'on')",
        "gather('iron' * 2)",
        "gather(material='iron')",
        "gather(*['iron'])",
        "gather(gather('iron'))",
        "gather('iron',)",
        "gather(,)",
        "gather('ir\\x6fn')",
        "gather('''iron''')",
        "gather(\"iron')",
        "gather('iron",
        "gather('iron'",
        "gather",
        "gather('" + "x" * 41 + "')",
        "hero.leave()",
        "leave().x",
        "leave()()",
        "leave(), leave()",
        "leave() leave() x",
        "print('leave()')[0]",
        "[leave() for _ in 'ab']",
        "lambda: leave()",
        "'leave()'",
        "Leave()",
        "1. leave()",
        "- leave()",
        "`leave()`",
        "\u00a0leave()",
        "leave()\u2028leave()",
        "leave()\x00",
        "leave\uff08\uff09",
    ],
)
def test_anything_else_is_refused_with_its_line(line: str) -> None:
    for text, number in ((line, 1), (f"leave()\n# x\n{line}\nimport os", 3)):
        with pytest.raises(NotStraight) as error:
            read_plan(text)
        assert error.value.line == number


def test_a_value_never_holds_a_line_end() -> None:
    with pytest.raises(NotStraight):
        read_plan('gather("iron\n")')


def test_a_plan_has_a_most_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CALLS", 100)
    assert len(read_plan("leave()\n" * 100)) == 100
    with pytest.raises(NotStraight) as error:
        read_plan("leave()\n" * 101 + "\n\n")
    assert error.value.line == 101


# -- no text is slow --------------------------------------------------------------------------------------------------


def repeats(tree: Any) -> Iterator[tuple[str, Any, Any]]:
    """The repeats of a regular expression: the name of each operation, and how often at least and at most."""
    for operation, arguments in tree:
        if "REPEAT" in str(operation):
            yield str(operation), arguments[0], arguments[1]
        stack = [arguments]
        while stack:
            part = stack.pop()
            if isinstance(part, _parser.SubPattern):
                yield from repeats(part)
            elif isinstance(part, (tuple, list)):
                stack += part


@for_each("pattern", [module._CALL, module._NO_CALL])
def test_no_repeat_gives_back_what_it_took(pattern: re.Pattern[str]) -> None:
    """A repeat that never goes back reads each character once, so a match takes a time that grows with its text."""
    every = [*repeats(_parser.parse(pattern.pattern, pattern.flags))]
    assert len(every) > 1
    assert [each for each in every if each[0] != "POSSESSIVE_REPEAT" and each[2] != 1] == []


LONG = many(1_000_000, 200_000)
AGAIN = '"a", ' * 20_000


@for_each(
    "text",
    [
        piece * (LONG // len(piece)) + end
        for piece in ('"', "'", "(", ")", " ", "\t", ";", ",", "a", "#", "_", "\n", "\\", "é", '("', "a(", 'a("', '",')
        for end in ("", ")", "\n)")
    ]
    + [f"{'leave();' * 10_000}{end}" for end in ("", "x", "(")]
    + [f"gather({AGAIN}{end}" for end in ("", ")", '"a")', '"a"')]
    + ["leave()" + " " * LONG + "x", "leave()#" + "#" * LONG, " " * LONG + "leave()", f'gather("{"x" * LONG}")']
    + ["x\n" + "leave()\n" * 20_000],
)
def test_long_texts_are_read_or_refused(text: str) -> None:
    """Each would take hours if any part of it was read again for each of its characters."""
    try:
        assert len(read_plan(text)) <= MOST_CALLS
    except NotStraight as fault:
        line = fault.line
    else:
        line = 1
    assert 1 <= line <= text.count("\n") + 1
