"""Open brackets of a world: those that the generator makes tasks for."""

import pytest

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.generator import Generator
from herobench.task_gen.rpg.tasks.difficulty import bracket_of
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.worlds.oddity import OddityKind, Spots
from herobench.task_gen.rpg.worlds.survey import brackets_of, difficulties, holes, open_brackets
from tests.sizes import many
from tests.task_gen.rpg.changed import tiny_documents, with_more

rules = load_rules()


@pytest.mark.slow
def test_the_generator_makes_a_task_of_each_bracket_that_is_open(classic: World, tiny: World) -> None:
    for world, brackets in ((classic, tuple(range(1, 10))), (tiny, (1,))):
        assert open_brackets(world, rules) == brackets
        for bracket in brackets:
            task = Generator(world, rules, Spec(seed=5, brackets=(bracket,))).task(0)
            assert bracket_of(task.difficulty) == bracket


@pytest.mark.parametrize("bracket", range(2, 10))
def test_the_generator_makes_none_of_those_that_are_not(tiny: World, bracket: int) -> None:
    for seed in range(many(3, 1)):
        with pytest.raises(UsageError):
            Generator(tiny, rules, Spec(seed=seed, brackets=(bracket,))).task(0)


def test_a_world_without_tasks_is_told_so(tiny: World) -> None:
    content = tiny_documents()
    content["items"]["items"] = [{k: v for k, v in row.items() if k != "recipe"} for row in content["items"]["items"]]
    content["monsters"]["monsters"] = content["monsters"]["monsters"][2:]
    world = World.from_documents(content)
    assert open_brackets(world, rules) == ()
    (oddity,) = holes((), Spots(world, "w"))
    assert str(oddity) == (
        "w/world.json: $: no task can be made in this world; add a monster that gear beats, or items with recipes"
    )


def test_only_a_hole_between_brackets_is_odd(tiny: World) -> None:
    spots = Spots(tiny, "w")
    assert list(holes((1,), spots)) == list(holes((2, 3, 4), spots)) == []
    found = list(holes((1, 3, 5), spots))
    assert [oddity.kind for oddity in found] == [OddityKind.NO_TASKS] * 2
    assert "bracket 2" in found[0].what
    assert found[0].advice.endswith("from 13 to 22")


def test_the_difficulties_of_a_set_are_those_of_its_parts(tiny: World) -> None:
    gear = {"blade": "bar_sword", "charm1": "pearl_charm"}  # 6 and 4
    bits = difficulties(tiny, gear)
    assert [d for d in range(99) if bits >> d & 1] == [4 + 4, 4 + 6, 4 + 10]
    assert brackets_of(bits) == {1, 2}
    assert difficulties(tiny, {}) == 0


def test_each_bracket_is_a_step() -> None:
    steps: list[None] = []
    open_brackets(with_more(), rules, lambda: steps.append(None))
    assert len(steps) == 9
