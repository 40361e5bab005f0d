"""Explorers: the loadouts that they try in fights, and what a fight is expected to leave possible."""

from collections import Counter
from dataclasses import replace

import pytest

from herobench.suites.discover.game.families import Change, apply
from herobench.suites.discover.game.mystery import Exploration, Mystery, shipped_mysteries
from herobench.suites.discover.making.explorers import SWINGS, Experimenter, fights_tell_apart, near_loadouts, put_on
from herobench.suites.discover.making.inquiry import Inquiry
from herobench.suites.rpg.game.events import OK
from tests.sizes import for_each, many, one_in
from tests.suites.discover.mysteries import some, with_family

SHORT = some(2, 20)


@for_each("found", SHORT)
def test_near_loadouts_differ_in_three_slots_at_most_and_may_leave_slots_empty(found: Mystery) -> None:
    loadouts, _ = near_loadouts(found)
    worn = found.task.hero.worn
    assert loadouts[0] == worn
    assert len({frozenset(loadout.items()) for loadout in loadouts}) == len(loadouts)
    assert {sum(worn.get(slot) != loadout.get(slot) for slot in found.told.world.slots) for loadout in loadouts} == {
        0,
        1,
        2,
        3,
    }
    assert min(map(len, loadouts)) == len(worn) - 3
    for loadout in loadouts[:: len(loadouts) // 20]:
        lab = Exploration(found.told, found.task)
        assert all(answer["status"] == OK for answer in lab.play(put_on(found, loadout)))
        assert dict(lab.game.hero.worn) == loadout


@pytest.mark.parametrize("found", one_in(2, SHORT))
def test_what_a_fight_leaves_possible_is_counted_as_its_answers_are(found: Mystery) -> None:
    loadouts, heroes = near_loadouts(found)
    inquiry, monster = Inquiry(found), found.task.target
    (place,) = found.told.world.places_of("monster", monster)
    ways = inquiry.fights.ways(monster)
    left = inquiry.left(monster, heroes)
    for at in range(0, len(loadouts), len(loadouts) // 3):
        calls = [*put_on(found, loadouts[at]), ("move", place), ("fight", ())]
        worlds = (found.with_changes({*setting, *([fact] if fact else [])}) for setting, fact in ways)
        answers = Counter(Exploration(world, found.task).play(calls)[-1]["fight"]["thirds_left"] for world in worlds)
        assert left[at] == pytest.approx(sum(count**2 for count in answers.values()) / len(ways))


def _found_alone(whole: Mystery, change: Change) -> bool:
    """Whether the experimenter finds a difference within the budget, if nothing else differs."""
    found = replace(whole, changes=(change,))
    lab = Exploration(found.true, found.task)
    inquiry = Experimenter(found, lambda call: lab.play([call])[0]).run()
    within = len(lab.events) <= found.budget.actions and lab.resets <= found.budget.resets
    return within and inquiry.belief(None) == {change}


@pytest.mark.parametrize("family", one_in(2, ["yield", "dry"]))
def test_the_experimenter_finds_all_that_nodes_may_give(family: str) -> None:
    whole = with_family("dry")
    sought = [change for site in whole.sites if site.family == family for change in site.rivals]
    assert sought
    assert all(_found_alone(whole, change) for change in sought)


@pytest.mark.slow
def test_the_experimenter_makes_gear_and_wins_fights_until_it_is_known_what_drops() -> None:
    found = shipped_mysteries()["discover-1-8"]
    lab = Exploration(found.true, found.task)
    inquiry = Experimenter(found, lambda call: lab.play([call])[0]).run()
    assert inquiry.drops.explanations() == [()]
    assert any(event.action.name == "craft" and event.ok for event in lab.events[-60:])


@pytest.mark.slow
def test_the_experimenter_finds_what_drops() -> None:
    found = [(each, change) for each in some(240, 60) for change in each.changes if change.family == "drop"]
    assert found
    assert all(_found_alone(*pair) for pair in found[: many(6, 2)])


def test_one_gathering_tells_what_a_swing_gives_and_when_nodes_dry_up() -> None:
    found = with_family("dry")
    place, _ = next(iter(found.told.world.standing("resource").items()))
    calls = [("move", place), ("gather", (SWINGS,))]
    ways = Inquiry(found).given
    answers = {str(Exploration(found.with_changes(way), found.task).play(calls)) for way in ways}
    assert len(answers) == len(ways) == 12


def test_victories_tell_what_drops_and_defeats_do_not() -> None:
    found = with_family("drop")
    (swap,) = (change for change in found.changes if change.family == "drop")
    one, other = swap.subject.split()
    drops = {code: {drop.item: drop.least for drop in found.true.world.monsters[code].drops} for code in (one, other)}
    inquiry = Inquiry(found)
    assert inquiry.drops.explanations()[0] == ()
    assert {one, other} <= {*inquiry.drops.telling()}
    (place,) = found.told.world.places_of("monster", one)
    inquiry.learn(("move", place), {"status": OK, "here": {"type": "monster", "code": one}})
    inquiry.learn(("fight", ()), {"status": OK, "fight": {"result": "lose", "thirds_left": 3, "drops": {}}})
    assert inquiry.drops.explanations()[0] == ()
    for monster in (one, other):
        inquiry.drops.learn(monster, drops[monster])
    assert inquiry.drops.explanations()[0] == (swap,)
    assert {one, other}.isdisjoint(inquiry.drops.telling())


def test_a_kind_with_the_numbers_of_a_monster_that_stands_somewhere_is_not_told_apart() -> None:
    found = SHORT[0]
    kind = next(each for each in found.sites if each.family == "kind")
    alike, _ = apply(found.documents, found.told.rules, [next(kind.rivals)])
    assert fights_tell_apart(found)
    assert not fights_tell_apart(replace(found, documents=alike, changes=()))
