from dataclasses import replace

import pytest

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.task import DefeatRule, Task, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.spec import Spec, with_budget
from herobench.task_gen.rpg.twins import Original, content_digest, fresh_twins, originals, profile, twin
from herobench.task_gen.rpg.validation import faults
from tests.refusals import raises
from tests.sizes import for_each, many

SPECS = [
    Spec(seed=4, brackets=(1, 2, 4)),
    Spec(seed=4, brackets=(9,), noise=3),
    Spec(seed=4, brackets=(8,), leveling=True, kind="kill"),
    Spec(seed=4, brackets=(5,), knowledge="decoys"),
    Spec(seed=4, brackets=(3,), stochastic=True),
    Spec(seed=4, brackets=(2,), plan="straight"),
]


@pytest.fixture(scope="module")
def tasks(classic: World) -> list[Task]:
    return [Generator(classic, load_rules(), spec).task(index) for spec in SPECS for index in range(many(4, 1))]


def make_twins(world: World, tasks: list[Task], seed: int = 9) -> list[Task]:
    return [twin(world, load_rules(), original) for original in originals(tasks, seed)]


@pytest.fixture(scope="module")
def twins(classic: World, tasks: list[Task]) -> list[Task]:
    return make_twins(classic, tasks)


def test_a_twin_has_the_profile_of_its_original_and_says_whose_it_is(tasks: list[Task], twins: list[Task]) -> None:
    assert [one.twin_of for one in twins] == [task.id for task in tasks]
    assert [profile(one, 0) for one in twins] == [profile(task, 0) for task in tasks]
    assert len({one.id for one in twins}) == len(tasks)
    assert [one.id.partition("/")[0] for one in twins] == [str(to_bracket(task.difficulty)) for task in tasks]


def test_twins_are_other_tasks_than_their_originals_and_than_each_other(tasks: list[Task], twins: list[Task]) -> None:
    plain = [replace(task, id="", twin_of=None, seed=0) for task in (*tasks, *twins)]
    assert len({str(task.as_row()) for task in plain}) == len(plain)


def test_tasks_of_one_profile_have_different_twins(classic: World, tasks: list[Task]) -> None:
    again = [replace(tasks[0], id=f"1/{number}") for number in range(6)]
    found = make_twins(classic, again)
    assert len({str(replace(task, id="", twin_of=None).as_row()) for task in found}) == 6


@pytest.mark.slow
def test_a_twin_is_proven_like_any_task(classic: World, twins: list[Task]) -> None:
    with Sandbox(classic, load_rules()) as sandbox:
        for one in twins:
            assert faults(classic, load_rules(), one, sandbox.execute) == []


def test_a_twin_survives_its_file(tasks: list[Task], twins: list[Task]) -> None:
    one = twins[0]
    assert Task.from_row(one.as_row()) == one
    assert "twin_of" not in tasks[0].as_row(), "the bytes of tasks that are no twins stay what they were"


def test_where_a_world_lacks_a_difficulty_the_nearest_of_the_bracket_serves(tiny: World, tasks: list[Task]) -> None:
    wanted = Original("1/1_x", Spec(brackets=(), steps=(12,), kind="kill"), 0, 1)
    found = twin(tiny, load_rules(), wanted)
    assert found.difficulty < 12
    assert to_bracket(found.difficulty) == 1
    for step in range(found.difficulty + 1, 13):
        with pytest.raises(UsageError):
            Generator(tiny, load_rules(), Spec(brackets=(), steps=(step,), kind="kill")).task(0)


def test_where_a_world_lacks_the_bracket_the_task_without_a_twin_is_named(tiny: World) -> None:
    wanted = Original("9/1_Lich_kill", Spec(brackets=(), steps=(90,), kind="kill"), 0, 1)
    with raises(TaskFault.NO_TWIN, "'9/1_Lich_kill'", "'tiny'"):
        twin(tiny, load_rules(), wanted)


@for_each("rule", ["counted", "final"])
def test_a_twin_keeps_what_a_defeat_costs(classic: World, tasks: list[Task], rule: DefeatRule) -> None:
    assert profile(tasks[0], 0).defeat is None
    original = replace(tasks[0], mechanics=replace(tasks[0].mechanics, defeat=rule))
    (one,) = make_twins(classic, [original])
    assert one.mechanics.defeat == rule


def test_a_twin_has_the_budget_that_its_own_bound_gives(classic: World, tasks: list[Task]) -> None:
    original = with_budget(tasks[0], 1.5)
    (one,) = make_twins(classic, [original])
    assert profile(one, 0) == profile(original, 0)
    assert one == with_budget(one, 1.5)
    unknown = replace(original, mechanics=replace(original.mechanics, budget_factor=None))
    with raises(TaskFault.BUDGET_WITHOUT_FACTOR, unknown.id):
        profile(unknown, 0)


def test_drops_at_another_rate_have_no_twin(tasks: list[Task]) -> None:
    rare = replace(tasks[-1], mechanics=replace(tasks[-1].mechanics, drop_scale=2.0))
    with raises(TaskFault.DROPS_AT_SCALE, rare.id, "at 2 "):
        profile(rare, 0)


@pytest.mark.slow
def test_no_twin_is_its_original_again(classic: World, tasks: list[Task]) -> None:
    """Twins from the seed of their originals would otherwise be equal to them."""
    alike = [Generator(classic, load_rules(), profile(task, 9)).task(0) for task in tasks[: many(6, 3)]]
    alike = [replace(task, id=f"{task.id}/{number}") for number, task in enumerate(alike)]
    twins, notes = fresh_twins(classic, alike, [task.id for task in alike], 9, 1)
    originals_seen = {content_digest(task.as_row()) for task in alike}
    assert not {content_digest(one.as_row()) for one in twins.values()} & originals_seen
    assert (len(twins), notes) == (len(alike), [])


@pytest.mark.slow
def test_a_small_world_says_how_many_twins_moved_or_are_there_twice(tiny: World, tasks: list[Task]) -> None:
    """It has tasks of difficulty 11 only, and but two of them."""
    steps = (10, 12, *[11] * 3)
    wished = [replace(tasks[0], id=f"1/{n}", kind="kill", difficulty=step) for n, step in enumerate(steps)]
    twins, notes = fresh_twins(tiny, wished, [task.id for task in wished], 9, 1)
    copies = len(wished) - len({content_digest(one.as_row()) for one in twins.values()})
    assert copies > 0
    assert notes == [
        "2 twins have another difficulty in the same bracket: the world has none nearer.",
        f"{copies} twins equal an original or another twin: the world has no other tasks.",
    ]


def test_twins_of_tasks_that_sell_everything_say_that_they_may_be_harder(classic: World, tasks: list[Task]) -> None:
    selling = replace(tasks[0], mechanics=replace(tasks[0].mechanics, exchange="world"))
    note = "Some originals can buy everything at the exchange; their twins cannot, so they may be harder."
    both = [selling, tasks[1]]
    assert fresh_twins(classic, both, [selling.id], 9, 1)[1] == [note]
    assert fresh_twins(classic, both, [tasks[1].id], 9, 1)[1] == []


def test_the_twin_of_a_task_is_the_same_whichever_others_are_chosen(classic: World, tasks: list[Task]) -> None:
    ids = [task.id for task in tasks[:4]]
    together, notes = fresh_twins(classic, tasks, ids, 9, 1)
    assert ([task.twin_of for task in together.values()], notes) == (ids, [])
    (alone,) = fresh_twins(classic, tasks, ids[2:3], 9, 1)[0].values()
    assert list(together.values())[2] == alone
    (other,) = fresh_twins(classic, tasks, ids[2:3], 10, 1)[0].values()
    assert content_digest(other.as_row()) != content_digest(alone.as_row())
