"""Random tasks over all options, in both worlds: the claims of their certificates are true.

The plan runs in the real sandbox, and the need for gear is decided by the duel alone, for the hero as he was before
his last fight. HEROBENCH_TASKS sets the number of tasks.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row
from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.combat import duel
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import Result, judge
from herobench.suites.rpg.worlds.task_file import task_problems
from herobench.task_gen.rpg.oracle.lower_bound import lower_bound
from herobench.task_gen.rpg.oracle.search_bound import search_bound
from herobench.task_gen.rpg.tasks.difficulty import bracket_of, total_difficulty
from herobench.task_gen.rpg.tasks.spec import Spec
from tests.sizes import many
from tests.task_gen.rpg.made import generator, left_out, proof, rules, world_of

TASKS = int(os.environ.get("HEROBENCH_TASKS", many(150, 24)))
PARTS = many(10, 3)
"""The tasks are shared out among so many tests."""
WEAK, MIDDLING = 10, 20
"""Below these levels of a monster there are no tasks beyond the first bracket, or the third."""


class Request(NamedTuple):
    """A random spec, its world, and the number of the task."""

    world: World
    spec: Spec
    index: int


def request_by_chance(seed: int) -> Request:
    chance = Random(seed)
    world = world_of("tiny" if chance.random() < 0.15 else "classic")
    asked: dict[str, Any] = {
        "seed": chance.getrandbits(32),
        "brackets": (1,) if world.code == "tiny" else tuple(chance.sample(range(1, 10), chance.randint(1, 9))),
        "kind": chance.choice(["mixed", "mixed", "kill"]),
        "craft_share": chance.choice([0.0, 1 / 3, 1.0]),
        "knowledge": chance.choice(["exact", "decoys", "world"]),
        "leveling": chance.random() < 0.3,
        "stochastic": chance.random() < 0.15,
        "noise": chance.choice([0, 0, 1, 5, 12]),
    }
    if chance.random() < 0.1:
        asked |= {"kind": "craft", "brackets": (1,)}
    elif world.code == "classic" and chance.random() < 0.3:
        monster = chance.choice(list(world.monsters.values()))
        most = 1 if monster.level < WEAK else 3 if monster.level < MIDDLING else 5
        least = 2 if most > 1 and asked["knowledge"] == "decoys" else 1
        asked |= {"monster": monster.code, "brackets": (chance.randint(least, most),)}
        if most == 1:
            asked["knowledge"] = "exact"  # such small tasks are hard to hide
    elif world.code == "classic" and chance.random() < 0.2:
        asked |= {"steps": tuple(chance.sample(range(5, 98), 3))}
    if chance.random() < 0.1:
        asked |= {"level": chance.choice([20, 30, 40])}
    return Request(world, Spec(**asked), chance.choice([0, 1, 7, 10**6]))


def requests(part: int) -> Iterator[Request]:
    return map(request_by_chance, range(part, TASKS, PARTS))


def test_the_requests_are_of_all_kinds() -> None:
    specs = [request_by_chance(seed).spec for seed in range(300)]
    assert {spec.knowledge for spec in specs} == {"exact", "decoys", "world"}
    assert {(spec.leveling, spec.stochastic, bool(spec.noise)) for spec in specs} >= {
        (leveling, chance, noise) for leveling in (True, False) for chance in (True, False) for noise in (True, False)
    }


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[Mapping[str, Sandbox]]:
    """Return a sandbox per world."""
    with Sandbox(world_of("tiny"), rules) as tiny, Sandbox(world_of("classic"), rules) as classic:
        yield {"tiny": tiny, "classic": classic}


@pytest.mark.parametrize("part", range(PARTS))
def test_every_certificate_holds(part: int, sandboxes: Mapping[str, Sandbox]) -> None:
    refused = 0
    for world, spec, index in requests(part):
        try:
            task = generator(world, spec).task(index)
        except UsageError as error:
            refused += 1
            assert_is_a_sentence(str(error))
            continue
        assert_is_as_asked_for(world, spec, task)
        assert_holds(world, task, sandboxes[world.code])
    assert refused <= len(range(part, TASKS, PARTS)) // 4


def assert_is_a_sentence(text: str) -> None:
    assert text.endswith(".")
    assert "\n" not in text


def assert_is_as_asked_for(world: World, spec: Spec, task: Task) -> None:
    assert task.difficulty == total_difficulty(world, task)
    assert task.difficulty in spec.steps if spec.steps else bracket_of(task.difficulty) in spec.brackets
    assert spec.kind in ("mixed", task.kind)
    assert spec.monster in (None, task.target)
    assert spec.level in (None, task.hero.combat[0])
    assert task.mechanics.leveling == spec.leveling
    assert (task.mechanics.drop_scale is not None) == spec.stochastic
    assert task.knowledge.level == spec.knowledge
    assert len(task.knowledge.noise) == spec.noise
    row = task.as_row()
    assert list(schema_problems(row, "task", "task")) == []
    assert list(task_problems(row, world, "task")) == []
    assert Task.from_row(row) == task
    assert dump_row(Task.from_row(row).as_row()) == dump_row(row)


def assert_holds(world: World, task: Task, sandbox: Sandbox) -> None:
    told = proof(task)
    result = judge(world, task, rules, sandbox.execute(task, told.plan))
    assert result.episode.finished, (task.id, result.episode.ending)
    assert (result.score.outcome, result.score.score) == ("win", 100), task.id
    assert len(result.episode.events) == told.actions, task.id
    assert [event for event in result.episode.events if not event.ok] == [], task.id
    assert result.score.defeats == 0, task.id
    counted = lower_bound(world, task.rules(rules), task)
    assert told.lower_bound == search_bound(world, task.rules(rules), task, told.actions), task.id
    assert (told.proof == "search") == (told.lower_bound > counted), task.id
    assert told.lower_bound <= told.actions, task.id
    assert (told.seeds, told.wins >= 99) == (100, True) if task.mechanics.drop_scale else (1, False), task.id
    assert told.without.keys() == task.missing.keys(), task.id
    if task.kind == "kill":
        assert_needs_everything(world, task, result)


def assert_needs_everything(world: World, task: Task, result: Result) -> None:
    *before, last = result.episode.events
    assert isinstance(last.detail, Fought)
    assert (last.detail.monster, last.detail.won) == (task.target, True)
    game = Game(world, task.rules(rules), task.hero, task.seed)
    for event in before:
        game.act(event.action)
    assert not Counter(task.missing.values()) - Counter(game.hero.worn.values()), task.id
    for slot in task.missing:
        fight = duel(left_out(world, task, game, slot).fighter(), world.monsters[task.target].stats, rules.rounds)
        assert not fight.won, (task.id, slot)
        assert fight.monster_hp == proof(task).without[slot], (task.id, slot)
