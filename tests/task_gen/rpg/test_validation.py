"""Every fault of a task is found: each test spoils one thing of a valid task."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from herobench.data.rows import RowLine
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.oracle.planner import lower_bound
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.validation import TaskProofs, faults
from herobench.work.engine import Local
from tests.sizes import for_each, some_slow

Json = dict[str, Any]

SPECS = {
    "kill": Spec(seed=2, brackets=(4,), kind="kill", noise=2),
    "craft": Spec(seed=2, brackets=(1,), kind="craft"),
    "leveling": Spec(seed=2, brackets=(3,), kind="kill", leveling=True),
    "stochastic": Spec(seed=2, brackets=(5,), kind="kill", stochastic=True),
    "decoys": Spec(seed=2, brackets=(5,), kind="kill", knowledge="decoys"),
    "straight": Spec(seed=2, brackets=(1,), kind="kill", plan="straight"),
    "searched": Spec(seed=1, brackets=(9,), kind="kill"),
}


@cache
def task_line(kind: str) -> str:
    task = Generator(load_world(), load_rules(), SPECS[kind]).task(4)
    return json.dumps(task.as_row())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(load_world(), load_rules()) as sandbox:
        yield sandbox


def found(row: Json, world: World, sandbox: Sandbox) -> str:
    return "; ".join(faults(world, load_rules(), Task.from_row(row), sandbox.execute))


@pytest.mark.parametrize("kind", some_slow(SPECS, {"stochastic"}))
def test_what_the_generator_makes_holds(kind: str, classic: World, sandbox: Sandbox) -> None:
    assert found(json.loads(task_line(kind)), classic, sandbox) == ""


def plan(change: Callable[[str], str]) -> Callable[[Json], None]:
    def spoil(row: Json) -> None:
        row["certificate"]["plan"] = change(row["certificate"]["plan"])

    return spoil


def figure(name: str, by: int) -> Callable[[Json], None]:
    def spoil(row: Json) -> None:
        row["certificate"][name] += by

    return spoil


def told_less(field: str) -> Callable[[Json], None]:
    def spoil(row: Json) -> None:
        row["knowledge"][field] = []

    return spoil


def one_missing_less(row: Json) -> None:
    row["missing"].popitem()


def worn_already(row: Json) -> None:
    slot, code = row["missing"].popitem()
    row["hero"]["worn"][slot] = code


def healthier(row: Json) -> None:
    row["hero"]["stats"]["hp"] += 1000


def sicker(row: Json) -> None:
    row["hero"]["stats"]["hp"] = 1


def makeable_noise(row: Json) -> None:
    recipe = row["knowledge"]["noise"][0]["recipe"]
    recipe["ingredients"] = {row["knowledge"]["materials"][0]: 1}


def other_figures_left_out(row: Json) -> None:
    slot = next(iter(row["certificate"]["without"]))
    row["certificate"]["without"][slot] += 0.5


def given(field: str) -> Callable[[Json], None]:
    def spoil(row: Json) -> None:
        codes = list(row["missing"].values()) if field == "missing" else [row["target"]]
        row["hero"]["inventory"] = dict.fromkeys(codes, 1)

    return spoil


def fed(row: Json) -> None:
    row["hero"]["consumables"] = {"consumable1": {"item": "cooked_chicken", "quantity": 50}}


def sells_what_is_missing(row: Json) -> None:
    row["knowledge"]["sold"] = [next(iter(row["missing"].values()))]


def noise_of_a_drop(row: Json) -> None:
    drop = load_world().monsters[row["knowledge"]["monsters"][0]].drops[0].item
    row["knowledge"]["noise"][0]["recipe"]["ingredients"] = {drop: 1}


def noise_twice(row: Json) -> None:
    row["knowledge"]["noise"] *= 2


def padded(row: Json) -> None:
    row["certificate"]["plan"] = "for _ in range(9):\n    fight('Nobody')\n" + row["certificate"]["plan"]
    row["certificate"]["actions"] += 9


@for_each(
    ("kind", "spoil", "fault"),
    [
        ("kill", given("missing"), "the hero starts with"),
        ("craft", given("target"), "the hero starts with"),
        ("kill", lambda row: row["hero"].update(level=1000), "beyond the highest, 40"),
        ("kill", fed, "the hero starts with cooked_chicken"),
        ("kill", told_less("stats"), "it does not tell the stats of"),
        ("kill", told_less("materials"), "it does not tell of"),
        ("kill", sells_what_is_missing, "it sells what the hero has to make or find"),
        ("kill", lambda row: row["mechanics"].update(exchange="world"), "the exchange sells more than the task tells"),
        ("kill", noise_of_a_drop, "can be made from what the task tells"),
        ("kill", noise_twice, "it tells the same noise item twice"),
        ("kill", lambda row: row["knowledge"]["noise"][0].update(type="banana"), "a type that the world does not have"),
        (
            "decoys",
            lambda row: row["knowledge"].update(level="exact"),
            "its knowledge level is exact, but it also tells of",
        ),
        ("kill", lambda row: row["knowledge"].update(level="decoys"), "it has no decoys for"),
        (
            "kill",
            lambda row: row["knowledge"].update(level="world"),
            "its knowledge level is world, but it does not tell of all monsters",
        ),
        (
            "craft",
            lambda row: row["certificate"].update(without={"helmet": 1.0}),
            "its certificate names fights with an item left out",
        ),
        ("kill", padded, "9 actions of the plan are refused"),
        ("kill", lambda row: row.update(certificate=None), "it has no certificate"),
        ("kill", lambda row: row.update(difficulty=row["difficulty"] + 1), "its difficulty is"),
        (
            "kill",
            lambda row: row["mechanics"].update(leveling=True),
            "it says that it needs leveling, but no skill or level has to be raised",
        ),
        (
            "leveling",
            lambda row: row["mechanics"].update(leveling=False),
            "a skill or a level has to be raised, but it does not say that it needs leveling",
        ),
        ("kill", makeable_noise, "can be made from what the task tells"),
        ("kill", plan(lambda text: text.rsplit("\n", 2)[0]), "the plan ends with outcome lose and score"),
        ("craft", plan(lambda text: text.rsplit("\n", 2)[0]), "the plan ends with outcome lose"),
        ("kill", plan(lambda text: text + "\n1 / 0"), "the plan does not finish"),
        ("kill", plan(lambda text: "while True: pass"), "the plan does not finish"),
        ("kill", plan(lambda text: "import os"), "the plan does not finish"),
        (
            "straight",
            plan(lambda text: f"turns = 1\n{text}"),
            "the plan does not finish: an assignment has no place here: a straight plan holds only calls",
        ),
        (
            "kill",
            plan(lambda text: text + '\nmove("Hero", 0, 0)'),
            "the plan uses what the task does not tell: the place (0, 0)",
        ),
        ("kill", figure("actions", 1), "actions, not"),
        ("kill", figure("lower_bound", -1), "the lower bound is"),
        ("searched", figure("lower_bound", -1), "the lower bound is"),
        ("searched", figure("lower_bound", 1), "the lower bound is"),
        ("searched", lambda row: row["certificate"].pop("proof"), "the lower bound is"),
        ("kill", lambda row: row["certificate"].update(scope="all_ways"), "proven for plans of full score only"),
        ("kill", figure("wins", -1), "the plan wins under 1 of 1 seeds, not 0 of 1"),
        ("stochastic", figure("wins", -1), "of 100 seeds, not"),
        ("stochastic", plan(lambda text: text.replace("while not", "if not")), "seeds are too few"),
        ("kill", told_less("recipes"), "the plan uses what the task does not tell: the recipe of"),
        ("kill", told_less("monsters"), "the plan uses what the task does not tell: the monster"),
        ("leveling", told_less("materials"), "the plan uses what the task does not tell: the node"),
        ("kill", told_less("places"), "the plan uses what the task does not tell: the place"),
        ("kill", one_missing_less, "the missing gear does not win"),
        ("kill", worn_already, "its difficulty is"),
        ("kill", healthier, "more health wins without the missing items in"),
        ("kill", sicker, "the missing gear does not win"),
        ("kill", lambda row: row.update(missing={}), "no gear is missing"),
        ("kill", other_figures_left_out, "with one missing item left out, the target keeps"),
    ],
)
def test_what_is_spoilt_is_named(
    kind: str, spoil: Callable[[Json], None], fault: str, classic: World, sandbox: Sandbox
) -> None:
    row = json.loads(task_line(kind))
    spoil(row)
    assert fault in found(row, classic, sandbox)


def test_the_older_proof_of_a_lower_bound_still_holds(classic: World, sandbox: Sandbox) -> None:
    """A certificate without a named proof claims what the counts prove, although the search would prove more."""
    row = json.loads(task_line("searched"))
    assert row["certificate"].pop("proof") == "search"
    task = Task.from_row(row)
    row["certificate"]["lower_bound"] = lower_bound(classic, task.rules(load_rules()), task)
    assert found(row, classic, sandbox) == ""


def test_many_tasks_are_looked_at_in_order(classic: World) -> None:
    good, bad = json.loads(task_line("kill")), json.loads(task_line("craft"))
    bad["certificate"]["actions"] += 1
    lines = [RowLine("", {**row, "id": str(number)}, ()) for number, row in enumerate([good, bad] * 5)]
    proofs = list(Local(2).results(TaskProofs(classic, load_rules()), lines))
    assert [proof["task_id"] for proof in proofs] == [line.row["id"] for line in lines]
    assert [bool(proof["faults"]) for proof in proofs] == [False, True] * 5
