"""Families: changes are data, each changes what it says, and rivals keep to one difference of a thing."""

from collections import Counter

from herobench.suites.discover.game.columns import DiscoverStyle
from herobench.suites.discover.game.families import (
    FAMILIES,
    RULES_ALONE,
    Change,
    apply,
    rivals,
    sites_in,
    with_kinds_placed,
)
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.prompts.telling import WORDS, opening
from herobench.suites.rpg.worlds.content import check_world, load_rules
from tests.sizes import for_each
from tests.suites.discover.mysteries import some, with_family

USED = ("kind", "count", "ingredient", "skill", "place", "drop", "first", "ward", "sets", "yield", "dry")


def test_the_set_has_changes_of_all_families() -> None:
    assert set(USED) == set(FAMILIES)
    assert all(with_family(family) for family in USED)


@for_each("family", USED)
def test_a_change_alters_its_documents_or_its_rules_and_nothing_else(family: str) -> None:
    mystery = with_family(family)
    change = next(each for each in mystery.changes if each.family == family)
    documents, rules = apply(mystery.documents, load_rules(), [change])
    touched = {name for name in documents if documents[name] != mystery.documents[name]}
    where = {
        "count": "items",
        "ingredient": "items",
        "skill": "items",
        "sets": "items",
        "place": "map",
        "yield": "resources",
    }
    assert touched == (set() if family in RULES_ALONE else {where.get(family, "monsters")})
    assert (rules != load_rules()) == (family in RULES_ALONE)
    assert check_world(with_kinds_placed(documents), "changed") == []


@for_each("mystery", some(6, 120))
def test_every_value_of_a_site_gives_another_world(mystery: Mystery) -> None:
    worlds = Counter()
    for site in mystery.sites:
        for rival in site.rivals:
            documents, rules = apply(mystery.documents, load_rules(), [rival])
            worlds[str(documents), str(rules)] += 1
    assert max(worlds.values()) == 1
    assert (str(mystery.documents), str(load_rules())) not in worlds


@for_each("mystery", some(6, 120))
def test_rivals_have_one_difference_of_a_thing_at_most(mystery: Mystery) -> None:
    things = {(site.family, site.subject): site.things for site in mystery.sites}
    found = list(rivals(mystery.sites, mystery.changes))
    assert len(set(found)) == len(found)
    assert frozenset(mystery.changes) not in found
    for changes in found:
        of = [thing for change in changes for thing in things[change[:2]]]
        assert len(of) == len(set(of))


def test_a_monster_is_of_a_kind_that_stands_nowhere_and_keeps_what_it_drops() -> None:
    mystery = with_family("kind")
    change = next(each for each in mystery.changes if each.family == "kind")
    told, true = mystery.told.world, mystery.true.world
    assert not told.places_of("monster", str(change.value))
    assert true.monsters[change.subject].stats == told.monsters[str(change.value)].stats
    assert true.monsters[change.subject].drops == told.monsters[change.subject].drops
    assert true.monsters[change.subject].stats != told.monsters[change.subject].stats


def test_what_two_monsters_drop_is_swapped_and_nothing_else_of_them() -> None:
    mystery = with_family("drop")
    swap = next(each for each in mystery.changes if each.family == "drop")
    one, other = swap.subject.split()
    told, true = mystery.told.world, mystery.with_changes({swap}).world
    assert (true.monsters[one].drops, true.monsters[other].drops) == (
        told.monsters[other].drops,
        told.monsters[one].drops,
    )
    assert told.monsters[one].drops != told.monsters[other].drops
    assert true.monsters[one].stats == told.monsters[one].stats
    assert true.places_of("monster", one) == told.places_of("monster", one)


def test_every_family_is_told_and_has_a_row_in_the_form() -> None:
    told = opening(some(1)[0], DiscoverStyle())
    assert all(f"- `{family}`: " in told and f"| `{family}` | " in WORDS.fill("form") for family in FAMILIES)


def test_the_order_of_changes_does_not_matter() -> None:
    mystery = with_family("ingredient")
    item, part = next(each.subject for each in mystery.changes if each.family == "ingredient").split()
    both = [*mystery.changes, Change("sets", "", 2)]
    assert apply(mystery.documents, load_rules(), both) == apply(mystery.documents, load_rules(), both[::-1])
    assert part in str(mystery.documents)
    assert item in str(mystery.documents)


def test_sites_are_read_from_the_told_world_alone() -> None:
    for mystery in some(4, 120):
        assert list(mystery.sites) == sites_in(*mystery.told)
