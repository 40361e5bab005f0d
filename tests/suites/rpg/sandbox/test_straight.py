"""Straight plans: what they may hold, what is refused with its line, and that they do what they say."""

from __future__ import annotations

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.sandbox.bounds import RULE, Limits
from herobench.suites.rpg.sandbox.wire import Played
from herobench.suites.rpg.sandbox.worker import play, play_request
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task, tiny_task
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import ACTIONS, request

MECHANICS = {"leveling": False, "drop_scale": None, "plan": "straight"}


def straight(plan: str, limits: Limits | None = None) -> Played:
    """Play a straight plan, and return its record."""
    return play(plan, dict.fromkeys(ACTIONS, lambda action, looks: (200, {})), limits or Limits(), "straight")


ALLOWED = {
    "calls": ("move('Hero', 1, 2)\nfight('Hero')", 2),
    "keywords": ("move(name='Hero', x=1, y=-2)", 1),
    "signs": ("move('Hero', -1, +2)", 1),
    "loop": ("for _ in range(3):\n    fight('Hero')", 3),
    "range with a beginning": ("for turn in range(-1, 2):\n    fight('Hero')", 3),
    "no turn": ("for _ in range(0):\n    fight('Hero')\nfor _ in range(-3):\n    fight('Hero')", 0),
    "nested": ("for i in range(2):\n    fight('Hero')\n    for i in range(3):\n        gather('Hero', 2)", 8),
    "one line": ("for _ in range(2): fight('Hero'); gather('Hero')", 4),
    "harmless": ("'''A plan.'''\n# first\n\nfight('Hero')  # f(x) = 1\n'''then'''\npass\nfor _ in range(2): pass", 1),
    "only a comment": ("# nothing", 0),
    "adjacent texts": ("craft('He' 'ro', r'brick', 1)", 1),
    "continued lines": ("move('Hero', \\\n 1,\n 2)", 1),
    "letters of full width": ("\uff46ight('Hero')", 1),
    "names of builtins": ("for print in range(2):\n    fight('Hero')\nfor i in range(2):\n    fight('Hero')", 4),
}


@for_each("name", ALLOWED)
def test_what_a_straight_plan_may_hold(name: str) -> None:
    plan, actions = ALLOWED[name]
    played = straight(plan)
    assert played.ending.how == "finished", played.ending
    assert len(played.attempts) == actions


STATEMENTS = [
    "x = 1", "x: int = 1", "x: int", "x += 1", "del x", "fight = 1", "if True:\n    fight('Hero')",
    "if __name__ == '__main__':\n    fight('Hero')", "while True:\n    fight('Hero')", "def f():\n    fight('Hero')",
    "class A:\n    pass", "import math", "from math import pi", "try:\n    fight('Hero')\nexcept Exception:\n    pass",
    "with x:\n    pass", "assert True", "raise ValueError", "global x", "return", "break", "continue", "yield",
    "async def f():\n    pass", "match 1:\n    case 1:\n        pass", "print('done')", "fight", "5", "None", "...",
    "b'fight'", "f'fight'", "'a' + 'b'", "fight('Hero')[0]", "fight('Hero').real", "fight('Hero') and fight('Hero')",
    "fight('Hero') if 1 else 0", "not fight('Hero')", "(fight('Hero'), fight('Hero'))", "[fight('Hero')]",
    "[fight('Hero') for i in range(3)]", "list(map(fight, ['Hero']))", "(lambda: fight('Hero'))()",
    "(fight)('Hero')('Hero')", "(x := 3)", "eval('fight(1)')", "attack('Hero')", "range(3)", "hero.fight()", "await x",
    # arguments
    "move('Hero', 1 + 1, 2)", "move('Hero', 2 * 3, 2)", "move('Hero', x, 2)", "move('Hero', len('a'), 2)",
    "move('Hero', (x := 1), 2)", "move(*['Hero', 1, 2])", "move(*'Hero')", "move(**{'name': 'Hero'})",
    "move('Hero', 1, **'y')", "fight(**1)",
    "move('Hero', **{})", "move('Hero', 1.0, 2)", "move('Hero', 1j, 2)", "move('Hero', True, 2)",
    "equip('Hero', 'blade', 'club', None)", "move('Hero', ~1, 2)", "move('Hero', --1, 2)", "move('Hero', not 1, 2)",
    "move('Hero', -'1', 2)", "move('Hero', -True, 2)", "move(f'Hero', 1, 2)", "move(f'{1}', 1, 2)",
    "move(f\"{f'{1}'}\", 1, 2)", "move('Hero' f'', 1, 2)", "move(b'Hero', 1, 2)", "move('Hero', x=[1], y=2)",
    "move('Hero', fight('Hero'), 2)", "move('Hero', 1 if 1 else 2, 3)", "move('Hero', lambda: 1, 2)",
    "move('Hero' % (), 1, 2)", "move('Hero', ..., 2)", "move(x for x in range(3))", "move('Hero', [1][0], 2)",
    # loops
    "for move in range(2): pass", "for range in range(3): pass", "for \uff52ange in range(3): pass",
    "for \uff4dove in range(3): pass", "for i in range(3.0): pass", "for i in range(True): pass",
    "for i in range('3'): pass",
    "for i in range(): pass", "for i in range(0, 9, 2): pass", "for i in range(stop=3): pass",
    "for i in range(*[3]): pass", "for i in range(**{}): pass", "for i in range(1 + 2): pass",
    "for i in range((x := 3)): pass", "for i in range(len('abc')): pass", "for i in range(i): pass",
    "for i in [1, 2]: pass", "for i in 'abc': pass", "for i in reversed(range(3)): pass", "for i in range: pass",
    "for i in range(3)[1:]: pass", "for i, j in range(3): pass", "for (i) in (range)(n): pass",
    "for [i] in range(3): pass", "for x.y in range(3): pass", "for x[0] in range(3): pass", "for *i, in range(3): pass",
    "for i in (lambda: range(3))(): pass", "for i in enumerate(range(3)): pass", "for i in ran\uff47e (x): pass",
]  # fmt: skip
"""Statements, each of which is refused at its first line."""
LATER = {
    "a bad argument": ("fight('Hero')\nmove(\n    'Hero',\n    x,\n    1,\n)", 4),
    "a bad keyword": ("move(\n    name='Hero',\n    x=1,\n    y=1 + 1)", 4),
    "in a loop": ("for _ in range(2):\n    fight('Hero')\n    x = 1", 3),
    "a decorated function": ("fight('Hero')\n@(lambda f: f)\ndef g(): pass", 3),
    "the else of a loop": ("for _ in range(2):\n    pass\nelse:\n    fight('Hero')", 4),
    "an inner loop": ("for i in range(2):\n    for j in range(i):\n        pass", 2),
    "the loop's name": ("for i in range(2):\n    gather('Hero', i)", 2),
    "the first of two": ("fight('Hero')\nx = 1\nimport math", 2),
    "defaults": ("def f(x=fight('Hero')): pass", 1),
    "an f-string over lines": ("fight('Hero')\nfight(f'''\n{1}''')", 2),
}


@for_each("statement", STATEMENTS)
def test_anything_else_is_rejected(statement: str) -> None:
    ending = straight(f"fight('Hero')\n{statement}").ending
    assert (ending.how, ending.kind, ending.line) == ("rejected", "not_straight", 2), ending
    assert ending.reason is not None
    assert ending.reason.endswith(RULE), "the sentence says what a straight plan may hold"


@for_each("name", LATER)
def test_the_line_is_that_of_the_first_construct_that_is_refused(name: str) -> None:
    plan, line = LATER[name]
    ending = straight(plan).ending
    assert (ending.how, ending.kind, ending.line) == ("rejected", "not_straight", line), ending


@for_each(
    ("plan", "reason"),
    [
        ("x = 1", "an assignment has no place here: "),
        ("attack('Hero')", "attack, which is no action, has no place here: "),
        ("for move in range(2): pass", "the name move for the turns of a loop has no place here: "),
        ("move('Hero', x, 1)", "the name x has no place here: "),
        ("while 1: pass", "a while loop has no place here: "),
        ("global x", "this has no place here: "),
    ],
)
def test_the_reason_names_the_construct(plan: str, reason: str) -> None:
    assert straight(plan).ending.reason == reason + RULE


def test_what_is_no_python_stays_a_syntax_error() -> None:
    assert straight("fight('Hero'").ending.kind == "syntax"


@for_each(
    ("plan", "how", "kind"),
    [
        ("for _ in range(10**3): pass", "rejected", "not_straight"),
        ("for _ in range(20_000):\n    fight('Hero')", "limit", "actions"),
        ("for _ in range(10000000):\n    for _ in range(10000000): pass", "limit", "steps"),
        ("".join(f"{' ' * n}for _ in range(2):\n" for n in range(16)) + " " * 16 + "pass", "rejected", "size"),
        ("for __class__ in range(2): pass", "rejected", "forbidden"),
        ("move('Hero', 111111111111111111111, 1)", "rejected", "forbidden"),
        ("fight('He\u202ero')", "rejected", "forbidden"),
        ("fight('Hero');" * 20_000, "rejected", "size"),
    ],
)
def test_the_limits_of_all_plans_hold(plan: str, how: str, kind: str) -> None:
    ending = straight(plan).ending
    assert (ending.how, ending.kind) == (how, kind), ending


def test_a_call_that_does_not_fit_is_an_error_at_run_time(tiny: World) -> None:
    played = play_request(tiny, request(tiny, "move('Hero', 1)", tiny_task(tiny, mechanics=MECHANICS)))
    assert (played.ending.how, played.ending.kind, played.ending.line) == ("error", "runtime", 1)


def test_the_track_comes_with_the_task(tiny: World) -> None:
    plan = "x = 2\nmove('Hero', x, 0)"
    with Sandbox(tiny, load_rules()) as sandbox:
        ending = sandbox.execute(craft_task(tiny, "bar", mechanics=MECHANICS), plan).ending
        assert (ending.how, ending.kind, ending.line) == ("rejected", "not_straight", 1)
        assert sandbox.execute(craft_task(tiny, "bar"), plan).finished
