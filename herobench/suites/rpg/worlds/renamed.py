"""Rename a world and its tasks: all things of the world get opaque codes, so that no name tells what a thing is.

Numbers, recipes, map, the order of the documents, plans and ids of tasks stay. A new code is drawn from the code of the
world and the old word, so the same world always gets the same ones. Equal words get equal codes and different words
different ones, whatever they name: nothing shows kind, level or family. The words of the game keep their names: slots,
types of items, buildings, actions, and effects that rules read. Descriptions are emptied, since they name things.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import ChainMap
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import count
from typing import Any

from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.world import RANDOM, ROUND_EFFECTS, Names, World

Json = Any
_Codes = Mapping[str, str]
"""The new codes by the old words."""
_LETTERS, _SIGNS = "bcdfghjkmnpqrstvwxz", "bcdfghjkmnpqrstvwxz23456789"
"""The characters of a code, the first one and the others. Without vowels, no code is a word."""
_LENGTH = 6
_OF_ELEMENT = re.compile("(attack|dmg|res|boost_dmg|boost)_(.+)")
_GAME_EFFECTS = frozenset(["hp", "restore", "boost_hp"])
_NAMED_KINDS = frozenset(["monster", "resource", "workshop"])
"""The kinds of content of a tile whose codes are those of things."""
_IN_PLAN = re.compile(rf"""(?<!\[)(?<!equip\("{NAME}", )(["'])([a-z0-9_]+)\1""")
"""A text in a plan, but for slots and the keys of a response."""


class RenamedWorld:
    """A plain world, the same world with other names, and the way from tasks of the one to tasks of the other."""

    def __init__(self, plain: World) -> None:
        self.plain = plain
        codes = _Drawn(plain.code)
        world = World.from_documents(_world(json.loads(plain.source), codes))
        self.world = world
        self._codes = dict(codes)
        self._taken = frozenset(codes.values())

    def row(self, row: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the row of a task of the plain world with the new names."""
        # The words of noise are in no world: the world's come first, and each task draws what it lacks.
        codes = ChainMap(self._codes, _Drawn(self.plain.code, self._taken))
        return {**_task(row, codes), "world": self.world.digest, **self._proofs(row, codes)}

    def plan(self, plan: str) -> str:
        """Return a plan for the plain world as the same one for the renamed world."""
        return _IN_PLAN.sub(self._in_plan, plan)

    def _in_plan(self, match: re.Match[str]) -> str:
        quote, word = match.groups()
        return f"{quote}{self._codes[word] if word in self.plain.items else word}{quote}"

    def _proofs(self, row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
        proofs: dict[str, Json] = {}
        if certificate := row.get("certificate"):
            proofs["certificate"] = {**certificate, "plan": self.plan(certificate["plan"])}
        if reach := row.get("impossible"):
            skills = {codes[skill]: level for skill, level in reach["skills"].items()}
            lists = {part: sorted(codes[code] for code in reach[part]) for part in ("items", "beaten")}
            proofs["impossible"] = {**reach, "skills": skills, **lists}
        return proofs


@lru_cache(maxsize=2)
def renamed_world(plain: World) -> RenamedWorld:
    """Return a world with opaque names. The last ones are kept: a command needs one for its world and for its tasks."""
    return RenamedWorld(plain)


def with_names(world: World, names: Names) -> World:
    """Return a world under the names that a user asks for. A world that is renamed already stays as it is."""
    return renamed_world(world).world if names == RANDOM != world.names else world


def renamed_row(row: Mapping[str, Json], world: World, names: Names) -> Mapping[str, Json]:
    """Return the row of a task of a world under the names that a user asks for."""
    return renamed_world(world).row(row) if names == RANDOM != world.names else row


class _Drawn(dict[str, str]):
    """New codes by old words. A word that is looked up for the first time gets a code that is free."""

    def __init__(self, world: str, reserved_codes: Collection[str] = frozenset()) -> None:
        self._world, self._taken, self._own = world, reserved_codes, set[str]()

    def __missing__(self, old: str) -> str:
        tries = (_code(f"names 1 {self._world} {old} {again}") for again in count())
        new = next(code for code in tries if code not in self._taken and code not in self._own)
        self._own.add(new)
        self[old] = new
        return new


def _code(text: str) -> str:
    number = int.from_bytes(hashlib.sha256(text.encode()).digest())
    number, first = divmod(number, len(_LETTERS))
    code = _LETTERS[first]
    while len(code) < _LENGTH:
        number, sign = divmod(number, len(_SIGNS))
        code += _SIGNS[sign]
    return code


# -- a world ----------------------------------------------------------------------------------------------------------


def _world(documents: Mapping[str, Mapping[str, Json]], codes: _Codes) -> dict[str, dict[str, Json]]:
    """Return the documents of a world with new names. Code, name and credits stay: no model is told them."""
    about, rows = dict(documents["world"]), {name: dict(document) for name, document in documents.items()}
    about["opaque"] = True
    for part in ("elements", "skills", "starter_items", "exchange_sells"):
        if isinstance(about[part], list):  # an exchange may sell "every item"
            about[part] = [codes[code] for code in about[part]]
    if "hero" in about:
        about["hero"] = _effects(about["hero"], codes)
    rows["monsters"]["monsters"] = [_monster(row, codes) for row in documents["monsters"]["monsters"]]
    rows["resources"]["resources"] = [_resource(row, codes) for row in documents["resources"]["resources"]]
    for name in ("items", "distractors"):
        rows[name]["items"] = [_item(row, codes) for row in documents[name]["items"]]
    rows["map"]["tiles"] = [_tile(row, codes) for row in documents["map"]["tiles"]]
    return {**rows, "world": about}


def _thing(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    """Return a thing whose name is its code: a name of its own would say nothing more."""
    return {**row, "code": codes[row["code"]], "name": codes[row["code"]]}


def _monster(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    strengths = {part: {codes[element]: value for element, value in row[part].items()} for part in _STRENGTHS}
    return {**_thing(row, codes), **strengths, "drops": _drops(row, codes)}


_STRENGTHS = ("attack", "resistance")


def _resource(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    return {**_thing(row, codes), "skill": codes[row["skill"]], "drops": _drops(row, codes)}


def _drops(row: Mapping[str, Json], codes: _Codes) -> list[Json]:
    return [{**drop, "item": codes[drop["item"]]} for drop in row["drops"]]


def _item(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    subtype = codes[row["subtype"]] if row["subtype"] else ""
    item = {**_thing(row, codes), "subtype": subtype, "description": "", "effects": _effects(row["effects"], codes)}
    if recipe := row.get("recipe"):
        ingredients = _keys(recipe["ingredients"], codes)
        item["recipe"] = {**recipe, "skill": codes[recipe["skill"]], "ingredients": ingredients}
    return item


def _keys(numbers: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    return {codes[code]: value for code, value in numbers.items()}


def _effects(effects: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    return {_effect(name, codes): value for name, value in effects.items()}


def _effect(name: str, codes: _Codes) -> str:
    if name in _GAME_EFFECTS or name in ROUND_EFFECTS:
        return name
    match = _OF_ELEMENT.fullmatch(name)
    return f"{match[1]}_{codes[match[2]]}" if match else codes[name]


def _tile(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    tile = {**row, "name": codes[row["name"]], "skin": codes[row["skin"]] if row["skin"] else ""}
    content = row.get("content")
    if content and content["type"] in _NAMED_KINDS:
        tile["content"] = {**content, "code": codes[content["code"]]}
    return tile


# -- a task -----------------------------------------------------------------------------------------------------------


def _task(row: Mapping[str, Json], codes: _Codes) -> dict[str, Json]:
    """Return the row of a task with new names but for its proofs. The id stays: no model is told it."""
    hero, knows = row["hero"], row["knowledge"]
    consumables = {slot: {**stack, "item": codes[stack["item"]]} for slot, stack in hero["consumables"].items()}
    gear = {"worn": _values(hero["worn"], codes), "consumables": consumables}
    knowledge: dict[str, Json] = {
        part: [codes[code] for code in knows[part]] for part in ("recipes", "materials", "monsters", "stats")
    }
    knowledge["sold"] = sorted(codes[code] for code in knows["sold"])
    if "noise" in knows:
        knowledge["noise"] = [_item(item, codes) for item in knows["noise"]]
    return {
        **row,
        "target": codes[row["target"]],
        "missing": _values(row["missing"], codes),
        "hero": {**hero, **gear, "inventory": _keys(hero["inventory"], codes), "skills": _keys(hero["skills"], codes),
                 "stats": _effects(hero["stats"], codes)},
        "knowledge": {**knows, **knowledge},
    }  # fmt: skip


def _values(gear: Mapping[str, str], codes: _Codes) -> dict[str, str]:
    return {slot: codes[code] for slot, code in gear.items()}
