"""Check that the documents of a world fit together, which schemas cannot express. `content` calls `world_problems`.

References must resolve, recipes must not form cycles, each craft needs a workshop, each ingredient a source, each place
a tile, and levels and amounts must make sense. The schemas must have accepted the documents before. No file is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from herobench.data.documents import json_path
from herobench.data.errors import LONGEST_MISSPELT, Problem
from herobench.suites.rpg.game.world import CONSUMABLE, slot_type

Row = Mapping[str, Any]
MOST_STEPS = 100
"""The longest chain of crafts that an item may need. It allows code that walks recipes to be recursive."""

_MOST_OFFERED = 12
_ON_ELEMENTS = ("attack", "dmg", "res", "boost_dmg")
_ELEMENTAL = re.compile(rf"({'|'.join(_ON_ELEMENTS)})_(.*)\Z")


def _is_a_letter_off(text: str, name: str) -> bool:
    """Return whether a text is a name with one letter too many, too few, or another one."""
    short, long = sorted((text, name), key=len)
    letters = range(len(long))
    return any(short[:n] == long[:n] and long[n + 1 :] in (short[n:], short[n + 1 :]) for n in letters)


def world_problems(documents: Mapping[str, Row], name: str, highest_level: int) -> list[Problem]:
    """Return all problems with the documents of a world.

    `name` is the name of the world in problems, `highest_level` the highest level that a hero can reach."""
    return list(_WorldCheck(documents, name, highest_level).problems())


class _WorldCheck:
    """One pass over the documents of one world."""

    def __init__(self, documents: Mapping[str, Row], name: str, highest_level: int) -> None:
        self.name = name
        self.highest_level = highest_level
        self.about = documents["world"]
        self.monsters: list[Row] = documents["monsters"]["monsters"]
        self.resources: list[Row] = documents["resources"]["resources"]
        self.items: list[Row] = documents["items"]["items"]
        self.distractors: list[Row] = documents["distractors"]["items"]
        self.tiles: list[Row] = documents["map"]["tiles"]
        self.by_code = {item["code"]: item for item in self.items}
        elemental = (f"{kind}_{element}" for kind in _ON_ELEMENTS for element in self.about["elements"])
        self.effects = ("hp", "restore", "boost_hp", *elemental)

    def problems(self) -> Iterator[Problem]:
        yield from self._duplicates()
        yield from self._about()
        yield from self._map()
        yield from self._exchange()
        yield from self._drops("monsters", self.monsters)
        yield from self._drops("resources", self.resources)
        yield from self._strengths()
        yield from self._skills()
        yield from self._levels()
        yield from self._effects("items", self.items)
        yield from self._effects("distractors", self.distractors)
        yield from self._ingredients()
        yield from self._cycles()
        yield from self._sources()
        yield from self._distractors()

    def _problem(
        self, document: str, path: Iterable[object], expected: str, value: object, advice: str = ""
    ) -> Problem:
        return Problem(f"{self.name}/{document}.json", json_path(path), expected, value, advice)

    def _unknown(
        self, document: str, path: Iterable[object], code: str, valid: Collection[str], what: str
    ) -> Iterator[Problem]:
        """Yield a problem for an unknown code, with the most similar known one, or with all if these are few."""
        if code not in valid:
            codes = list(valid)
            near = get_close_matches(code[:LONGEST_MISSPELT], codes, 1)
            expected = f"{what}{f' (is {near[0]!r} meant?)' if near else ''}"
            yield self._problem(document, path, expected, code, "" if near else _choice_words(codes))

    # -- one thing once ---------------------------------------------------------------------------------------------

    def _duplicates(self) -> Iterator[Problem]:
        lists = (("monsters", self.monsters), ("resources", self.resources), ("items", self.items))
        for document, rows in lists:
            for field in ("code", "name"):
                yield from self._twice(document, document, rows, field)
        # A distractor may have the name of an item, so only the codes are checked here.
        yield from self._twice("distractors", "items", self.distractors, "code")
        for index, item in enumerate(self.distractors):
            if item["code"] in self.by_code:
                path, advice = ["items", index, "code"], "give it a code of its own, or leave it out"
                yield self._problem("distractors", path, "a code that no item of the world has", item["code"], advice)
        by_place: dict[tuple[int, int], int] = {}
        for index, tile in enumerate(self.tiles):
            place = (int(tile["x"]), int(tile["y"]))  # schemas accept 1.0 as a whole number
            if place in by_place:
                expected = f"a place without a tile, but tile {by_place[place]} is there"
                yield self._problem("map", ["tiles", index], expected, list(place), "move one, or leave it out")
            by_place.setdefault(place, index)

    def _twice(self, document: str, key: str, rows: list[Row], field: str) -> Iterator[Problem]:
        first_rows: dict[str, int] = {}
        for index, row in enumerate(rows):
            first = first_rows.setdefault(row[field], index)
            if first != index:
                path, advice = [key, index, field], f"{json_path([key, first])} has it"
                yield self._problem(document, path, f"a {field} that no row before it has", row[field], advice)

    # -- the world as a whole ---------------------------------------------------------------------------------------

    def _about(self) -> Iterator[Problem]:
        start = (self.about["start"]["x"], self.about["start"]["y"])
        places = {(tile["x"], tile["y"]) for tile in self.tiles}
        if start not in places:
            near = min(places, key=lambda place: (math.dist(place, start), place), default=None)
            advice = f"the nearest is {list(near)}" if near else "add tiles to map.json"
            yield self._problem("world", ["start"], "a tile of the map", list(start), advice)
        for effect in self.about.get("hero", {}):
            yield from self._element("world", ["hero", effect], effect)
        for fact in ("starter_items", "exchange_sells"):
            for index, code in enumerate(self.about[fact] if isinstance(self.about[fact], list) else []):
                yield from self._unknown("world", [fact, index], code, self.by_code, "the code of an item")

    def _map(self) -> Iterator[Problem]:
        # Sorted, so that people find the codes in the advice.
        codes_by_kind = {
            "monster": dict.fromkeys(sorted(row["code"] for row in self.monsters)),
            "resource": dict.fromkeys(sorted(row["code"] for row in self.resources)),
            "workshop": dict.fromkeys(sorted(self.about["skills"])),
        }
        standing: dict[str, set[str]] = {kind: set() for kind in codes_by_kind}
        for index, tile in enumerate(self.tiles):
            content = tile.get("content")
            if content and content["type"] in codes_by_kind:
                kind, code = content["type"], content["code"]
                standing[kind].add(code)
                what = "one of the world's skills" if kind == "workshop" else f"the code of a {kind}"
                yield from self._unknown("map", ["tiles", index, "content", "code"], code, codes_by_kind[kind], what)
        for document, kind, rows in (("monsters", "monster", self.monsters), ("resources", "resource", self.resources)):
            for index, row in enumerate(rows):
                if row["code"] not in standing[kind]:
                    advice = f"add a tile to map.json with a {kind} of this code"
                    yield self._problem(document, [document, index, "code"], "a place on the map", row["code"], advice)

    def _exchange(self) -> Iterator[Problem]:
        sells = self.about["exchange_sells"]
        if sells and not any((tile.get("content") or {}).get("type") == "grand_exchange" for tile in self.tiles):
            advice = "add a tile with a grand_exchange to map.json, or sell nothing: write []"
            yield self._problem("world", ["exchange_sells"], "[], because the map has no grand exchange", sells, advice)

    def _strengths(self) -> Iterator[Problem]:
        elements = self.about["elements"]
        for index, monster in enumerate(self.monsters):
            for field in ("attack", "resistance"):
                for element in monster[field]:
                    path = ["monsters", index, field, element]
                    yield from self._unknown("monsters", path, element, elements, "one of the world's elements")
            gold = monster["gold"]
            if gold["min"] > gold["max"]:
                path = ["monsters", index, "gold"]
                yield self._problem("monsters", path, "min to be at most max", gold, "swap them, or raise max")

    def _skills(self) -> Iterator[Problem]:
        skills = self.about["skills"]
        workshops = {
            tile["content"]["code"] for tile in self.tiles if (tile.get("content") or {}).get("type") == "workshop"
        }
        for index, resource in enumerate(self.resources):
            path = ["resources", index, "skill"]
            yield from self._unknown("resources", path, resource["skill"], skills, "one of the world's skills")
        for index, item in enumerate(self.items):
            if "recipe" not in item:
                continue
            skill, skill_path = item["recipe"]["skill"], ["items", index, "recipe", "skill"]
            if skill not in skills:  # one problem is enough: an unknown skill has no workshop
                yield from self._unknown("items", skill_path, skill, skills, "one of the world's skills")
            elif skill not in workshops:
                shops = f"; there are workshops of {', '.join(sorted(workshops))}" if workshops else ""
                advice = f"add a tile with a workshop of {skill} to map.json{shops}"
                yield self._problem("items", skill_path, "a skill with a workshop on the map", skill, advice)

    def _levels(self) -> Iterator[Problem]:
        """Yield a problem for each level that no hero can reach."""
        levels: list[tuple[str, list[object], int]] = [
            (document, [document, index, field], row[field])
            for document, rows, field in (
                ("monsters", self.monsters, "intended_level"),
                ("resources", self.resources, "level"),
                ("items", self.items, "level"),
            )
            for index, row in enumerate(rows)
        ]
        recipes = ((index, item["recipe"]) for index, item in enumerate(self.items) if "recipe" in item)
        levels += [("items", ["items", index, "recipe", "level"], recipe["level"]) for index, recipe in recipes]
        expected = f"a level that a hero can reach, at most {self.highest_level}"
        for document, path, level in levels:
            if level > self.highest_level:
                yield self._problem(document, path, expected, level)

    # -- what falls -------------------------------------------------------------------------------------------------

    def _drops(self, document: str, rows: list[Row]) -> Iterator[Problem]:
        for index, row in enumerate(rows):
            codes: set[str] = set()
            for number, drop in enumerate(row["drops"]):
                path = [document, index, "drops", number]
                yield from self._unknown(document, [*path, "item"], drop["item"], self.by_code, "the code of an item")
                if drop["item"] in codes:
                    advice = "leave one out, and raise the amounts of the other"
                    yield self._problem(
                        document, [*path, "item"], "each item only once among the drops", drop["item"], advice
                    )
                codes.add(drop["item"])
                if drop["min"] > drop["max"]:
                    yield self._problem(document, path, "min to be at most max", dict(drop), "swap them, or raise max")

    # -- items ------------------------------------------------------------------------------------------------------

    def _effects(self, document: str, items: list[Row]) -> Iterator[Problem]:
        wearable = {slot_type(slot) for slot in self.about["slots"]}
        for index, item in enumerate(items):
            for effect, value in item["effects"].items():
                path = ["items", index, "effects", effect]
                yield from self._element(document, path, effect)
                if effect == "restore" and value < 1:
                    yield self._problem(document, path, "1 or more", value, "remove it if it restores nothing")
            if document == "distractors" and item["type"] not in wearable - {CONSUMABLE}:
                path, types = ["items", index, "type"], sorted(wearable - {CONSUMABLE})
                yield from self._unknown(document, path, item["type"], types, "a type that can be worn")

    def _element(self, document: str, path: Iterable[object], effect: str) -> Iterator[Problem]:
        """Yield a problem for an effect on an unknown element, and for one that is a letter off an effect.

        Other effects that the game lacks may be meant for another program.
        """
        if effect in self.effects:
            return
        elemental, elements = _ELEMENTAL.match(effect), self.about["elements"]
        if elemental and elemental[2] not in elements:
            near = get_close_matches(elemental[2], elements, 1)
            hint = f" (is {f'{elemental[1]}_{near[0]}'!r} meant?)" if near else ""
            expected = f"an effect on one of the world's elements{hint}"
            yield self._problem(document, path, expected, effect, "" if near else _choice_words(elements))
        elif meant := next((name for name in self.effects if _is_a_letter_off(effect, name)), None):
            yield self._problem(document, path, f"an effect (is {meant!r} meant?)", effect)

    def _ingredients(self) -> Iterator[Problem]:
        for index, item in enumerate(self.items):
            for code in item.get("recipe", {}).get("ingredients", {}):
                path = ["items", index, "recipe", "ingredients", code]
                yield from self._unknown("items", path, code, self.by_code, "the code of an item")

    def _cycles(self) -> Iterator[Problem]:
        """Yield each cycle of recipes once, and each item that needs too many crafts one after another."""
        # Each round removes the items whose ingredients need no remaining craft. Cycles are never removed.
        left = {code: [part for part in self._parts(code) if self._parts(part)] for code in self.by_code}
        for _ in range(MOST_STEPS):
            left = _without_first_steps(left)
        longer = _without_first_steps(left)
        for index, item in enumerate(self.items):
            if item["code"] in left.keys() - longer.keys():
                path = ["items", index, "recipe", "ingredients"]
                advice = "leave out some of the steps"
                yield self._problem("items", path, f"at most {MOST_STEPS} crafts in a row", item["code"], advice)
        # If one more round still removes something, there are long chains but perhaps no cycle.
        if longer.keys() == left.keys():
            yield from self._circles(left)

    def _circles(self, left: Mapping[str, list[str]]) -> Iterator[Problem]:
        """Yield the cycles among recipes, given that each needs another one of them."""
        indices = {item["code"]: index for index, item in enumerate(self.items)}
        visits: set[str] = set()
        for code in left:
            trail: list[str] = []
            while code not in visits:  # each code needs another one here, so the walk must return somewhere
                visits.add(code)
                trail.append(code)
                code = next(part for part in left[code] if part in left)
            if code in trail:
                circle = [*trail[trail.index(code) :], code]
                path = ["items", indices[code], "recipe", "ingredients"]
                expected, advice = "recipes that do not need their own product", f"remove {circle[1]} from this recipe"
                yield self._problem("items", path, expected, " > ".join(circle), advice)

    def _parts(self, code: str) -> Mapping[str, int]:
        recipe: Row = self.by_code.get(code, {}).get("recipe", {})
        parts: Mapping[str, int] = recipe.get("ingredients", {})
        return parts

    def _sources(self) -> Iterator[Problem]:
        """Yield each ingredient that is not gathered, dropped, crafted, owned from the start or sold by name."""
        sources = {drop["item"] for row in [*self.monsters, *self.resources] for drop in row["drops"]}
        sources.update(item["code"] for item in self.items if "recipe" in item)
        sources.update(self.about["starter_items"])
        # "every item" does not count as a source: it would hide recipes that nobody can make.
        if isinstance(self.about["exchange_sells"], list):
            sources.update(self.about["exchange_sells"])
        for index, item in enumerate(self.items):
            for code in item.get("recipe", {}).get("ingredients", {}):
                if code in self.by_code and code not in sources:
                    path = ["items", index, "recipe", "ingredients", code]
                    expected = "an ingredient that is dropped, gathered, crafted, owned from the start or sold by name"
                    advice = (
                        "add it to the drops of a monster or a node, give it a recipe, or name it in exchange_sells"
                    )
                    yield self._problem("items", path, expected, code, advice)

    def _distractors(self) -> Iterator[Problem]:
        """Yield each distractor that could be crafted: prompts present distractors as items that no hero can get."""
        for index, item in enumerate(self.distractors):
            ingredients = item["recipe"]["ingredients"]
            if all(code in self.by_code for code in ingredients):
                path = ["items", index, "recipe", "ingredients"]
                expected, advice = "an ingredient that the world does not have", "add one whose code no item has"
                yield self._problem("distractors", path, expected, list(ingredients), advice)


def _choice_words(codes: Collection[str]) -> str:
    """Return advice that names the known codes if they are few."""
    if not codes:
        return "there are none"
    few = len(codes) <= _MOST_OFFERED
    return f"there are {', '.join(codes)}" if few else f"add it, or name one of the {len(codes)}"


def _without_first_steps(crafts: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the crafts that need another one of them."""
    return {code: parts for code, parts in crafts.items() if any(part in crafts for part in parts)}
