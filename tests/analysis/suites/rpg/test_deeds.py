"""What a plan did in all, gathered from its events."""

from typing import Any

from herobench.analysis.suites.rpg.deeds import Deeds
from herobench.suites.rpg.game.episode import Episode, read_repeats, write_trace
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task, hero_row
from tests.plays import ARMED, WINNING, drake_task, played
from tests.sizes import for_each

MADE = "move 0 1; gather 6; move 2 1; craft brick 2; unequip blade; craft club 1"


def play_deeds(world: World, play: str, task: Task | None = None) -> tuple[Deeds, Episode]:
    task = task or drake_task(world)
    episode = played(world, task, play)
    row = scored_row(world, task, load_rules(), judge(world, task, load_rules(), episode))
    return Deeds.of(row, list(read_repeats(row["events"]))), episode


def made_good(world: World, play: str, **changes: Any) -> list[bool]:
    """For every action that was refused, or fight that was lost, whether it was made good."""
    deeds, episode = play_deeds(world, play, drake_task(world, **changes))
    return [
        deeds.made_good(event, number)
        for number, (event, times) in enumerate(read_repeats(write_trace(episode.events)))
        if not event.ok or not getattr(event.detail, "won", True)
        for _ in range(times)
    ]


def test_what_was_come_by_is_had_from_the_line_that_first_brought_it(tiny: World) -> None:
    deeds, _ = play_deeds(tiny, f"{WINNING}; move 0 2; buy salt 3; buy salt 2; move 1 0; fight")
    assert deeds.had == {
        "fur": 2, "ore": 8, "bar": 10, "bar_sword": 11, "fur_coat": 12, "scale": 17, "drake_charm": 17, "salt": 19,
    }  # fmt: skip
    assert deeds.pieces["salt"] == 5
    assert deeds.pieces["fur"] == 6, "what was used up was had all the same"
    assert deeds.last_line == 22


def test_what_was_refused_brings_nothing(tiny: World) -> None:
    deeds, _ = play_deeds(tiny, "craft bar 1; buy salt 1; gather 1; fight; equip coat fur_coat")
    assert (deeds.had, deeds.worn, deeds.target_fights, deeds.last_line) == ({}, {}, [], 5)


def test_what_was_ever_put_on_is_kept_by_slot(tiny: World) -> None:
    deeds, _ = play_deeds(tiny, f"{ARMED}; unequip blade; equip blade twig; unequip coat")
    assert deeds.worn == {"blade": {"bar_sword", "twig"}, "coat": {"fur_coat"}}


def test_other_gear_is_what_the_task_does_not_take(tiny: World) -> None:
    deeds, _ = play_deeds(tiny, ARMED)
    assert (deeds.other_made, deeds.other_worn) == ({}, {})
    deeds, _ = play_deeds(tiny, f"{MADE}; equip blade club; unequip blade; equip blade club")
    assert deeds.other_made == {"brick": 4, "club": 6}
    assert deeds.other_worn == {"club": 7}


def test_a_craft_task_takes_its_target_and_its_ingredients(tiny: World) -> None:
    deeds, _ = play_deeds(tiny, MADE, craft_task(tiny, "club", hero=hero_row(worn={"blade": "twig"})))
    assert deeds.other_made == {}
    assert deeds.target_made
    assert not play_deeds(tiny, MADE, craft_task(tiny, "bar"))[0].target_made


def test_a_lost_fight_against_the_target_is_kept_with_what_was_on(tiny: World) -> None:
    hunt = "move 2 0; fight"
    rich = hero_row(stats={"hp": 20}, inventory={"bar_sword": 1, "fur_coat": 1})
    play = f"{hunt}; equip blade bar_sword; {hunt}; equip coat fur_coat; {hunt}; unequip blade; {hunt}; move 1 0; fight"
    deeds, _ = play_deeds(tiny, play, drake_task(tiny, hero=rich))
    assert deeds.target_fights == [(2, False), (5, False), (8, True), (11, False)]


@for_each(
    ("play", "good"),
    [
        ("craft fur_coat 1", [False]),
        (f"craft fur_coat 1; {ARMED}", [True]),
        (f"{ARMED}; craft fur_coat 1", [False]),
        (f"craft fur_coat 1; craft club 1; {ARMED}", [True, False]),
        ("equip charm1 club; equip hat club", [False, False]),
        (f"equip coat bar_sword; {ARMED}", [True]),
        (f"{ARMED}; equip coat fur_coat; equip blade twig", [True, False]),
        ("unequip coat", [False]),
        (f"unequip coat; unequip charm1; {ARMED}", [True, False]),
        ("move 0 0; move 0 0", [True, True]),
        ("move 9 9; move 1 0", [True]),
        ("move 9 9; move 0 0", [True, True]),
        ("move 9 9; unequip blade; move 1 0", [False]),
        ("move 9 9; move a b", [False, False]),
        ("gather 8; move 0 1; gather 8", [False]),
        ("gather 8; move 1 1; gather 8", [False]),
        ("gather 8; move 1 1; gather 8; move 1 0; fight", [True]),
        ("fight; move 1 1; gather 8; move 1 0; fight", [True]),
        ("fight; move 1 0; fight", [False]),
        ("move 1 1; gather 8; move 1 0; fight; move 0 0; fight", [False]),
        ("move 3 0; fight; move 1 0; fight; move 1 1; gather 1", [False]),
        ("fight name=Villain; fight", [False, False]),
    ],
)
def test_what_failed_is_made_good_by_doing_it_later(tiny: World, play: str, good: list[bool]) -> None:
    assert made_good(tiny, play) == good


def test_to_have_a_thing_makes_good_that_it_could_not_be_bought_or_made(tiny: World) -> None:
    assert made_good(tiny, "buy fur 1; move 0 1; move 1 0; fight") == [True]
    assert made_good(tiny, "craft twig 1; move 0 2; buy twig 1") == [True]


def test_a_lost_hunt_is_made_good_by_beating_the_same_monster(tiny: World) -> None:
    assert made_good(tiny, "unequip blade; move 1 0; fight; equip blade twig; move 1 0; fight") == [True]
    assert made_good(tiny, "move 3 0; fight; move 1 0; fight; move 1 1; gather 8") == [False]


def test_a_long_walk_is_gone_through_once(tiny: World) -> None:
    deeds, episode = play_deeds(tiny, "; ".join(["move 1 0; move 0 0"] * 5000))
    assert all(deeds.made_good(event, number) for number, event in enumerate(episode.events))
