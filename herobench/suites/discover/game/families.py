"""The families of changes: the ways in which a true world can differ from the told one. Changes are data.

A change is a value of a site. A site is one thing that can differ, such as what one monster is or who strikes first.
Its first value is the usual one; the others are its rivals. A change of a fact gives the world other documents,
and a change of a rule other `Rules` or other documents. Nothing in the game knows of families.

At most one site of each thing differs: of the recipe of an item, say, one at most. Players may rely on it, and it keeps
what has to be looked at together small.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, NamedTuple

from herobench.suites.rpg.game.rules import USUAL_WARD, Rules
from herobench.suites.rpg.game.world import Code, Documents, Item, World

Kind = Literal["fact", "rule"]
Value = int | str

_COUNTS = (-1, 1, 2, 3)
"""The differences that the number of an ingredient can have."""
_WARDS = (75, 50, 150)
_SETS = (2, 3)
_YIELDS = (1, 2, 3)
_DRY = (3, 4, 5)
SWAPPED, APART = "swapped", "as told"


class Change(NamedTuple):
    """A site with a value that is not its usual one."""

    family: str
    subject: str
    """The codes of what it is about, with spaces between them; empty for a rule."""
    value: Value

    @property
    def plain(self) -> tuple[str, str, str]:
        """The change so that equal ones are equal however they are written."""
        parts = self.subject.split()
        return self.family, " ".join(sorted(parts) if self.family in SWAPS else parts), str(self.value).strip()


@dataclass(frozen=True, slots=True)
class Site:
    """One thing that can differ, with its possible values, the usual one first."""

    family: str
    subject: str
    values: tuple[Value, ...]
    things: tuple[str, ...]
    """The things of which at most one site differs."""

    @property
    def rivals(self) -> Iterator[Change]:
        """Yield the changes that are possible here."""
        return (Change(self.family, self.subject, value) for value in self.values[1:])


class ChangeFamily(NamedTuple):
    """A kind of change."""

    kind: Kind
    sites: Callable[[World, Rules], Iterator[tuple[str, tuple[Value, ...], tuple[str, ...]]]]
    """Yields the subject, the values and the things of each site of a told world."""
    change: Callable[[Documents, Rules, list[str], Any], tuple[Documents, Rules]]
    """Returns a world and its rules with the value of a subject."""


def rivals(sites: Iterable[Site], true: Collection[Change]) -> Iterator[frozenset[Change]]:
    """Yield all sets of changes that differ from the true one in one thing or rule."""
    places = {(site.family, site.subject): site for site in sites}

    def clash(one: Change, other: Change) -> bool:
        mine, its = places[one[:2]], places[other[:2]]
        return one[:2] == other[:2] or bool({*mine.things} & {*its.things})

    changes = frozenset(true)
    for change in true:
        yield changes - {change}
    for site in places.values():
        for rival in site.rivals:
            if rival not in changes:
                yield frozenset(change for change in changes if not clash(rival, change)) | {rival}


def sites_in(world: World, rules: Rules) -> list[Site]:
    """Return all sites of a told world, family by family."""
    return [Site(name, *site) for name, family in FAMILIES.items() for site in family.sites(world, rules)]


def apply(documents: Documents, rules: Rules, changes: Iterable[Change]) -> tuple[Documents, Rules]:
    """Return the documents of a world and its rules after some changes, whose order does not matter."""
    for family, subject, value in sorted(changes, key=lambda change: list(FAMILIES).index(change.family)):
        documents, rules = FAMILIES[family].change(documents, rules, subject.split(), value)
    return documents, rules


# -- facts ------------------------------------------------------------------------------------------------------------

_Found = Iterator[tuple[str, tuple[Value, ...], tuple[str, ...]]]


def kinds_in(world: World) -> list[Code]:
    """Return the monsters that are told and stand nowhere: another monster may be of their kind."""
    standing = set(world.standing("monster").values())
    return [code for code in world.monsters if code not in standing]


def with_kinds_placed(documents: Documents) -> Documents:
    """Return a world in which kinds stand somewhere, as a world that is not of a mystery has to have it."""
    tiles = documents["map"]["tiles"]
    standing = {tile["content"]["code"] for tile in tiles if "content" in tile}
    kinds = [row["code"] for row in documents["monsters"]["monsters"] if row["code"] not in standing]
    east = 1 + max((tile["x"] for tile in tiles), default=0)
    land = {"y": 0, "name": "Elsewhere", "skin": "elsewhere"}
    more = [{"x": east + n, **land, "content": {"type": "monster", "code": code}} for n, code in enumerate(kinds)]
    return {**documents, "map": {**documents["map"], "tiles": [*tiles, *more]}}


def _kinds(world: World, rules: Rules) -> _Found:
    """Yield each monster with its possible kinds: it may have the numbers of any monster that stands nowhere."""
    others = kinds_in(world)
    for code in dict.fromkeys(world.standing("monster").values()):
        yield code, (code, *others), (code,)


def _kind(documents: Documents, rules: Rules, subject: list[str], value: Code) -> tuple[Documents, Rules]:
    like = next(row for row in documents["monsters"]["monsters"] if row["code"] == value)
    numbers = {name: like[name] for name in ("hp", "attack", "resistance")}
    return _with_row(documents, "monsters", subject[0], lambda row: row.update(numbers)), rules


def _gear(world: World) -> Iterator[tuple[Item, Mapping[Code, int]]]:
    """Yield the gear that can be made, each with its ingredients."""
    for item in world.items.values():
        if item.recipe and item.type != "resource":
            yield item, item.recipe.ingredients


def _counts(world: World, rules: Rules) -> _Found:
    """The number of an ingredient of gear, unless only a monster drops it."""
    for item, ingredients in _gear(world):
        for part, number in ingredients.items():
            if part not in world.droppers:
                yield (
                    f"{item.code} {part}",
                    (number, *(number + more for more in _COUNTS if number + more > 0)),
                    (item.code,),
                )


def _count(documents: Documents, rules: Rules, subject: list[str], value: int) -> tuple[Documents, Rules]:
    return _with_recipe(documents, subject[0], lambda parts: {**parts, subject[1]: value}), rules


def _ingredients(world: World, rules: Rules) -> _Found:
    """The raw material of gear, where another one takes its place."""
    gear = list(_gear(world))
    raw = sorted({part for _, parts in gear for part in parts if part in world.nodes})
    for item, parts in gear:
        for part in parts:
            if others := tuple(other for other in raw if other not in parts) if part in raw else ():
                yield f"{item.code} {part}", (part, *others), (item.code,)


def _ingredient(documents: Documents, rules: Rules, subject: list[str], value: str) -> tuple[Documents, Rules]:
    item, part = subject

    def change(parts: Mapping[Code, int]) -> dict[Code, int]:
        return {value if name == part else name: number for name, number in parts.items()}

    return _with_recipe(documents, item, change), rules


def _skills(world: World, rules: Rules) -> _Found:
    """The skill that makes gear, which says in which workshop."""
    for item, _ in _gear(world):
        usual_skill = item.recipe.skill if item.recipe else ""
        others = (skill for skill in world.skills if skill != usual_skill and world.places_of("workshop", skill))
        yield item.code, (usual_skill, *others), (item.code,)


def _skill(documents: Documents, rules: Rules, subject: list[str], value: str) -> tuple[Documents, Rules]:
    def other(row: dict[str, Any]) -> None:
        row["recipe"] = {**row["recipe"], "skill": value}

    return _with_row(documents, "items", subject[0], other), rules


def _swaps(world: World, rules: Rules) -> _Found:
    """The places of two monsters, or of two resources, that stand where the other one is told to be."""
    for kind in ("monster", "resource"):
        for one, other in combinations(sorted(set(world.standing(kind).values())), 2):
            yield f"{one} {other}", (APART, SWAPPED), (f"place of {one}", f"place of {other}")


def _swap(documents: Documents, rules: Rules, subject: list[str], value: str) -> tuple[Documents, Rules]:
    if value == APART:
        return documents, rules
    new = dict(zip(subject, reversed(subject), strict=True))
    tiles = [
        {**row, "content": {**row["content"], "code": new[row["content"]["code"]]}}
        if row.get("content", {}).get("code") in new
        else row
        for row in documents["map"]["tiles"]
    ]
    return {**documents, "map": {**documents["map"], "tiles": tiles}}, rules


def _drops(world: World, rules: Rules) -> _Found:
    """Yield pairs of monsters whose drops can be swapped. At least one of the two drops something."""
    for one, other in combinations(sorted(set(world.standing("monster").values())), 2):
        if world.monsters[one].drops or world.monsters[other].drops:
            yield f"{one} {other}", (APART, SWAPPED), (one, other)


def _swap_drops(documents: Documents, rules: Rules, subject: list[str], value: str) -> tuple[Documents, Rules]:
    if value == APART:
        return documents, rules
    drops = {row["code"]: row["drops"] for row in documents["monsters"]["monsters"]}
    one, other = subject
    documents = _with_row(documents, "monsters", one, lambda row: row.update(drops=drops[other]))
    return _with_row(documents, "monsters", other, lambda row: row.update(drops=drops[one])), rules


# -- rules ------------------------------------------------------------------------------------------------------------


def _always(*values: Value) -> Callable[[World, Rules], _Found]:
    def sites(world: World, rules: Rules) -> _Found:
        yield "", values, ()

    return sites


def _sets(world: World, rules: Rules) -> _Found:
    if any(True for _ in _gear(world)):
        yield "", (1, *_SETS), ()


def _set(documents: Documents, rules: Rules, subject: list[str], value: int) -> tuple[Documents, Rules]:
    items = documents["items"]
    rows = [_multiply(row, value) if row.get("recipe") else row for row in items["items"]]
    return {**documents, "items": {**items, "items": rows}}, rules


def _multiply(row: Mapping[str, Any], times: int) -> dict[str, Any]:
    parts = {part: number * times for part, number in row["recipe"]["ingredients"].items()}
    return {**row, "recipe": {**row["recipe"], "ingredients": parts}}


def _yields(world: World, rules: Rules) -> _Found:
    for node in list(world.resources.values())[:1]:
        least = node.drops[0].least
        yield "", (least, *(value for value in _YIELDS if value != least)), ()


def _yield(documents: Documents, rules: Rules, subject: list[str], value: int) -> tuple[Documents, Rules]:
    table = documents["resources"]
    rows = [
        {**row, "drops": [{**drop, "min": value, "max": value} for drop in row["drops"]]} for row in table["resources"]
    ]
    return {**documents, "resources": {**table, "resources": rows}}, rules


def _dries(world: World, rules: Rules) -> _Found:
    if world.resources:
        yield "", (rules.dry, *_DRY), ()


def _rule(name: str) -> Callable[[Documents, Rules, list[str], Any], tuple[Documents, Rules]]:
    def change(documents: Documents, rules: Rules, subject: list[str], value: Any) -> tuple[Documents, Rules]:
        return documents, replace(rules, **{name: value})

    return change


FAMILIES: Mapping[str, ChangeFamily] = {
    "kind": ChangeFamily("fact", _kinds, _kind),
    # before the other changes of recipes, which name the told ingredient
    "count": ChangeFamily("fact", _counts, _count),
    "ingredient": ChangeFamily("fact", _ingredients, _ingredient),
    "skill": ChangeFamily("fact", _skills, _skill),
    "place": ChangeFamily("fact", _swaps, _swap),
    "drop": ChangeFamily("fact", _drops, _swap_drops),
    "first": ChangeFamily("rule", _always("hero", "monster"), _rule("first")),
    "ward": ChangeFamily("rule", _always(USUAL_WARD, *_WARDS), _rule("ward")),
    "sets": ChangeFamily("rule", _sets, _set),
    "yield": ChangeFamily("rule", _yields, _yield),
    "dry": ChangeFamily("rule", _dries, _rule("dry")),
}
"""All families by name, in the order in which their changes are made."""
SWAPS = frozenset({"place", "drop"})
"""The families whose subjects are two codes, in any order."""
RULES_OF_FIGHTS = frozenset({"first", "ward"})
RULES_ALONE = RULES_OF_FIGHTS | {"dry"}
"""The families that change the rules and leave the documents as they are."""


# -- documents --------------------------------------------------------------------------------------------------------


def _with_row(documents: Documents, table: str, code: Code, change: Callable[[dict[str, Any]], object]) -> Documents:
    """Return documents with a changed row of a table."""
    rows = []
    for row in documents[table][table]:
        if row["code"] == code:
            row = dict(row)
            change(row)
        rows.append(row)
    return {**documents, table: {**documents[table], table: rows}}


def _with_recipe(
    documents: Documents, code: Code, change: Callable[[Mapping[Code, int]], Mapping[Code, int]]
) -> Documents:
    """Return documents in which the recipe of an item takes something else."""

    def other(row: dict[str, Any]) -> None:
        row["recipe"] = {**row["recipe"], "ingredients": change(row["recipe"]["ingredients"])}

    return _with_row(documents, "items", code, other)
