"""The part of a world that one course takes place in: names, recipes and places for its numbers, and its plan.

No two shards share a piece, a monster, a material or a node. They share the workshops, which stand near the start. A
shard has a family word of its own, so that its names differ from all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from herobench.suites.discover.courses.armory import EMPTY, PIECES, SLOTS, Choice
from herobench.suites.discover.courses.course import PRODUCTS, Course, CourseMaterial
from herobench.suites.discover.courses.words import (
    BEASTS,
    GEAR,
    NODES,
    PARTS,
    RAW,
    REFINED,
    WordSource,
    drop,
    item_row,
    spell_code,
)
from herobench.suites.rpg.game.world import Code, Place, Stats
from herobench.task_gen.rpg.oracle.steps import Do

LEVEL = 40
"""The level of everything: a hero of the highest level can wear, gather and craft all of it."""
_SKILL_OF_RAW = {"metal": "metal", "wood": "wood", "gem": "metal"}


@dataclass(frozen=True)
class Grounds:
    """What all shards of a world share."""

    elements: Sequence[str]
    skills: Mapping[str, str]
    """The names of the skills by purpose; a skill has a workshop."""
    workshops: Mapping[str, Place]
    """The places of the workshops by purpose."""


class Shard:
    """A course with its names and places."""

    def __init__(self, course: Course, family: str, places: Sequence[Place], grounds: Grounds, rng: Random) -> None:
        """Take as many places as the course has things on the map: see `things`."""
        self.course = course
        self._family = family
        self._grounds = grounds
        words = WordSource(rng, ())
        self._codes: dict[object, Code] = {}
        self._names: dict[Code, str] = {}
        for slot, kind in enumerate(SLOTS):
            for number in range(PIECES):
                self._name((slot, number), f"{words.word()} {rng.choice(GEAR[kind])}")
        beasts = [f"{words.word()} {rng.choice(BEASTS)}" for _ in course.foes]
        for number in self.foes:
            self._name(("foe", number), beasts[number])
        for material in self.materials:
            word = words.word()
            if material.kind == "drop":
                self._name(material, f"{beasts[material.number].split()[0]} {rng.choice(PARTS)}")
                continue
            if material.is_refined:
                self._name(material, f"{word} {REFINED[material.kind]}")
            self._name(raw_material(material), f"{word} {RAW[material.kind]}")
            self._name(("node", material), f"{word} {NODES['crystal' if material.kind == 'gem' else material.kind]}")
        self._places: dict[object, Place] = dict(zip(self.things, places, strict=False))

    @classmethod
    def of_codes(
        cls, course: Course, codes: Mapping[object, Code], places: Mapping[object, Place], grounds: Grounds
    ) -> Shard:
        """Return the shard of a course whose things have codes and places already. It can only be planned in."""
        shard = cls.__new__(cls)
        shard.course, shard._grounds = course, grounds
        shard._codes, shard._places = dict(codes), dict(places)
        return shard

    def _name(self, thing: object, name: str) -> None:
        whole = f"{self._family} {name}"
        code = spell_code(whole)
        # two things of a family with one name would be one
        while code in self._names:
            whole += " II"
            code = spell_code(whole)
        self._codes[thing], self._names[code] = code, whole

    @cached_property
    def foes(self) -> list[int]:
        """The foes that are goals or that are hunted."""
        aims = {aim.number for aim in self.course.aims if aim.kind == "kill"}
        return sorted(aims | set(self.course.hunted.values()))

    @cached_property
    def materials(self) -> list[CourseMaterial]:
        """The materials that some recipe or goal takes."""
        materials_used = {material for recipe in self.course.recipes.values() for material in recipe}
        materials_used |= {PRODUCTS[aim.number] for aim in self.course.aims if aim.kind == "craft"}
        return sorted(materials_used)

    @property
    def things(self) -> list[object]:
        """What stands on the map."""
        nodes: list[object] = [("node", material) for material in self.materials if material.kind != "drop"]
        return [*(("foe", number) for number in self.foes), *nodes]

    # -- rows of documents ------------------------------------------------------------------------------------------

    def items(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of gear and materials."""
        for slot, pieces in enumerate(self.course.armory.pieces):
            for number, stats in enumerate(pieces):
                row = self._row((slot, number), SLOTS[slot])
                row["effects"] = self._effects(stats)
                if recipe := self.course.recipes.get((slot, number)):
                    parts = {self._codes[material]: count for material, count in sorted(recipe.items())}
                    row["recipe"] = self._recipe(self.course.shop((slot, number)), parts)
                yield row
        for material in self.materials:
            if material.kind == "drop":
                yield self._row(material, "resource", "mob")
                continue
            yield self._row(raw_material(material), "resource", self._grounds.skills[_SKILL_OF_RAW[material.kind]])
            if material.is_refined:
                row = self._row(material, "resource", REFINED[material.kind].lower())
                row["recipe"] = self._recipe(material.kind, {self._codes[raw_material(material)]: self.course.ores})
                yield row

    def _row(self, thing: object, kind: str, subtype: str = "") -> dict[str, Any]:
        code = self._codes[thing]
        return item_row(code, self._names[code], LEVEL, kind, subtype)

    def _recipe(self, purpose: str, parts: Mapping[Code, int]) -> dict[str, Any]:
        return {"skill": self._grounds.skills[purpose], "level": LEVEL, "ingredients": dict(parts)}

    def _effects(self, stats: Stats) -> dict[str, int]:
        effects = {"hp": stats.hp} if stats.hp else {}
        for prefix, values in (("attack", stats.attack), ("dmg", stats.damage), ("res", stats.resistance)):
            effects |= {f"{prefix}_{name}": value for name, value in self._by_element(values).items()}
        return effects

    def _by_element(self, values: Sequence[int]) -> dict[str, int]:
        return {name: value for name, value in zip(self._grounds.elements, values, strict=True) if value}

    def monsters(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of monsters."""
        droppers = set(self.course.hunted.values())
        for number in self.foes:
            stats, code = self.course.foes[number].stats, self._codes["foe", number]
            yield {
                "code": code,
                "name": self._names[code],
                "level": LEVEL,
                "intended_level": LEVEL,
                "hp": stats.hp,
                "attack": self._by_element(stats.attack),
                "resistance": self._by_element(stats.resistance),
                "gold": {"min": 0, "max": 0},
                "drops": [drop(self._codes[CourseMaterial("drop", number)], 1)] if number in droppers else [],
            }

    def resources(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of nodes."""
        for material in self.materials:
            if material.kind != "drop":
                code = self._codes["node", material]
                yield {
                    "code": code,
                    "name": self._names[code],
                    "skill": self._grounds.skills[_SKILL_OF_RAW[material.kind]],
                    "level": LEVEL,
                    "drops": [drop(self._codes[raw_material(material)], 1)],
                }

    def tiles(self) -> Iterator[tuple[Place, str, Code]]:
        """Yield the places with the kind and code of what stands there."""
        for thing, place in self._places.items():
            assert isinstance(thing, tuple)
            yield place, "monster" if thing[0] == "foe" else "resource", self._codes[thing]

    # -- what a task says of it -------------------------------------------------------------------------------------

    def code(self, thing: object) -> Code:
        """Return the code of a piece, a foe or a material."""
        return self._codes[thing]

    def loadout(self, choice: Choice) -> dict[str, Code]:
        """Return a loadout by slot."""
        return {SLOTS[slot]: self._codes[slot, piece] for slot, piece in enumerate(choice) if piece != EMPTY}

    @property
    def told_places(self) -> list[Place]:
        """The places that a task tells: those of the shard and, if anything is made, the workshops."""
        return sorted([*self._places.values(), *(self._grounds.workshops.values() if self.materials else ())])

    def steps(self) -> list[Do]:
        """Return the plan of the course."""
        return _Plan(self, self._grounds, self._places).steps()


def raw_material(material: CourseMaterial) -> object:
    """Return what a node gives for a material: a refined one is made of it."""
    return ("raw", material) if material.is_refined else material


class _Plan:
    """The plan of a course: all gathering first, and each piece made in the last visit before it is worn."""

    def __init__(self, shard: Shard, grounds: Grounds, places: Mapping[object, Place]) -> None:
        self._shard = shard
        self._course = shard.course
        self._shops = grounds.workshops
        self._places = places
        self._steps: list[Do] = []
        self._place: Place | None = None
        self._lacking = set(self._course.needed)
        self._hunted: set[int] = set()
        self._unrefined: dict[CourseMaterial, int] = {}
        """The refined materials that are still to be made for pieces."""
        for piece in sorted(self._course.needed):
            for material, count in self._course.recipes[piece].items():
                if material.is_refined:
                    self._unrefined[material] = self._unrefined.get(material, 0) + count

    def steps(self) -> list[Do]:
        """Return the steps."""
        self._gather()
        fights = iter(self._course.fights)
        worn = self._course.start
        for number, aim in enumerate(self._course.aims):
            if aim.kind == "craft":
                self._refine(PRODUCTS[aim.number], number)
                continue
            for fight in fights:
                self._make(fight.worn)
                self._change(worn, fight.worn)
                worn = fight.worn
                self._go(self._places["foe", fight.foe])
                self._steps.append(Do("fight"))
                self._hunted.add(fight.foe)
                if not fight.is_hunt:
                    break
        return self._steps

    def _go(self, place: Place) -> None:
        if place != self._place:
            self._steps.append(Do("move", place))
            self._place = place

    def _change(self, now: Choice, then: Choice) -> None:
        """Take off all gear that changes, then put on its replacements."""
        before, after = self._shard.loadout(now), self._shard.loadout(then)
        slots = [slot for slot in SLOTS if before.get(slot) != after.get(slot)]
        self._steps += [Do("unequip", (slot,)) for slot in slots if slot in before]
        self._steps += [Do("equip", (slot, after[slot])) for slot in slots if slot in after]

    def _gather(self) -> None:
        for material, count in sorted(self._course.materials.items()):
            if material.kind != "drop":
                self._go(self._places["node", material])
                self._steps.append(Do("gather", (count * (self._course.ores if material.is_refined else 1),)))

    def _soon(self, number: int) -> set[CourseMaterial]:
        """Return what later goals craft before the next piece is made: to refine it now would take a craft more."""
        kills = sum(aim.kind == "kill" for aim in self._course.aims[:number])
        makes = (fight.goal for fight in self._course.fights if self._lacking.intersection(enumerate(fight.worn)))
        next_make = next((goal for goal in makes if goal >= kills), len(self._course.aims))
        products: set[CourseMaterial] = set()
        for aim in self._course.aims[number + 1 :]:
            if aim.kind == "craft":
                products.add(PRODUCTS[aim.number])
            elif kills == next_make:
                break
            else:
                kills += 1
        return products

    def _refine(self, product: CourseMaterial, number: int) -> None:
        """Craft the product that is due, and all refined materials that this workshop can make for pieces."""
        self._go(self._shops[product.kind])
        others = {each for each in self._unrefined if each.kind == product.kind and each != product}
        for material in sorted(others - self._soon(number)) if others else ():
            self._craft(material, self._unrefined.pop(material))
        self._craft(product, 1 + self._unrefined.pop(product, 0))

    def _craft(self, thing: object, count: int) -> None:
        self._steps.append(Do("craft", (self._shard.code(thing), count)))

    def _make(self, worn: Choice) -> None:
        """Make the pieces of a loadout that the hero lacks, and all others that the same workshops can make."""
        pieces = [piece for piece in enumerate(worn) if piece in self._lacking]
        if not pieces:
            return
        for kind in sorted({material.kind for material in self._unrefined}):
            self._go(self._shops[kind])
            for material in [each for each in self._unrefined if each.kind == kind]:
                self._craft(material, self._unrefined.pop(material))
        find_shop = self._course.shop
        for shop in sorted({find_shop(piece) for piece in pieces}):
            self._go(self._shops[shop])
            for piece in sorted(self._lacking):
                if find_shop(piece) == shop and self._course.hunted.get(piece, -1) in {-1, *self._hunted}:
                    self._lacking.remove(piece)
                    self._craft(piece, 1)
