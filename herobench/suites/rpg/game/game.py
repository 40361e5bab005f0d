"""The game: applies actions to a hero in a world, and records one event for each.

Pure: no files, no clock, no global randomness. Drops that go by rates come from the seed, so the same hero, seed and
actions always give the same events. The order in which an action's conditions are checked is part of the rules,
because the first that fails gives the status. The sandbox plays plans on it, the scorer replays them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.suites.rpg.game.events import (
    OK,
    Action,
    Bought,
    Crafted,
    CraftRefused,
    Detail,
    Equipped,
    Event,
    Fought,
    Gathered,
    Moved,
    Refusal,
    RefusedAction,
    Unequipped,
    bound,
    check_slot,
    pieces,
    unprocessable,
)
from herobench.suites.rpg.game.hero import NAME, Hero, HeroStart
from herobench.suites.rpg.game.rules import CRAFTING, GATHERING, Duel, Rules, duel
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Drop, Item, Monster, World, slot_type

MOST_CHANCES = 100
"""The most swings of one gather if drops go by rates. Each swing is drawn, so this bounds the cost of a call."""
_TOO_MANY_CHANCES = f"at most {MOST_CHANCES} expected where drops go by their rates."

_SLOTTED = frozenset({"equip", "unequip"})


_new: Callable[..., Any] = tuple.__new__
"""Makes a named tuple. Its own constructor takes twice as long, and a run has millions of events."""
_fought = lru_cache(maxsize=4096)(duel)
"""The duel, kept also for a hero who puts the same gear on again, and for the next game."""


class GameOver(Exception):
    """Raised by an action after the game has ended. It changes and records nothing."""


class OverBudget(GameOver):
    """Raised by the first action beyond the budget. It ends the game."""


class Game:
    """A hero in a world, under rules. `act` is the only way to change it; `events` has all events so far.

    It is `over` after the first lost fight if a defeat is final, and after an attempt beyond the budget."""

    def __init__(self, world: World, rules: Rules, start: HeroStart, seed: int = 0) -> None:
        self.world = world
        self.rules = rules
        self.hero = Hero(world, start)
        self.events: list[Event] = []
        self.over = False
        # Counted here, because callers with long plans may empty the list of events.
        self._left = math.inf if rules.budget is None else rules.budget
        self._chance = Random(seed)  # noqa: S311 - a game's chance, not a secret
        # Duels are kept while the hero's stats stay the same object: plans fight the same monster many times.
        self._duels: dict[Code, Duel] = {}
        self._fighter: object = None
        self._monsters = world.standing("monster")
        self._resources = world.standing("resource")
        self._workshops = world.standing("workshop")
        self._exchanges = world.standing("grand_exchange")
        self._closed = frozenset((x, y) for x, y in rules.closed)
        self._ground = world.tiles.keys() if rules.ground is None else frozenset((x, y) for x, y in rules.ground)
        self._sold = world.exchange_sells if rules.for_sale is None else frozenset(rules.for_sale)

    def fork(self) -> Game:
        """Return a copy that goes on by itself, with the events so far."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.hero = self.hero.copy()
        twin.events = self.events.copy()
        if self.rules.drops == "by_rate":  # the only chance of a game, and large
            twin._chance = Random()  # noqa: S311 - a game's chance, not a secret
            twin._chance.setstate(self._chance.getstate())
        twin._duels, twin._fighter = {}, None
        return twin

    def act(self, action: Action) -> Event:
        """Carry out an action, or refuse it. Raises CallError, and records nothing, if the call does not fit.

        Raises GameOver once the game is over, and OverBudget if this action ends it."""
        if self.over:
            raise GameOver
        # Before the call is read: any call comes too late.
        if not self._left:
            self.over = True
            raise OverBudget
        try:
            kind, args, keywords, _ = action
            name, *rest = bound(kind, args, keywords)
            # Before the hero's name, as published: a wrong slot is a wrong value, and values are checked first.
            if kind in _SLOTTED:
                check_slot(self.world, rest[0])
            if name != NAME:
                raise RefusedAction(Refusal.UNKNOWN_HERO)
            detail = _HANDLERS[kind](self, *rest)
            event: Event = _new(Event, (action, OK, "", detail))
        except RefusedAction as refused:
            event = Event(action, refused.refusal.code, refused.reason, refused.detail)
        # Refused actions are events as well: the paper's failure classes count them.
        self.events.append(event)
        self._left -= 1
        return event

    # -- the seven actions ------------------------------------------------------------------------------------------

    def _move(self, x: int, y: int) -> Moved:
        place = (x, y)
        if place not in self.world.tiles:
            raise RefusedAction(Refusal.UNKNOWN_PLACE)
        if place == self.hero.place:
            raise RefusedAction(Refusal.ALREADY_THERE)
        if place in self._closed or place not in self._ground:
            raise RefusedAction(Refusal.CLOSED)
        self.hero.place = place
        done: Moved = _new(Moved, (place,))
        return done

    def _fight(self) -> Fought:
        hero = self.hero
        code = self._monsters.get(hero.place)
        if code is None:
            raise RefusedAction(Refusal.NO_MONSTER_HERE)
        monster = self.world.monsters[code]
        result = self._duel(monster)
        # What was eaten is gone, whether he won or not.
        if hero.consumables:
            self._consume(result)
        xp = 0
        drops: tuple[tuple[Code, int], ...] = ()
        if result.won:
            xp = hero.learn_from_victory(monster.level, self.rules)
            drops = self._fall(monster.drops, 1)
        # Only death sends the hero back. A fight that runs out of rounds is lost too, but he stays.
        elif result.died:
            hero.place = self.world.start
        self.over = not result.won and self.rules.defeat == "final"
        done: Fought = _new(Fought, (code, result.won, result.rounds, result.hero_hp, result.monster_hp, xp, drops))
        return done

    def _gather(self, quantity: int) -> Gathered:
        hero = self.hero
        code = self._resources.get(hero.place)
        if code is None:
            raise RefusedAction(Refusal.NO_RESOURCE_HERE)
        resource = self.world.resources[code]
        if hero.skills[resource.skill].level < resource.level:
            raise RefusedAction(Refusal.SKILL_TOO_LOW)
        # Our own limit, so it comes after all of the published checks.
        if quantity > MOST_CHANCES and self.rules.drops == "by_rate":
            raise unprocessable("quantity", _TOO_MANY_CHANCES)
        xp = hero.practise(resource.skill, resource.level, self.rules, GATHERING, quantity)
        return Gathered(code, resource.skill, quantity, xp, self._fall(resource.drops, quantity))

    def _craft(self, code: Code, quantity: int) -> Crafted:
        hero = self.hero
        recipe = self.world.recipe_of(code)
        if recipe is None:
            raise RefusedAction(Refusal.NO_RECIPE)
        # All three checks are made before any refuses: the published reply names everything that is wrong.
        workshop = self._workshops.get(hero.place)
        # The early published runs took any workshop for any craft: the check of the skill came later.
        at_workshop = workshop == recipe.skill or (workshop is not None and self.rules.workshop == "any")
        level = hero.skills[recipe.skill].level
        bag = hero.inventory
        lacking = tuple(
            (part, number * quantity, bag.get(part, 0))
            for part, number in recipe.ingredients.items()
            if bag.get(part, 0) < number * quantity
        )
        if not at_workshop or level < recipe.level or lacking:
            places = (hero.place,) if at_workshop else self.world.places_of("workshop", recipe.skill)
            raise RefusedAction(
                Refusal.CRAFT_FAILED, detail=CraftRefused(
                    code, quantity, recipe.skill, at_workshop, places[0] if places else None, hero.place,
                    level >= recipe.level, recipe.level, level, not lacking, lacking,
                ),
            )  # fmt: skip
        for part, number in recipe.ingredients.items():
            hero.give(part, number * quantity)
        # One piece for each set of ingredients: the published game ignores the number that its recipes state.
        hero.receive(code, quantity)
        xp = hero.practise(recipe.skill, recipe.level, self.rules, CRAFTING, quantity)
        done: Crafted = _new(Crafted, (code, recipe.skill, quantity, xp))
        return done

    def _equip(self, slot: str, code: Code, quantity: int | None) -> Equipped:
        kind = slot_type(slot)
        if kind == CONSUMABLE:
            return self._equip_consumable(slot, code, quantity)
        # The slot is checked before the item, so a missing item still gets the status of the full slot.
        if slot in self.hero.worn:
            raise RefusedAction(Refusal.SLOT_FULL)
        # The bag gives one piece: the quantity matters for consumables only.
        item = self._wearable(kind, code)
        self.hero.give(code, 1)
        self.hero.put_on(slot, item)
        done: Equipped = _new(Equipped, (slot, code, 1))
        return done

    def _equip_consumable(self, slot: str, code: Code, quantity: int | None) -> Equipped:
        """Put consumables into a slot, as published.

        One owned piece is enough for any quantity. Another consumable in the slot is lost, and its number of pieces is
        added to the new stack.
        """
        hero = self.hero
        self._wearable(CONSUMABLE, code)
        count = pieces("equip", quantity)
        stack = hero.consumables.get(slot)
        if stack and stack.item == code and stack.quantity + count > self.rules.stack_limit:
            reason = Refusal.STACK_FULL.reason.format(most=self.rules.stack_limit)
            raise RefusedAction(Refusal.STACK_FULL, reason)
        hero.give(code, min(hero.inventory[code], count))
        hero.stack(slot, code, count + (stack.quantity if stack else 0))
        return Equipped(slot, code, count)

    def _wearable(self, kind: str, code: Code) -> Item:
        item = self.world.items.get(code)
        if item is None:
            raise RefusedAction(Refusal.UNKNOWN_ITEM)
        if item.level > self.hero.combat.level:
            raise RefusedAction(Refusal.LEVEL_TOO_LOW)
        if item.type != kind:
            raise RefusedAction(Refusal.WRONG_SLOT)
        if code not in self.hero.inventory:
            raise RefusedAction(Refusal.NOT_OWNED)
        return item

    def _unequip(self, slot: str, quantity: int | None) -> Unequipped:
        hero = self.hero
        if slot_type(slot) == CONSUMABLE:
            return self._unequip_consumable(slot, quantity)
        if slot not in hero.worn:
            raise RefusedAction(Refusal.SLOT_EMPTY)
        # The bag has no limit, as published, so there is always room.
        code = hero.take_off(slot)
        hero.receive(code, 1)
        done: Unequipped = _new(Unequipped, (slot, code, 1))
        return done

    def _unequip_consumable(self, slot: str, quantity: int | None) -> Unequipped:
        stack = self.hero.consumables.get(slot)
        if stack is None:
            raise RefusedAction(Refusal.SLOT_EMPTY)
        count = pieces("unequip", quantity)
        if stack.quantity < count:
            raise RefusedAction(Refusal.TOO_FEW_IN_SLOT)
        self.hero.stack(slot, stack.item, stack.quantity - count)
        self.hero.receive(stack.item, count)
        return Unequipped(slot, stack.item, count)

    def _buy(self, code: Code, quantity: int) -> Bought:
        if self.hero.place not in self._exchanges:
            raise RefusedAction(Refusal.NO_EXCHANGE_HERE)
        if code not in self._sold:
            raise RefusedAction(Refusal.NOT_FOR_SALE)
        # Free of charge and in any quantity, as published. Gold is shown, but nothing takes it.
        self.hero.receive(code, quantity)
        return Bought(code, quantity)

    # -- fights and drops -------------------------------------------------------------------------------------------

    def _duel(self, monster: Monster) -> Duel:
        """Return the duel from the present state. It is deterministic, so it is fought once for each state."""
        fighter = self.hero.fighter()
        if fighter is not self._fighter:
            self._fighter = fighter
            self._duels.clear()
        result = self._duels.get(monster.code)
        if result is None:
            result = self._duels[monster.code] = _fought(fighter, monster.stats, *self.rules.bout)
        return result

    def _consume(self, result: Duel) -> None:
        """Remove the consumables that a fight used up, as published.

        A restoring stack loses the pieces that were eaten. A boosting stack is lost if it has no more pieces than the
        item has effects; otherwise it stays whole.
        """
        # `stacks` has the same order as the meals of the fighter.
        eaten = iter(result.eaten)
        for slot, stack in self.hero.stacks():
            boost = self.world.items[stack.item].eaten
            left = stack.quantity - next(eaten) if boost.restore else stack.quantity
            # The published code counts down a copy of the number only, so a larger boosting stack never shrinks.
            if boost.effects and left <= boost.effects:
                left = 0
            if left != stack.quantity:
                self.hero.stack(slot, stack.item, left)

    def _fall(self, drops: tuple[Drop, ...], times: int) -> tuple[tuple[Code, int], ...]:
        """Put the drops of `times` swings or victories into the bag, and return them."""
        # One multiplication, since a plan may ask for 10**9 swings.
        if self.rules.drops == "sure":
            items = tuple([(drop.item, drop.least * times) for drop in drops])
        else:
            draws = [(drop.item, sum(self._draw(drop) for _ in range(times))) for drop in drops]
            items = tuple((item, quantity) for item, quantity in draws if quantity)
        for item, quantity in items:
            self.hero.receive(item, quantity)
        return items

    def _draw(self, drop: Drop) -> int:
        if self._chance.random() * drop.one_in >= self.rules.drop_scale:
            return 0
        # Drawn even without a choice: one draw less would change all later drops of every seed.
        return drop.least + int(self._chance.random() * (drop.most - drop.least + 1))


_HANDLERS: Mapping[str, Callable[..., Detail]] = MappingProxyType(
    {
        "move": Game._move,
        "fight": Game._fight,
        "equip": Game._equip,
        "unequip": Game._unequip,
        "gather": Game._gather,
        "craft": Game._craft,
        "buy": Game._buy,
    }
)
