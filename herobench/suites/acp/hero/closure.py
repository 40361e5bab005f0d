"""What can ever come about from a state if levels stay: items that are had or worn, and monsters that are beaten.

It is the least fixed point of gathering, buying, crafting and fighting. All of these can be repeated without end, so
amounts do not bind, except those of items that the hero has now and cannot get again: they may be used up. Hence two
closures. The generous one lets him use such items as often as he likes; what it lacks can never be. The strict one
does not let him use them up at all; what it has can be. A question is asked only where both agree. The reach of
impossible tasks (`task_gen/rpg/unsolvable`) is another claim: levels rise there, and fights are bounded, not decided.

A closure may leave a fact out, as if the hero had sworn never to let it come about: to have an item, to wear it, to
beat a monster, or to visit what stands on a tile. What is then out of reach needs the fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from herobench.suites.acp.hero.scene import BEAT, HAVE, VISIT, WEAR, HeroScene
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.world import Code, Drop, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.gear.search import GearSearch

OwnedGear = frozenset[tuple[Code, int]]
"""The gear that the hero can put on, each item with the number of pieces that he can have at once."""
_MANY = 99
"""More pieces than there are slots."""


class Oath(NamedTuple):
    """A fact that must not come about; empty for none."""

    verb: str = ""
    code: Code = ""

    def forbids(self, verb: str, code: Code) -> bool:
        """Return whether a fact is the forbidden one."""
        return (verb, code) == self


NONE = Oath()


class OwnedGearFights:
    """Which monsters the hero beats in some of the gear that he owns, found out once."""

    def __init__(self, scene: HeroScene) -> None:
        self._world, self._rules = scene.world, scene.rules
        self._bare = Hero(scene.world, replace(scene.task.hero, worn={})).stats
        self._known: dict[tuple[Code, OwnedGear], bool] = {}

    def can_beat(self, who: Code, owned: OwnedGear) -> bool:
        """Return whether some of the owned gear, each slot filled or empty, wins."""
        if (who, owned) not in self._known:
            self._known[who, owned] = any(self._winning(who, owned))
        return self._known[who, owned]

    def _winning(self, who: Code, owned: OwnedGear) -> Iterator[bool]:
        # A set within the numbers of pieces holds a minimal winning set within them, so the minimal sets decide.
        pieces = dict(owned)
        items = [self._world.items[code] for code in sorted(pieces)]
        options = {
            name: (None, [item for item in items if item.type == slot_type(name)]) for name in gear_slots(self._world)
        }
        search = GearSearch.among(self._world, self._rules, self._world.monsters[who], self._bare, options)
        for gear in search.minimal_sets():
            if all(count <= pieces[code] for code, count in Counter(gear.values()).items()):
                yield True


@dataclass(frozen=True)
class Closure:
    """The closure of a scene. The fields after the first three are what it found."""

    scene: HeroScene
    generous: bool
    oath: Oath
    had: frozenset[Code]
    """The items that the hero has now or can get."""
    endless: frozenset[Code]
    """The items that he can get, and so in any number."""
    made: frozenset[Code]
    """The items that he can craft."""
    beaten: frozenset[Code]

    @classmethod
    def of(cls, scene: HeroScene, fights: OwnedGearFights, *, generous: bool, oath: Oath = NONE) -> Closure:
        """Find the least fixed point."""
        hero = scene.task.hero
        owned = frozenset((*hero.inventory, *hero.worn.values()))
        now = cls(scene, generous, oath, owned, frozenset(), frozenset(), frozenset())
        while True:
            then = now._worked()
            if then == now:
                then = now._fought(fights)
            if then == now:
                return now
            now = then

    @property
    def reaches_goal(self) -> bool:
        """True if the goal of the task can be reached."""
        task = self.scene.task
        return task.target in (self.beaten if task.kind == "kill" else self.made)

    def holds(self, fact: str) -> bool:
        """Return whether a fact is so now or can come about."""
        verb, code = fact.split()
        match verb:
            case "have":
                return code in self.had
            case "wear":
                return code in self.scene.task.hero.worn.values() or self._can_put_on(code)
            case "beat":
                return code in self.beaten
        return True

    def allows(self, action: Action) -> bool:
        """Return whether an action can be carried out at some time."""
        args = [str(arg) for arg in action.args[1:]]
        match action.name:
            case "gather":
                return bool(self._nodes)
            case "craft":
                return args[0] in self.made
            case "equip":
                return self._can_put_on(args[1])
            case "unequip":
                fitting = (code for code in self.had if self._type(code) == slot_type(args[0]))
                return args[0] in self.scene.task.hero.worn or any(map(self._can_put_on, fitting))
        return True

    # -- one step of the fixed point --------------------------------------------------------------------------------

    def _worked(self) -> Closure:
        usable = self.had if self.generous else self.endless
        made = {
            code
            for code, item in self._world.items.items()
            if item.recipe
            and self._may_visit("workshop", item.recipe.skill)
            and self._skill(item.recipe.skill) >= item.recipe.level
            and usable.issuperset(item.recipe.ingredients)
        }
        made = {code for code in made if not self.oath.forbids(HAVE, code)}
        return self._with({*self._gathered, *self._bought, *made}, made=frozenset(made))

    def _fought(self, fights: OwnedGearFights) -> Closure:
        owned = self._owned_gear()
        beaten = {
            code
            for code, who in self._world.monsters.items()
            if self._may_visit("monster", code)
            and not self.oath.forbids(BEAT, code)
            and self._may_take(who.drops)
            and (code in self.beaten or fights.can_beat(code, owned))
        }
        drops = {drop.item for code in beaten for drop in self._world.monsters[code].drops}
        return replace(self._with(drops), beaten=frozenset(beaten))

    def _with(self, items: Iterable[Code], made: frozenset[Code] | None = None) -> Closure:
        got = self.endless.union(items)
        return replace(self, endless=got, had=self.had | got, made=self.made if made is None else made)

    def _owned_gear(self) -> OwnedGear:
        hero = self.scene.task.hero
        owned = Counter(hero.inventory) + Counter(hero.worn.values())
        # What is worn may stay on, whatever its level.
        kept = hero.worn.values() if self.generous else ()
        usable = {code for code in self.had if self._can_put_on(code) or code in kept}
        return frozenset(
            (code, _MANY if code in self.endless else owned[code])
            for code in usable
            if not self.oath.forbids(WEAR, code)
        )

    # -- what may be done -------------------------------------------------------------------------------------------

    @property
    def _world(self) -> World:
        return self.scene.world

    @cached_property
    def _nodes(self) -> tuple[Code, ...]:
        nodes = self._world.resources.items()
        return tuple(
            code
            for code, node in nodes
            if self._may_visit("resource", code)
            and self._skill(node.skill) >= node.level
            and self._may_take(node.drops)
        )

    @property
    def _gathered(self) -> frozenset[Code]:
        return frozenset(drop.item for code in self._nodes for drop in self._world.resources[code].drops)

    @property
    def _bought(self) -> frozenset[Code]:
        exchange = self._world.standing("grand_exchange").values()
        sold = self._world.exchange_sells if any(self._may_visit("grand_exchange", code) for code in exchange) else ()
        return frozenset(code for code in sold if not self.oath.forbids(HAVE, code))

    def _may_visit(self, kind: str, code: Code) -> bool:
        return bool(self._world.places_of(kind, code)) and not self.oath.forbids(VISIT, code)

    def _may_take(self, drops: Iterable[Drop]) -> bool:
        """Return whether none of the drops is the item that must not be had: they all fall, whether wanted or not."""
        return not any(self.oath.forbids(HAVE, drop.item) for drop in drops)

    def _skill(self, skill: str) -> int:
        return self.scene.task.hero.skills[skill][0]

    def _can_put_on(self, code: Code) -> bool:
        item = self._world.items.get(code)
        fits = item is not None and any(slot_type(slot) == item.type for slot in self._world.slots)
        return fits and code in self.had and item is not None and item.level <= self.scene.task.hero.combat[0]

    def _type(self, code: Code) -> str:
        item = self._world.items.get(code)
        return item.type if item else ""
