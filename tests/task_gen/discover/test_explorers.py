"""Explorers: the outfits that they try in fights, and what a fight is expected to leave possible."""

from collections import Counter
from dataclasses import replace

import pytest

from herobench.suites.discover.game.exploration import Exploration
from herobench.suites.discover.game.families import changed
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.rpg.game.events import OK
from herobench.task_gen.discover.explorers import fights_tell_apart, near_outfits, put_on
from herobench.task_gen.discover.inquiry import Inquiry
from tests.suites.discover.mysteries import some

SHORT = some(2, 20)


@pytest.mark.parametrize("found", SHORT, ids=lambda each: each.id)
def test_near_outfits_differ_in_three_slots_at_most_and_may_leave_slots_empty(found: Mystery) -> None:
    outfits, _ = near_outfits(found)
    worn = found.task.hero.worn
    assert outfits[0] == worn
    assert len({frozenset(outfit.items()) for outfit in outfits}) == len(outfits)
    assert {sum(worn.get(slot) != outfit.get(slot) for slot in found.told.world.slots) for outfit in outfits} == {
        0,
        1,
        2,
        3,
    }
    assert min(map(len, outfits)) == len(worn) - 3
    for outfit in outfits[:: len(outfits) // 20]:
        lab = Exploration(found.told, found.task)
        assert all(answer["status"] == OK for answer in lab.play(put_on(found, outfit)))
        assert dict(lab.game.hero.worn) == outfit


@pytest.mark.parametrize("found", SHORT, ids=lambda each: each.id)
def test_what_a_fight_leaves_possible_is_counted_as_its_answers_are(found: Mystery) -> None:
    outfits, heroes = near_outfits(found)
    inquiry, monster = Inquiry(found), found.task.target
    (place,) = found.told.world.places_of("monster", monster)
    ways = inquiry.fights.ways(monster)
    left = inquiry.left(monster, heroes)
    for at in range(0, len(outfits), len(outfits) // 3):
        calls = [*put_on(found, outfits[at]), ("move", place), ("fight", ())]
        worlds = (found.with_changes({*setting, *([fact] if fact else [])}) for setting, fact in ways)
        answers = Counter(Exploration(world, found.task).play(calls)[-1]["fight"]["thirds_left"] for world in worlds)
        assert left[at] == pytest.approx(sum(count**2 for count in answers.values()) / len(ways))


def test_a_kind_with_the_numbers_of_a_monster_that_stands_somewhere_is_not_told_apart() -> None:
    found = SHORT[0]
    kind = next(each for each in found.sites if each.family == "kind")
    alike, _ = changed(found.documents, found.told.rules, [next(kind.rivals)])
    assert fights_tell_apart(found)
    assert not fights_tell_apart(replace(found, documents=alike, changes=()))
