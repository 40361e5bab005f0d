"""The guards that count the calls of a plan."""

from __future__ import annotations

from herobench.suites.rpg.sandbox.bounds import MOST_CALLS
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import recorded, steps_of_plan

RECURSIONS = {
    "plainly": "def f(n):\n    print(n)\n    return f(n + 1)",
    "through a list comprehension": "def f(n):\n    print(n)\n    return [f(m + 1) for m in [n]]",
    "through a set comprehension": "def f(n):\n    print(n)\n    return {f(m + 1) for m in [n]}",
    "through a dict comprehension": "def f(n):\n    print(n)\n    return {m: f(m + 1) for m in [n]}",
    "through its condition": "def f(n):\n    print(n)\n    return [m for m in [n] if f(m + 1)]",
    "through two in each other": "def f(n):\n    print(n)\n    return [[f(m + 1) for m in [k]] for k in [n]]",
    "through a generator": "def f(n):\n    print(n)\n    return any(f(m + 1) for m in [n])",
    "through a lambda in a list": "g = lambda n: [print(n), [g(m + 1) for m in [n]]]\nf = g",
}


@for_each("functions", RECURSIONS.values())
def test_calls_nest_as_deeply_through_comprehensions(functions: str) -> None:
    played = recorded(f"{functions}\nf(1)")
    assert (played.ending.how, played.ending.kind) == ("limit", "depth")
    assert played.output.split()[-1] == str(MOST_CALLS - 1)


def test_deep_calls_cost_more_steps_than_shallow_ones() -> None:
    def cost(depth: int) -> int:
        return steps_of_plan(f"def f(n):\n    return n and f(n - 1)\nf({depth})")

    assert cost(4) - cost(3) == 1
    assert cost(120) - cost(119) > cost(60) - cost(59) > 1
