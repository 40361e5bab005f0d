"""The hero: at the start of a task (`HeroStart`), and in a game (`Hero`).

`HeroStart` is immutable and belongs to the task. `Hero` is the only mutable state of a game: it has everything that an
action can change, and only the game changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import add, sub
from types import MappingProxyType
from typing import Any

from herobench.suites.rpg.game.rules import Fighter, Rules, next_combat_level
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, Place, Stats, World, add_up, slot_type, sum_stats

NAME = "Hero"
"""The name of the hero: the first argument of every action."""
NEXT_LEVEL_XP = 150
"""The experience that the next level takes for a new hero, in combat and in every skill, as published."""


class Progress:
    """A level, the experience gained in it, and the experience that the next level takes."""

    __slots__ = ("level", "next_level_xp", "xp")

    def __init__(self, level: int, xp: int, next_level_xp: int) -> None:
        self.level = level
        self.xp = xp
        self.next_level_xp = next_level_xp

    def as_tuple(self) -> tuple[int, int, int]:
        """Return the three numbers."""
        return self.level, self.xp, self.next_level_xp

    def copy(self) -> Progress:
        """Return a copy that can change on its own."""
        return Progress(self.level, self.xp, self.next_level_xp)


@dataclass(frozen=True, slots=True)
class Stack:
    """Consumables of one kind in a slot."""

    item: Code
    quantity: int


@dataclass(frozen=True, slots=True)
class HeroStart:
    """The hero at the start of a task. `stats` belong to the bare hero, without his gear."""

    combat: tuple[int, int, int]
    stats: Mapping[str, int]
    skills: Mapping[str, tuple[int, int, int]]
    worn: Mapping[str, Code]
    consumables: Mapping[str, Stack]
    inventory: Mapping[Code, int]
    place: Place

    @classmethod
    def bare(cls, world: World, rules: Rules, level: int, skills: Mapping[str, int] | None = None) -> HeroStart:
        """Build a hero of a level who wears and owns nothing, at the start of the world. Skills are levels."""
        learnt = skills or {}
        health = world.hero_stats["hp"] + (level - 1) * rules.hp_per_level
        return cls(
            combat=(level, 0, NEXT_LEVEL_XP),
            stats=MappingProxyType({**world.hero_stats, "hp": health}),
            skills=MappingProxyType({skill: (learnt.get(skill, 1), 0, NEXT_LEVEL_XP) for skill in world.skills}),
            worn=MappingProxyType({}),
            consumables=MappingProxyType({}),
            inventory=MappingProxyType({}),
            place=world.start,
        )

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> HeroStart:
        """Build from the `hero` of a task row that the schema accepts."""
        return cls(
            combat=_progress(row),
            stats=MappingProxyType({name: int(value) for name, value in row["stats"].items()}),
            skills=MappingProxyType({skill: _progress(value) for skill, value in row["skills"].items()}),
            worn=MappingProxyType(dict(row["worn"])),
            consumables=MappingProxyType(
                {slot: Stack(stack["item"], int(stack["quantity"])) for slot, stack in row["consumables"].items()}
            ),
            inventory=MappingProxyType({code: int(quantity) for code, quantity in row["inventory"].items()}),
            place=(int(row["x"]), int(row["y"])),
        )

    def after(self, hero: Hero) -> HeroStart:
        """Return a start from the present state of a hero who began with this one."""
        return replace(
            self,
            combat=hero.combat.as_tuple(),
            # Only new levels change the bare hero: they add health.
            stats=MappingProxyType({**self.stats, "hp": hero.bare_hp}),
            skills=MappingProxyType({skill: progress.as_tuple() for skill, progress in hero.skills.items()}),
            worn=MappingProxyType(dict(hero.worn)),
            consumables=MappingProxyType(dict(hero.consumables)),
            inventory=MappingProxyType(dict(hero.inventory)),
            place=hero.place,
        )

    def as_row(self) -> dict[str, Any]:
        """Return the `hero` of a task row."""
        return {
            **_progress_row(self.combat),
            "stats": dict(self.stats),
            "skills": {skill: _progress_row(progress) for skill, progress in self.skills.items()},
            "worn": dict(self.worn),
            "consumables": {
                slot: {"item": stack.item, "quantity": stack.quantity} for slot, stack in self.consumables.items()
            },
            "inventory": dict(self.inventory),
            "x": self.place[0],
            "y": self.place[1],
        }


def _progress(row: Mapping[str, Any]) -> tuple[int, int, int]:
    return int(row["level"]), int(row["xp"]), int(row["next_level_xp"])


def _progress_row(progress: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("level", "xp", "next_level_xp"), progress, strict=True))


class Hero:
    """The hero in a game."""

    __slots__ = ("_fighter", "_world", "attack", "combat", "consumables", "damage", "hp", "inventory", "place",
                 "resistance", "round_effects", "skills", "worn")  # fmt: skip

    def __init__(self, world: World, start: HeroStart) -> None:
        bare = sum_stats(start.stats, world.elements)
        self._world = world
        self._fighter: Fighter | None = None
        self.combat = Progress(*start.combat)
        self.hp = bare.hp
        self.attack, self.damage, self.resistance = bare.attack, bare.damage, bare.resistance
        self.round_effects = bare.round_effects
        self.skills = {skill: Progress(*start.skills.get(skill, (1, 0, NEXT_LEVEL_XP))) for skill in world.skills}
        self.worn: dict[str, Code] = {}
        self.consumables = dict(start.consumables)
        self.inventory = dict(start.inventory)
        self.place = start.place
        for slot, code in start.worn.items():
            self.put_on(slot, world.items[code])

    def copy(self) -> Hero:
        """Return a copy that can change on its own."""
        twin = Hero.__new__(Hero)  # a search makes millions of copies, and `copy.copy` takes three times as long
        twin._world, twin._fighter, twin.place, twin.hp = self._world, self._fighter, self.place, self.hp
        twin.attack, twin.damage, twin.resistance = self.attack, self.damage, self.resistance
        twin.round_effects, twin.combat, twin.skills = self.round_effects, self.combat, self.skills.copy()
        twin.worn, twin.consumables, twin.inventory = self.worn.copy(), self.consumables.copy(), self.inventory.copy()
        return twin

    # -- gear -------------------------------------------------------------------------------------------------------

    def put_on(self, slot: str, item: Item) -> None:
        """Wear an item. Its origin does not matter here."""
        self.worn[slot] = item.code
        self._add(item.worn, 1)

    def take_off(self, slot: str) -> Code:
        """Empty a slot and return its item. The caller decides where the item goes."""
        code = self.worn.pop(slot)
        self._add(self._world.items[code].worn, -1)
        return code

    def _add(self, stats: Stats, sign: int) -> None:
        self.hp += sign * stats.hp
        calculate = add if sign > 0 else sub
        # Most gear has one of the three only, and to add zeros takes longer than to look for others.
        if any(stats.attack):
            self.attack = tuple(map(calculate, self.attack, stats.attack))
        if any(stats.damage):
            self.damage = tuple(map(calculate, self.damage, stats.damage))
        if any(stats.resistance):
            self.resistance = tuple(map(calculate, self.resistance, stats.resistance))
        if stats.round_effects:
            self.round_effects = add_up(self.round_effects, stats.round_effects, sign)
        self._fighter = None

    @property
    def stats(self) -> Stats:
        """His stats with his gear on."""
        return Stats(self.hp, self.attack, self.damage, self.resistance, self.round_effects)

    @property
    def bare_hp(self) -> int:
        """His health without his gear."""
        return self.hp - sum(self._world.items[code].worn.hp for code in self.worn.values())

    # -- what he carries --------------------------------------------------------------------------------------------

    def receive(self, code: Code, quantity: int) -> None:
        """Put pieces of an item into the bag."""
        self.inventory[code] = self.inventory.get(code, 0) + quantity

    def give(self, code: Code, quantity: int) -> None:
        """Take pieces of an item out of the bag, which must have as many."""
        left = self.inventory[code] - quantity
        if left:
            self.inventory[code] = left
        else:
            del self.inventory[code]

    def stack(self, slot: str, item: Code, quantity: int) -> None:
        """Set the stack of a consumable slot. A quantity of 0 empties it."""
        if quantity > 0:
            self.consumables[slot] = Stack(item, quantity)
        else:
            self.consumables.pop(slot, None)
        self._fighter = None

    # -- fights -----------------------------------------------------------------------------------------------------

    def fighter(self) -> Fighter:
        """Return the hero for a fight now: the same object until his stats or consumables change."""
        if self._fighter is None:
            self._fighter = self._as_fighter()
        return self._fighter

    def _as_fighter(self) -> Fighter:
        if not self.consumables:
            return Fighter(self.stats)  # as nearly always; the rest would only add zeros
        eaten = [(self._world.items[stack.item].eaten, stack.quantity) for _, stack in self.stacks()]
        return Fighter(
            self.stats,
            boost_hp=sum(boost.hp for boost, _ in eaten),
            boost_damage=tuple(sum(column) for column in zip(*(boost.damage for boost, _ in eaten), strict=True)),
            meals=tuple((boost.restore, quantity) for boost, quantity in eaten if boost.restore),
        )

    def stacks(self) -> list[tuple[str, Stack]]:
        """Return the filled consumable slots, in the world's order."""
        slots = (slot for slot in self._world.slots if slot_type(slot) == CONSUMABLE)
        return [(slot, self.consumables[slot]) for slot in slots if slot in self.consumables]

    # -- experience -------------------------------------------------------------------------------------------------

    def practise(self, skill: str, action_level: int, rules: Rules, multiplier: int, times: int) -> int:
        """Gain experience from repeating an action a number of times, and return how much.

        Each time counts at the level reached by then. Between two levels each counts the same, so they are added
        together: the cost does not grow with `times`, which a plan chooses.
        """
        progress = self.skills[skill] = self.skills[skill].copy()  # copies of the hero share the old one
        total = 0
        while times > 0:
            gain = rules.xp_gain(progress.level, action_level) * multiplier
            if not gain:
                break
            stretch = times
            # The times up to the next level, rounded up: until then each gives the same gain. At least one, since a
            # task may start with more than the level takes. At the cap, experience still adds up.
            if progress.level < rules.level_cap:
                stretch = min(times, max(1, -(-(progress.next_level_xp - progress.xp) // gain)))
            progress.xp += gain * stretch
            total += gain * stretch
            times -= stretch
            while progress.level < rules.level_cap and progress.xp >= progress.next_level_xp:
                progress.xp -= progress.next_level_xp
                progress.level += 1
                progress.next_level_xp = rules.next_skill_level(progress.level)
        return total

    def learn_from_victory(self, monster_level: int, rules: Rules) -> int:
        """Gain combat experience from a victory, and return how much."""
        gain = rules.xp_gain(self.combat.level, monster_level)
        self.learn(gain, rules)
        return gain

    def learn(self, xp: int, rules: Rules) -> None:
        """Add combat experience. Each new level adds health for good."""
        progress = self.combat = self.combat.copy()
        progress.xp += xp
        while progress.level < rules.level_cap and progress.xp >= progress.next_level_xp:
            progress.xp -= progress.next_level_xp
            progress.level += 1
            progress.next_level_xp = next_combat_level(progress.level)
            self.hp += rules.hp_per_level
            self._fighter = None  # a new level changes the next fight

    def learn_as(self, combat: Progress, bare_hp: int) -> None:
        """Take over the combat experience of another hero, with the health that it gives without gear."""
        self.hp += bare_hp - self.bare_hp
        self.combat = combat
        self._fighter = None
