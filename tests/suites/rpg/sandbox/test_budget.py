"""The budget of a plan: it counts the same each time, and no plan can avoid it."""

import sys
from textwrap import indent

import pytest

from herobench.suites.rpg.game.episode import FINISHED, EndKind
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.sandbox.bounds import MOST_CALLS, MOST_VALUES, LimitReached, Limits, PlanBudget
from herobench.suites.rpg.sandbox.worker import play
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.sandbox.plans import plan_limit, recorded, steps_of_plan

SMALL = Limits(steps=2000, actions=20, output=100)

ENDLESS = {
    "steps": "while True:\n    pass",
    "actions": "while True:\n    gather('Hero')",
    "output": "while True:\n    print('gold')",
    "memory": "x = [0] * 10**6",
    "depth": "def f():\n    f()\nf()",
}


# -- the budget itself -------------------------------------------------------------------------------------------------


def test_steps_are_used_up_one_by_one() -> None:
    budget = PlanBudget(Limits(steps=3))
    assert [budget.tick() for _ in range(3)] == [True, True, True]
    with pytest.raises(LimitReached) as reached:
        budget.tick()
    assert (reached.value.kind, reached.value.reason) == ("steps", "the plan takes more than 3 steps")


def test_values_cost_a_step_for_every_32() -> None:
    budget = PlanBudget(Limits(steps=10))
    budget.charge(31)
    budget.charge(8 * 32)
    with pytest.raises(LimitReached):
        budget.tick()


def test_too_many_values_at_once_are_too_many_however_many_steps_are_left() -> None:
    budget = PlanBudget(Limits(steps=10**9))
    budget.charge(MOST_VALUES)
    with pytest.raises(LimitReached) as reached:
        budget.charge(MOST_VALUES + 1)
    assert reached.value.kind == "memory"


def test_actions_are_counted_and_are_steps_too() -> None:
    budget = PlanBudget(Limits(actions=2, steps=10))
    budget.act()
    budget.act()
    with pytest.raises(LimitReached) as reached:
        budget.act()
    assert reached.value.kind == "actions"


def test_output_is_kept_up_to_its_limit() -> None:
    budget = PlanBudget(Limits(output=5))
    budget.print("gold")
    with pytest.raises(LimitReached) as reached:
        budget.print("silver")
    assert (reached.value.kind, "".join(budget.output)) == ("output", "golds")


def test_once_anything_is_used_up_everything_is_and_for_the_first_reason() -> None:
    budget = PlanBudget(Limits(actions=0))
    for use in (budget.act, budget.tick, lambda: budget.charge(0), lambda: budget.print(""), budget.act):
        with pytest.raises(LimitReached) as reached:
            use()
        assert reached.value.kind == "actions"
    assert budget.reached is not None
    assert "".join(budget.output) == ""


# -- in plans ----------------------------------------------------------------------------------------------------------


@for_each("kind", ENDLESS)
def test_each_limit_is_reached_at_the_same_place_each_time(kind: EndKind) -> None:
    first, second = (recorded(ENDLESS[kind], SMALL) for _ in range(2))
    assert (first.ending.how, first.ending.kind) == ("limit", kind)
    assert first == second


@for_each("steps", [10, 100, 999])
def test_a_plan_ends_at_exactly_the_step_that_is_too_many(steps: int) -> None:
    for kind, turns in ((None, steps), ("steps", steps + 1)):
        assert recorded(f"for _ in range({turns}):\n    pass", Limits(steps=steps)).ending.kind == kind


@for_each("turn", ["try:\n    1 / 0\nexcept:\n    pass\n", "try:\n    pass\nfinally:\n    pass\n"])
def test_a_handler_and_a_finally_clause_take_a_step_each(turn: str) -> None:
    assert recorded(turn * 10, Limits(steps=10)).ending.how == "finished"
    assert plan_limit(turn * 11, Limits(steps=10)) == "steps"


@for_each(
    "turn", ["f()\n", "g()\n", "[0 for _ in [1]]\n", "gather('Hero')\n", "print()\n", "[].append(1)\n", "any([1])\n"]
)
def test_whatever_runs_takes_steps(turn: str) -> None:
    functions = "def f(): pass\ng = lambda: 0\n"
    assert plan_limit(functions + turn * 11, Limits(steps=10)) == "steps"


LONG = ", ".join(["0"] * 480)
"""480 parts of code, of which 16 cost a step."""


@for_each("loop", [f"x = 9\nwhile ({LONG}, x)[-1]:\n    x -= 1", f"x = [0]\nfor x[({LONG})[0]] in range(9):\n    pass"])
def test_a_turn_costs_what_the_condition_or_the_target_of_the_loop_holds(loop: str) -> None:
    assert steps_of_plan(loop) >= 9 * 480 >> 4


def test_as_many_actions_as_allowed_are_kept_and_no_more() -> None:
    played = recorded("fight('Hero')\n" + ENDLESS["actions"], SMALL)
    assert [action.name for action in played.attempts] == ["fight", *["gather"] * 19]


def test_output_beyond_the_limit_is_cut() -> None:
    assert recorded(ENDLESS["output"], SMALL).output == "gold\n" * 20


SWALLOWING = {
    "bare except": "try:\n    WORK\nexcept:\n    pass",
    "except Exception": "try:\n    WORK\nexcept Exception as e:\n    print(e)",
    "finally": "try:\n    WORK\nfinally:\n    x = 1",
    "raising in finally": "try:\n    try:\n        WORK\n    finally:\n        1 / 0\nexcept:\n    pass",
    "raising in a handler": "try:\n    try:\n        WORK\n    except:\n        1 / 0\nexcept:\n    pass",
    "a broken handler": (
        "ValueError = 5\n\ntry:\n    try:\n        WORK\n    except ValueError:\n        pass\nexcept:\n    pass"
    ),
    "an else": "for _ in range(3):\n    try:\n        WORK\n    except:\n        continue\n    else:\n        continue",
    "a generator": "def act():\n    WORK\n\ntry:\n    list(act() for _ in range(9))\nexcept:\n    pass",
    "a key function": (
        "def act(n):\n    WORK\n    return n\n\n"
        "try:\n    sorted([3, 1, 2], key=act)\n    max([1, 2], key=act)\n    [2, 1].sort(key=act)\nexcept:\n"
        "    pass"
    ),
    "a mapped function": (
        "def act(n):\n    WORK\n\ntry:\n    any(map(act, range(9)))\n    set(filter(act, range(9)))\nexcept:\n    pass"
    ),
    "recursion": (
        "def act(n):\n    if n:\n        try:\n            act(n - 1)\n        except:\n            pass\n"
        "        finally:\n            try:\n                WORK\n            except:\n                pass\n\n"
        "act(9)"
    ),
}
"""Turns of an endless loop that keep a limit from ending it; what stands before the loop ends with a blank line."""
WORK = {
    "steps": "[0 for _ in range(50)]",
    "actions": "gather('Hero')",
    "output": "print('gold')",
    "memory": "[0] * 10**6",
}


@for_each("kind", WORK)
@for_each("way", SWALLOWING.values())
def test_nothing_swallows_a_limit(way: str, kind: EndKind) -> None:
    before, _, turn = way.replace("WORK", WORK[kind]).rpartition("\n\n")
    plan = f"{before}\nwhile True:\n{indent(turn, '    ')}"
    limits = Limits(steps=5000, actions=40, output=400)
    first, second = (recorded(plan, limits) for _ in range(2))
    assert (first.ending.how, first.ending.kind) == ("limit", kind)
    assert first == second
    assert len(first.attempts) <= 40
    assert len(first.output) <= 400


@for_each("handler", ["except:", "except Exception:", "except RecursionError:", "except (RuntimeError, ValueError):"])
def test_calls_that_nest_too_deep_end_the_plan_whoever_handles_them(handler: str) -> None:
    plan = f"def f():\n    f()\ntry:\n    f()\n{handler}\n    gather('Hero')\ngather('Hero')"
    played = recorded(plan)
    assert (played.ending.how, played.ending.kind, played.attempts) == ("limit", "depth", ())
    assert str(MOST_CALLS) in (played.ending.reason or "")


def test_calls_nest_as_deeply_wherever_a_plan_is_played_from() -> None:
    plan = "def f(n):\n    print(n)\n    f(n + 1)\nf(0)"

    def deeper(calls: int) -> str:
        return recorded(plan).output if calls == 0 else deeper(calls - 1)

    assert deeper(0) == deeper(50)
    assert len(deeper(0).split()) > 100


CHAINED = {"raised in a handler": "raise ValueError()", "raised from another": "raise ValueError() from last"}


@for_each("again", CHAINED.values())
def test_a_handled_error_leads_to_no_other_since_python_walks_the_chain_at_each_raise(again: str) -> None:
    plan = f"""
last = ValueError()
for _ in range(5):
    try:
        try:
            raise last
        except ValueError:
            {again}
    except ValueError as error:
        last = error
        gather('Hero')
"""
    linked: list[bool] = []

    def act(action: Action, looks: bool) -> object:
        handled = sys.exc_info()[1]
        assert handled is not None
        linked.append(bool(handled.__context__ or handled.__cause__))
        return 200, {}

    assert play(plan, {"gather": act}, Limits()).ending == FINISHED
    assert linked == [False] * 5


DEEP = {
    "itself": "def f(n):\n    print(n)\n    f(n + 1)\nf(0)",
    "each other": "def f(n): return g(n)\ndef g(n): return f(n)\nf(1)",
    "lambdas": "f = lambda n: g(n)\ng = lambda n: f(n)\nf(1)",
    "stars": "def f(*n):\n    f(*n)\nf(1)",
    "key functions": "def f(n):\n    return sorted([n], key=f)\nf(1)",
    "generators": "def f(n):\n    return any(f(m) for m in [n])\nf(1)",
    "maps": "def f(n):\n    return list(map(f, [n]))\nf(1)",
    "with operators": "def f(n):\n    return [n] + [f(n + 1)] + [len(str(n)) * 2]\nf(1)",
    "with actions": "def f(n):\n    gather('Hero', n)\n    f(n + 1)\nf(1)",
}


@pytest.mark.parametrize("plan", one_in(3, DEEP.values()), ids=DEEP)
def test_calls_nest_as_deeply_whatever_was_played_before(plan: str) -> None:
    seen = []
    for _ in range(many(12, 4)):
        for other in DEEP.values():
            recorded(other)
        seen.append(recorded(plan))
    assert seen[0].ending.kind == "depth"
    assert [played == seen[0] for played in seen] == [True] * len(seen)


def test_calls_may_nest_that_deep() -> None:
    depths = (MOST_CALLS - 1, MOST_CALLS)
    plan = "def f(n):\n    return n and sorted([f(n - 1)])[0]\nprint(f({depth}))"
    assert [recorded(plan.format(depth=depth - 1)).ending.how for depth in depths] == ["finished", "limit"]


def test_a_limit_counts_even_where_an_error_comes_after_it() -> None:
    plan = "try:\n    while True:\n        gather('Hero')\nfinally:\n    undefined"
    assert plan_limit(plan, SMALL) == "actions"


def test_a_limit_tells_the_line_on_which_it_is_reached() -> None:
    assert (
        recorded("x = 1\nfor _ in range(9):\n    while True:\n        gather(\n            'Hero')", SMALL).ending.line
        == 4
    )


HEAVY = {
    "f-string": "s = 'x' * 100\nfor _ in range(40):\n    s = f'{s}{s}'",
    "f-string width": "f'{1:{10**6}}'",
    "f-string width with zeros": "f'{1:0000000000009999999}'",
    "f-string precision": "f'{1:.100f}'",
    "percent width": "'%00000000000099999999d' % 1",
    "percent": "x = ('%(a)s' * 5000) % {'a': 'x' * 40000}",
    "percent of many": "s = 'x' * 40000\nx = '%s' % tuple([s] * 30000)",
    "format": "x = ('{0}' * 9000).format('x' * 40000)",
    "print": "print(*['x' * 40000] * 20000)",
    "print between": "print(*['x'] * 40000, sep='x' * 40000)",
    "join": "x = ('x' * 40000).join('y' * 40000)",
    "join of views": "x = ('x' * 40000).join({str(n): 0 for n in range(9000)}.keys())",
    "replace": "x = ('x' * 40000).replace('', 'y' * 4000)",
    "add": "s = 'x' * 40000\nx = s + s",
    "multiply": "x = 'x' * 10**9",
    "multiply reversed": "x = 10**9 * [0]",
    "multiply in place": "x = [0]\nx *= 10**9",
    "extend": "[].extend(range(10**9))",
    "union": "x = {1}.union(range(10**9))",
    "views": "x = {}.keys() | range(10**9)",
    "star": "a, *b = range(10**9)",
    "nested star": "for i, (*a,) in [(0, range(10**9))]:\n    pass",
    "star display": "x = [*range(10**9)]",
    "slice store": "x = []\nx[0:0] = range(10**9)",
    "annotated slice store": "x = []\nx[0:0]: list = range(10**9)",
    "slice store in a loop": "x = []\nfor x[0:0] in [range(10**9)]:\n    pass",
    "list": "x = list(range(10**9))",
    "sum": "sum(range(10**11))",
    "sorted": "sorted(range(10**9))",
    "power": "x = 2 ** 10**9",
    "power in place": "x = 3\nx **= 10**9",
    "pow": "x = pow(7, 10**9)",
    "shift": "x = 1 << 10**9",
    "squares": "x = 10\nwhile True:\n    x *= x",
    "int of text": "x = 10 ** 150\nwhile True:\n    x = x * 10 + int('7')",
    "repr of errors": "e = Exception(1)\nfor _ in range(40):\n    e = Exception(e, e)\nx = repr(e)",
    "str of errors": "e = Exception(1)\nfor _ in range(40):\n    e = Exception(e, e)\nx = str(e)",
    "repr of a tree": "x = [1]\nfor _ in range(40):\n    x = [x, x]\ny = repr(x)",
    "compare": "x = y = (1,)\nfor _ in range(40):\n    x, y = (x, x), (y, y)\nx == y",
    "key": "x = (1,)\nfor _ in range(40):\n    x = (x, x)\ny = {x: 1}",
    "membership": "x = (1,)\nfor _ in range(40):\n    x = (x, x)\nx in [x, 1]",
    "long repr": "x = repr([10**150] * 40000)",
}  # fmt: skip


@for_each("plan", HEAVY.values())
def test_what_would_take_much_memory_is_a_limit_before_it_does(plan: str) -> None:
    first, second = (recorded(plan) for _ in range(2))
    assert (first.ending.how, first.ending.kind) in (("limit", "memory"), ("limit", "steps")), first.ending
    assert "takes more memory" not in (first.ending.reason or ""), "it was C code that ran out of it"
    assert first == second


def test_deep_values_are_a_limit_and_no_crash() -> None:
    plan = "x = ()\nfor _ in range(20_000):\n    x = (x,)\n"
    for use in ("x == x", "print(x)", "{x}", "x in [x]", "sorted([x, x])", "str(x)", "max(x, x)", "[x].index(x)"):
        assert plan_limit(plan + use) == "memory"


SLOW = {
    "slices": "x = [0] * 40000\nwhile True:\n    x[1:]",
    "stars in loops": "x = [0] * 40000\nwhile True:\n    for a, *b in [x]:\n        pass",
    "stars in comprehensions": "x = [0] * 40000\nwhile True:\n    [a for a, *b in [x]]",
    "insertion by slices": "x = []\nwhile True:\n    x[0:0] = [1]",
    "pops": "x = [0] * 40000\nwhile True:\n    x.append(x.pop(0))",
    "membership": "x = list(range(40000))\nwhile True:\n    -1 in x",
    "comparison": "x = 'x' * 40000\ny = x[:]\nwhile True:\n    [x] == [y]",
    "sorting": "x = list(range(20000))\nwhile True:\n    x.sort()",
    "reversed": "while True:\n    [0 for _ in reversed(range(10**9))]",
    "iterators": "x = [1]\nwhile True:\n    x = map(bool, zip(x))",
}  # fmt: skip


@pytest.mark.parametrize("plan", one_in(3, SLOW.values()), ids=SLOW)
def test_what_c_code_takes_time_for_is_counted_in_steps(plan: str) -> None:
    first, second = (recorded(plan) for _ in range(2))
    assert first.ending.kind == "steps"
    assert first == second
