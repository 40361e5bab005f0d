"""Tasks with closed places: solvable and impossible ones in pairs, alike but for the proof."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import Fault
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.events import Refusal
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import extract_code, judge
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.families import FAMILIES
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.workshop import Case
from herobench.task_gen.rpg.datasheet import datasheet
from herobench.task_gen.rpg.players import build_player
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.proven_tasks import rehearse
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.twins import originals
from herobench.task_gen.rpg.unsolvable.closing import Closing, Planned, closings, plan_task, smallest_part
from herobench.task_gen.rpg.unsolvable.reach import HeroReach
from herobench.task_gen.rpg.validation import faults
from tests.refusals import raises
from tests.sizes import for_each

RULES = load_rules()
BRACKETS = (2, 4)
SPEC = Spec(seed=5, brackets=BRACKETS, knowledge="world", plan="straight")


@pytest.fixture(scope="module")
def pairs(classic: World) -> list[tuple[Task, Task]]:
    """Each task as a solvable and as an impossible one."""
    makers = [Generator(classic, RULES, replace(SPEC, unsolvable=share)) for share in (0.0, 1.0)]
    return [(makers[0].task(index), makers[1].task(index)) for index in range(len(BRACKETS))]


def signature(world: World, task: Task) -> list[str]:
    return sorted(content.type for place in task.mechanics.closed if (content := world.tiles[place].content))


def test_a_pair_differs_in_nothing_but_which_places_are_closed(classic: World, pairs: list[tuple[Task, Task]]) -> None:
    for solvable, impossible in pairs:
        assert solvable.mechanics.closed != impossible.mechanics.closed
        mechanics = replace(solvable.mechanics, closed=impossible.mechanics.closed)
        proofs = {"certificate": None, "impossible": impossible.impossible}
        assert replace(solvable, mechanics=mechanics, **proofs) == impossible  # type: ignore[arg-type]
        assert signature(classic, solvable) == signature(classic, impossible)
        assert len(render_prompt(classic, solvable, RULES)) == len(render_prompt(classic, impossible, RULES))


def test_the_oracle_wins_both_and_the_proofs_hold(classic: World, pairs: list[tuple[Task, Task]]) -> None:
    import asyncio

    from herobench.conversation import Request

    with Sandbox(classic, RULES) as sandbox:
        for task in (task for pair in pairs for task in pair):
            assert faults(classic, RULES, task, sandbox.execute) == []
            model = build_player("oracle", classic, RULES, {task.id: task})
            reply = asyncio.run(model.reply(Request(task.id, 0, [])))
            plan = extract_code(reply.text)
            assert plan is not None
            assert ("give_up" in plan) == (task.impossible is not None)
            result = judge(classic, task, RULES, sandbox.execute(task, plan))
            assert (result.score.outcome, result.score.score) == ("win", 100)


def test_a_pair_differs_in_one_thing_of_a_kind(classic: World, pairs: list[tuple[Task, Task]]) -> None:
    for pair in pairs:
        solvable, impossible = ({classic.tiles[place].content for place in task.mechanics.closed} for task in pair)
        (one,), (other,) = impossible - solvable, solvable - impossible
        assert one is not None
        assert other is not None
        assert one.type == other.type


def of_one_fight(world: World) -> list[Planned]:
    """Some solvable tasks against one monster, with heroes of one level."""
    maker = Generator(world, RULES, replace(SPEC, steps=(38,), kind="kill", monster="lich", level=35))
    plain = [maker.task(index) for index in range(6)]
    return [plan_task(world, task.rules(RULES), task, rehearse(world, RULES, task).game.events) for task in plain]


def test_two_tasks_close_each_others_things(classic: World) -> None:
    """Each thing is fatal in one of the two and harmless in the other, so that neither tells what the task is."""
    found = [closings(classic, one, other, Random(1)) for one, other in combinations(of_one_fight(classic), 2)]
    pairs = [pair for pair in found if pair]
    assert len(pairs) > 2
    for first, second in pairs:
        fatal = [set(each.fatal) - set(each.harmless) for each in (first, second)]
        harmless = [set(each.harmless) - set(each.fatal) for each in (first, second)]
        assert fatal == harmless[::-1]
        assert fatal[0]
        assert fatal[0].isdisjoint(fatal[1])


def test_all_that_neither_plan_goes_to_is_closed_in_both_tasks(classic: World) -> None:
    for one, other in combinations(of_one_fight(classic), 2):
        pair = closings(classic, one, other, Random(1))
        idle = set(one.idle) & set(other.idle)
        for closing, plan in zip(pair or (), (one, other), strict=bool(pair)):
            fatal, harmless = (
                {classic.tiles[place].content for place in closed} for closed in (closing.fatal, closing.harmless)
            )
            assert idle <= fatal & harmless
            assert harmless <= set(plan.idle), "the known plan goes to none of it"
            # Of what only the other plan goes to, no more is closed than it takes.
            for thing in (fatal & harmless) - idle:
                assert not plan.is_fatal(classic, [other for other in fatal if other and other != thing])


def test_two_tasks_that_can_do_without_their_things_are_no_pair(classic: World) -> None:
    one, *_ = of_one_fight(classic)
    assert closings(classic, one, one, Random(1)) is None


def test_a_pair_is_of_one_fight_and_crafts_are_never_asked(classic: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Task, Task]] = []

    def seen(world: World, one: Planned, other: Planned, rng: Random) -> tuple[Closing, Closing] | None:
        asked.append((one.task, other.task))
        return closings(world, one, other, rng)

    monkeypatch.setattr("herobench.task_gen.rpg.unsolvable.closing.closings", seen)
    maker = Generator(classic, RULES, replace(SPEC, brackets=(2,), kind="mixed", craft_share=1, unsolvable=0.5))
    for index in range(4):
        assert maker.task(index).kind == "kill"
    assert asked
    for one, other in asked:
        assert (one.target, one.hero.combat, one.difficulty) == (other.target, other.hero.combat, other.difficulty)


def test_without_the_one_thing_nothing_is_proven(classic: World, pairs: list[tuple[Task, Task]]) -> None:
    for solvable, impossible in pairs:
        horizon = HeroReach(classic, impossible.rules(RULES), impossible)
        assert horizon.reach(impossible.mechanics.closed)
        assert horizon.reach(solvable.mechanics.closed) is None
        assert horizon.reach(set(solvable.mechanics.closed) & set(impossible.mechanics.closed)) is None


def test_a_solvable_task_with_the_proof_of_another_does_not_hold(
    classic: World, pairs: list[tuple[Task, Task]]
) -> None:
    with Sandbox(classic, RULES) as sandbox:
        for solvable, impossible in pairs[:1]:
            wrong = replace(solvable, certificate=None, impossible=impossible.impossible)
            assert faults(classic, RULES, wrong, sandbox.execute)


@pytest.mark.slow
def test_of_the_families_of_the_audit_only_a_refusal_wins_an_impossible_task(
    classic: World, pairs: list[tuple[Task, Task]]
) -> None:
    found = audit(classic, RULES, [task for pair in pairs for task in pair])
    assert schema_problems(found, "audit", "audit") == []
    won: dict[str, set[str]] = {"solvable": set(), "impossible": set()}
    for row in found["rows"]:
        if row["wins"]:
            assert (row["wins"], row["score"]) == (row["tasks"], 100) or row["family"] != "refuser"
            won[row["closed"]].add(row["family"])
    assert won["impossible"] == {"refuser"}
    assert won["solvable"]
    assert "refuser" not in won["solvable"]


@for_each("name", FAMILIES)
def test_a_family_of_the_audit_goes_to_no_closed_place_and_needs_no_proof(
    classic: World, pairs: list[tuple[Task, Task]], name: str
) -> None:
    def journey(task: Task) -> Journey:
        return FAMILIES[name].play(Case(classic, RULES, task))

    solvable, impossible = pairs[0]
    found = [journey(task) for task in (impossible, solvable)]
    refusals = {event.refusal for each in found for event in each.game.events}
    assert Refusal.CLOSED not in refusals
    assert found[0].plan == journey(replace(impossible, impossible=None)).plan


def test_a_datasheet_counts_them_and_says_nothing_where_no_place_is_closed(
    classic: World, pairs: list[tuple[Task, Task]]
) -> None:
    sheet = datasheet(classic, RULES, [task for pair in pairs for task in pair], lambda _: "")
    assert sheet["solvable"] == {"no": 2, "yes": 2}
    plain = replace(pairs[0][0], mechanics=replace(pairs[0][0].mechanics, closed=()))
    assert not {"solvable", "closed_places"} & datasheet(classic, RULES, [plain], lambda _: "").keys()


def test_twins_are_of_the_same_kind(pairs: list[tuple[Task, Task]]) -> None:
    for solvable, impossible in pairs:
        assert [original.spec.unsolvable for original in originals([solvable, impossible], 0)] == [0.0, 1.0]


@for_each(("share", "count"), [(0.0, 0), (0.5, 100), (0.33, 66), (0.01, 2), (1.0, 200)])
def test_the_share_is_kept_and_does_not_follow_the_numbers(share: float, count: int) -> None:
    spec = replace(SPEC, unsolvable=share)
    chosen = [index for index in range(200) if spec.is_impossible(index)]
    assert len(chosen) == count
    if share == 0.5:
        assert 30 < sum(index % 2 for index in chosen) < 70
        assert chosen == [index for index in range(200) if replace(spec, plan="program").is_impossible(index)]


@for_each(
    ("options", "fault"),
    [
        ({"unsolvable": 1.5}, TaskFault.BAD_SHARE),
        ({"unsolvable": 0.5, "knowledge": "exact"}, TaskFault.IMPOSSIBLE_AND_NEEDED),
        ({"unsolvable": 0.5, "kind": "craft"}, TaskFault.IMPOSSIBLE_CRAFT),
    ],
)
def test_options_that_cannot_be_are_refused(classic: World, options: dict[str, object], fault: Fault) -> None:
    with raises(fault):
        Generator(classic, RULES, replace(SPEC, **options))  # type: ignore[arg-type]


def test_the_share_changes_no_seed(classic: World) -> None:
    assert SPEC.rng(classic, 3).random() == replace(SPEC, unsolvable=0.5).rng(classic, 3).random()


@for_each("seed", range(30))
def test_a_smallest_part_is_fatal_and_each_of_it_is_needed(seed: int) -> None:
    from herobench.suites.rpg.game.world import Content

    chance = Random(seed)
    pool = [Content("monster", str(number)) for number in range(chance.randint(1, 20))]
    cores = [set(chance.sample(pool, chance.randint(1, len(pool)))) for _ in range(3)]

    def is_fatal(closed: object) -> bool:
        return any(core <= set(closed) for core in cores)  # type: ignore[call-overload]

    part = smallest_part(is_fatal, pool)
    assert is_fatal(part)
    assert not any(is_fatal([other for other in part if other != each]) for each in part)
