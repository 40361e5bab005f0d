from __future__ import annotations

from dataclasses import replace

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.sums import PublicTasks, looked_up, nearest_gear
from tests.builders import hero_row
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, told

GEAR = {"blade": "bar_sword", "coat": "fur_coat"}


def public(tiny: World, **changes: object) -> Task:
    """Return another task whose certificate shows what beats the drake."""
    return replace(armed(tiny, **WINNING), id="public", missing=GEAR, **changes)  # type: ignore[arg-type]


def test_what_beat_the_monster_in_another_task_is_worn_again(tiny: World) -> None:
    task = armed(tiny, **ALL)
    fights = PublicTasks([(tiny, task), (tiny, public(tiny))]).beside(task)
    gear, is_whole = looked_up(case(tiny, task), fights)
    assert ({slot: item.code for slot, item in gear.items()}, is_whole) == (GEAR, True)


def test_a_task_does_not_look_up_its_own_certificate(tiny: World) -> None:
    own = replace(armed(tiny, **WINNING), missing=GEAR)
    assert PublicTasks([(tiny, own)]).beside(own) == []
    assert looked_up(case(tiny, own), []) == ({}, False)


def test_a_loadout_that_cannot_be_had_whole_gives_the_pieces_that_can(tiny: World) -> None:
    task = armed(tiny, recipes=["bar", "bar_sword", "club", "brick"], materials=["ore", "clay", "twig"])
    gear, is_whole = looked_up(case(tiny, task), PublicTasks([(tiny, public(tiny))]).beside(task))
    assert ({slot: item.code for slot, item in gear.items()}, is_whole) == ({"blade": "bar_sword"}, False)


def test_another_monster_and_another_world_teach_nothing(tiny: World) -> None:
    task = armed(tiny, **ALL)
    others = [(tiny, public(tiny, target="rat")), (tiny, public(tiny, world="another"))]
    assert looked_up(case(tiny, task), PublicTasks(others).beside(task)) == ({}, False)


def test_a_task_that_no_plan_wins_has_no_fights(tiny: World) -> None:
    task = armed(tiny, **ALL)
    nobody = public(tiny, impossible=object())
    assert PublicTasks([(tiny, nobody)]).beside(task) == []


def test_the_nearest_monster_lends_its_loadout_whatever_the_elements_are_called(tiny: World) -> None:
    task = told(tiny, hero_row(), recipes=["brick", "club", "bar", "bar_sword"], materials=["clay", "ore", "twig"])
    (fight,) = PublicTasks([(tiny, public(tiny))]).beside(task)
    turned = fight._replace(
        world="another",
        foe=_turned(fight.foe),
        loadout=tuple((slot, f"other {code}", _turned(stats)) for slot, code, stats in fight.loadout),
    )
    for known in (fight, turned):
        assert {slot: item.code for slot, item in nearest_gear(case(tiny, task), [known]).items()} == {
            "blade": "bar_sword"
        }
    assert nearest_gear(case(tiny, task), []) == {}


def _turned(stats):  # type: ignore[no-untyped-def]
    """Return stats with the elements in the opposite order."""
    return stats._replace(**{name: getattr(stats, name)[::-1] for name in ("attack", "damage", "resistance")})
