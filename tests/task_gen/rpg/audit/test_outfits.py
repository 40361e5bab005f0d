from __future__ import annotations

from itertools import islice, pairwise, product

from herobench.suites.rpg.game.world import Item, World
from herobench.task_gen.rpg.audit.case import OpenSlot
from herobench.task_gen.rpg.audit.trials import loadouts
from herobench.task_gen.rpg.knowledge.noise import power
from tests.task_gen.rpg.audit.cases import ALL, armed, case


def worth(world: World, loadout: dict[str, str]) -> int:
    return sum(power(world.items[code]) for code in loadout.values())


def test_all_sets_come_once_and_the_highest_sum_comes_first(tiny: World) -> None:
    slots = case(tiny, armed(tiny, **ALL)).full_slots
    found = [dict(loadout) for loadout in loadouts(slots, power)]
    sums = [worth(tiny, loadout) for loadout in found]
    assert sums == sorted(sums, reverse=True)
    alike = {tuple(sorted(loadout.values())) for loadout in found}
    every = {tuple(sorted(item.code for item in some)) for some in product(*(slot.either for slot in slots))}
    assert len(found) == len(alike)
    assert alike == every


def test_a_worn_piece_fills_one_slot_only_and_stays_where_it_is(tiny: World) -> None:
    worn, other = tiny.items["drake_charm"], tiny.items["pearl_charm"]
    slots = [OpenSlot("charm1", 0, (other,), None), OpenSlot("charm2", 1, (other,), worn)]
    found = [dict(loadout) for loadout in loadouts(slots, lambda item: item.code == "drake_charm")]
    assert found == [
        {"charm1": "pearl_charm", "charm2": "drake_charm"},
        {"charm1": "pearl_charm", "charm2": "pearl_charm"},
    ]


def test_the_order_is_that_of_the_worth_that_is_given(tiny: World) -> None:
    def weakest(item: Item) -> float:
        return -power(item)

    found = [dict(loadout) for loadout in islice(loadouts(case(tiny, armed(tiny, **ALL)).full_slots, weakest), 5)]
    assert found[0]["blade"] == "twig"
    assert all(worth(tiny, one) <= worth(tiny, other) for one, other in pairwise(found))


def test_without_open_slots_there_is_the_set_that_is_worn(tiny: World) -> None:
    assert list(loadouts([], power)) == [{}]
