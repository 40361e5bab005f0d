"""One plan played: what is recorded of it, and how it ends."""

from typing import Any

from herobench.suites.rpg.game.episode import FINISHED, Ending
from herobench.suites.rpg.game.events import Action, CallError
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.worker import play
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import recorded

# -- attempts ----------------------------------------------------------------------------------------------------------


def arguments(plan: str) -> list[Any]:
    [action] = recorded(plan).attempts
    return [*action.args, *action.keywords]


def test_an_attempt_is_recorded_as_it_was_called() -> None:
    played = recorded("move('Hero', 1, y=-2)\n\nfight('Hero')")
    assert played.attempts == (Action("move", ("Hero", 1), (("y", -2),), 1), Action("fight", ("Hero",), (), 3))
    assert (played.ending, played.output) == (FINISHED, "")


@for_each(
    ("plan", "expected"),
    [
        ("for _ in range(2):\n\n    gather('Hero')", [3, 3]),
        ("def f():\n    gather('Hero')\n\nf()\nf()", [2, 2]),
        ("gather(\n    'Hero',\n    1,\n)\nfight('Hero')", [1, 5]),
        ("x = [\n    gather('Hero'),\n    fight('Hero'),\n]", [2, 3]),
        ("if True and \\\n    gather('Hero'):\n    pass", [2]),
        ("a = ('Hero', 1)\n\nmove(*a)", [3]),
        ("f = lambda: gather('Hero')\n\nf()", [1]),
        ("x = [gather(n)\n     for n in 'ab']", [1, 1]),
        ("go = gather\n\ngo('Hero')", [3]),
        ("x = any(\n    gather(n)[0] == 200 for n in 'ab')", [2]),
        ("\nx = list(map(gather, 'ab'))", [2, 2]),
        ("\n\nsorted('ba', key=gather)", [3, 3]),
        ("\nx = all(map(gather, 'ab'))\nmax(1, 2, key=fight)", [2, 2, 3, 3]),
        ("gather('Hero'); gather('Hero')", [1, 1]),
        ("try:\n    gather('Hero')\n    1 / 0\nexcept:\n    fight('Hero')\nfinally:\n    move('Hero')", [2, 5, 7]),
    ],
)
def test_an_attempt_has_the_line_it_was_called_on(plan: str, expected: list[int]) -> None:
    assert [action.line for action in recorded(plan).attempts] == expected


@for_each(
    "value",
    [
        "0", "-5", "999999999999", "1.5", "-0.0", "True", "None", "''", "'x' * 200", "'\\ud800'", "'é' * 33",
        "'😀' * 16", "'\\n' * 100",
    ],
)  # fmt: skip
def test_plain_arguments_are_recorded_with_their_exact_type(value: str) -> None:
    [seen] = arguments(f"move({value})")
    assert repr(seen) == repr(eval(value))


@for_each(
    "value",
    [
        "[]", "(1,)", "{}", "{1}", "print", "move", "lambda: 0", "10**12", "-10**12", "'x' * 201", "'é' * 34",
        "'😀' * 17", "'\\n' * 101", "1e308 * 10", "-(1e308 * 10)", "1e308 * 10 - 1e308 * 10", "(-8) ** 0.5", "...",
        "ValueError", "range(3)", "(n for n in [])",
    ],
)  # fmt: skip
def test_what_is_no_plain_argument_is_recorded_as_an_empty_text(value: str) -> None:
    assert arguments(f"move({value})") == [""]
    assert arguments(f"move(x={value})") == [("x", "")]


def test_star_arguments_are_recorded_one_by_one() -> None:
    assert arguments("move(*('Hero', 1), *[2], **{'quantity': 3}, name='x')") == [
        "Hero",
        1,
        2,
        ("quantity", 3),
        ("name", "x"),
    ]


def test_an_action_is_told_whether_its_answer_is_looked_at() -> None:
    looked: list[bool] = []

    def act(action: Action, looks: bool) -> object:
        looked.append(looks)
        return (200, {}) if looks else None

    play(
        "gather()\nx = gather()\n(gather())\n[gather()]\nif gather(): pass\nf = lambda: gather()\nf()",
        {"gather": act},
        Limits(),
    )
    assert looked == [False, True, False, True, True, True]


def test_a_plan_sees_what_its_action_answers() -> None:
    plan = "status, body = gather('Hero')\nprint(status, body['items'][0])\nbody['items'] += [2]\nprint(len(body))"
    played = play(plan, {"gather": lambda action, looks: (200, {"items": [{"code": "ore"}]})}, Limits())
    assert played.output == "200 {'code': 'ore'}\n1\n"


def test_a_call_that_does_not_fit_is_an_error_and_no_attempt() -> None:
    def act(action: Action, looks: bool) -> object:
        if len(action.args) > 1:
            raise CallError("gather() takes 1 argument")
        return 200, {}

    played = play("gather('Hero')\ngather(1, 2)", {"gather": act}, Limits())
    assert [action.args for action in played.attempts] == [("Hero",)]
    assert played.ending == Ending("error", "CallError: gather() takes 1 argument", 2, "runtime", "CallError")
    caught = play("try:\n    gather(1, 2)\nexcept TypeError as e:\n    print(e)", {"gather": act}, Limits())
    assert (caught.ending, caught.output) == (FINISHED, "gather() takes 1 argument\n")


# -- endings -----------------------------------------------------------------------------------------------------------

ENDINGS = {
    "finished": ("x = 1\nprint(x)", Ending("finished")),
    "nothing to do": ("# nothing", Ending("finished")),
    "syntax": ("x = 1\nif x\n    pass", Ending("rejected", "syntax error: expected ':'", 2, "syntax")),
    "forbidden": ("x = 1\nimport os", Ending("rejected", "imports have no place in a plan", 2, "forbidden")),
    "size": ("\nx = " + "-" * 100 + "1", Ending("rejected", "the plan is too deeply nested", 2, "size")),
    "runtime": (
        "x = 1\nx / 0",
        Ending("error", "ZeroDivisionError: division by zero", 2, "runtime", "ZeroDivisionError"),
    ),
    "in a function": (
        "def f():\n    return [][1]\n\nf()",
        Ending("error", "IndexError: list index out of range", 2, "runtime", "IndexError"),
    ),
    "in a comprehension": (
        "x = [\n    1 / n\n    for n in [1, 0]]",
        Ending("error", "ZeroDivisionError: division by zero", 2, "runtime", "ZeroDivisionError"),
    ),
    "in a guard": (
        "x = 1\ny = x + 'a'",
        Ending("error", "TypeError: unsupported operand type(s) for +: 'int' and 'str'", 2, "runtime", "TypeError"),
    ),
    "in a builtin": (
        "\nint('x')",
        Ending("error", "ValueError: invalid literal for int() with base 10: 'x'", 2, "runtime", "ValueError"),
    ),
    "in a method": ("\n[].pop()", Ending("error", "IndexError: pop from empty list", 2, "runtime", "IndexError")),
    "without words": ("raise ValueError", Ending("error", "ValueError", 1, "runtime", "ValueError")),
    "with other words": ("raise ValueError([1], 2)", Ending("error", "ValueError", 1, "runtime", "ValueError")),
    "with many words": (
        "raise ValueError('x' * 999)",
        Ending("error", "ValueError: " + "x" * 200, 1, "runtime", "ValueError"),
    ),
    "no error at all": (
        "raise 5",
        Ending("error", "TypeError: exceptions must derive from BaseException", 1, "runtime", "TypeError"),
    ),
    "assertion": ("assert 1 > 2, 'no'", Ending("error", "AssertionError: no", 1, "runtime", "AssertionError")),
    "steps": ("while True:\n    pass", Ending("limit", "the plan takes more than 300,000 steps", 2, "steps")),
    "actions": (
        "while True:\n    fight('Hero')",
        Ending("limit", "the plan takes more than 10,000 actions", 2, "actions"),
    ),
    "memory": ("x = 'x' * 10**9", Ending("limit", "the plan works on more than 50,000 values at once", 1, "memory")),
    "output": ("print('x' * 30000)", Ending("limit", "the plan prints more than 20,000 characters", 1, "output")),
    "depth": ("def f():\n    f()\nf()", Ending("limit", "the plan's calls are nested more than 150 deep", 2, "depth")),
}


@for_each(("plan", "ending"), ENDINGS.values())
def test_a_plan_ends_in_a_sentence_on_its_line(plan: str, ending: Ending) -> None:
    assert recorded(plan).ending == ending


def test_what_was_done_before_the_end_is_kept() -> None:
    played = recorded("move('Hero')\nprint('so far')\nundefined\nfight('Hero')")
    assert ([action.name for action in played.attempts], played.output) == (["move"], "so far\n")


def test_nothing_is_done_of_a_plan_that_is_rejected() -> None:
    played = recorded("move('Hero')\nprint('so far')\nimport os")
    assert (played.attempts, played.output) == ((), "")


def test_an_error_that_carries_a_bomb_is_told_without_rendering_it() -> None:
    plan = "x = [1]\nfor _ in range(60):\n    x = [x, x]\nraise ValueError(x)"
    assert recorded(plan).ending == Ending("error", "ValueError", 4, "runtime", "ValueError")


@for_each(
    ("plan", "line"),
    [
        ("for i in (\n1\n): pass", 1),
        ("for i, *j in (\n1\n): pass", 1),
        ("for i in (\n\nlen(1)\n): pass", 3),
        ("assert (\n(\n1) == (\n2))", 1),
        ("assert (\n1 == 1 and\nnot 2 == 2), 'no'", 1),
        ("assert 0, (\n1 / 0)", 2),
    ],
)
def test_an_error_over_several_lines_has_the_same_line_on_every_version(plan: str, line: int) -> None:
    ending = recorded(plan).ending
    assert (ending.how, ending.line) == ("error", line)
