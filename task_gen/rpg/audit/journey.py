"""A journey: the steps of a player's plan, each played in a game of the task as soon as it is chosen.

The game says where the hero is, what he owns and wears, and which fights he lost, so no player has to foresee it. Only
places that the prompt tells are visited. The steps are a plan that does the same in the sandbox.

Every player looks at a task through what is told: the items that can be traced down to a told place, seller or monster.
So no player uses a secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from herobench.suites.rpg.game.calls import MOST_CALLS
from herobench.suites.rpg.game.episode import FINISHED, Ending, Episode, gave_up
from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import Score, score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, Place, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import Hunt
from herobench.task_gen.rpg.oracle.steps import Do, Step, Unplannable, as_code, play


class ToldItems:
    """Knows everything that the prompt of one task tells about items and their sources."""

    def __init__(self, world: World, task: Task) -> None:
        self.world = world
        self.task = task
        knows = task.knowledge
        # The prompt tells which places are closed, and nobody gets anything there.
        self._open = tuple(place for place in knows.places if place not in task.mechanics.closed)
        items = [*(world.items[code] for code in (*knows.recipes, *knows.materials)), *knows.noise]
        self.items: Mapping[Code, Item] = {item.code: item for item in sorted(items, key=_place_in_prompt)}
        """The told items with their recipes, in the order of the prompt. Noise is among them, as in the prompt."""
        self.nodes = self._standing("resource")
        self.shops = self._standing("workshop")
        standing = self._standing("monster")
        self.monsters = tuple(code for code in world.monsters if code in standing and code in knows.monsters)
        self.sold = knows.sold if self._standing("grand_exchange") else frozenset[Code]()
        self._traced: dict[Code, bool] = {}

    def _standing(self, kind: str) -> frozenset[Code]:
        standing = self.world.standing(kind)
        return frozenset(standing[place] for place in self._open if place in standing)

    def places(self, kind: str, code: Code | None) -> list[Place]:
        """Return the told places of a thing, or of all things of a kind, that the hero can enter."""
        standing = self.world.standing(kind)
        return [at for at in self._open if at in standing and code in (None, standing[at])]

    @cached_property
    def gear(self) -> tuple[Item, ...]:
        """The told gear, in the order of the prompt."""
        kinds = {slot_type(slot) for slot in gear_slots(self.world)}
        return tuple(item for item in self.items.values() if item.type in kinds)

    @cached_property
    def uses(self) -> Counter[Code]:
        """For each item, the number of told recipes that it is an ingredient of."""
        return Counter(part for item in self.items.values() if item.recipe for part in item.recipe.ingredients)

    def knows_effects(self, code: Code) -> bool:
        """Return whether the prompt tells the effects of an item."""
        return code in self.items or code in self.task.knowledge.stats

    def nodes_of(self, code: Code) -> tuple[Code, ...]:
        """Return the told nodes that give an item."""
        return tuple(node for node in self.world.nodes.get(code, ()) if node in self.nodes)

    def droppers_of(self, code: Code) -> tuple[Code, ...]:
        """Return the told monsters that drop an item, without the target: the task ends when it is beaten."""
        droppers = self.world.droppers.get(code, ())
        return tuple(who for who in droppers if who in self.monsters and who != self.task.target)

    def is_source(self, code: Code) -> bool:
        """Return whether an item can be had without crafting it."""
        hero = self.task.hero
        owned = code in hero.inventory or code in hero.worn.values()
        return owned or code in self.sold or bool(self.nodes_of(code) or self.droppers_of(code))

    def traceable(self, code: Code) -> bool:
        """Return whether an item comes from told sources, or is made at a told workshop from parts that do."""
        if code not in self._traced:
            item = self.items.get(code)
            recipe = item.recipe if item else None
            is_makeable = (
                recipe is not None and recipe.skill in self.shops and all(map(self.traceable, recipe.ingredients))
            )
            # The game knows no recipe of an invented item, whatever its parts are.
            self._traced[code] = self.is_source(code) or (is_makeable and code in self.world.items)
        return self._traced[code]


def _place_in_prompt(item: Item) -> tuple[int, Code]:
    return item.level, item.code


class Journey:
    """A plan in the making, and the game in which it is played."""

    def __init__(self, items_told: ToldItems, rules: Rules, steps: Iterable[Step] = ()) -> None:
        """Start a journey; `steps` are played first. `rules` are the task's own rules."""
        self.told = items_told
        self.rules = rules
        self.game = Game(items_told.world, rules, items_told.task.hero, items_told.task.seed)
        self.steps: list[Step] = []
        self._most = MOST_CALLS  # the sandbox allows no more
        self._gives_up = False
        for step in steps:
            self.take(step)

    @property
    def hero(self) -> Hero:
        """The hero as he is now."""
        return self.game.hero

    def owned(self) -> Counter[Code]:
        """Return what the hero has in his bag and what he wears."""
        return Counter(self.hero.inventory) + Counter(self.hero.worn.values())

    @property
    def actions_left(self) -> int:
        """The number of actions that the sandbox and the budget still allow; none when the game is over."""
        most = min(self._most, self.rules.budget or self._most)
        return 0 if self.game.over else most - len(self.game.events)

    @property
    def plan(self) -> str:
        """The plan as text; empty for a journey without a step."""
        return f'give_up("{self.told.task.target} is out of reach")' if self._gives_up else as_code(self.steps)

    def give_up(self) -> None:
        """Give the task up instead of playing it. A refusal stands alone, so no step may come before or after it."""
        assert not self.steps, "a refusal is the only call of its plan"
        self._gives_up = True

    def take(self, step: Step) -> None:
        """Add a step and play it. The end of the game ends the journey: later steps are left out.

        Raises Unplannable for a step that a straight plan cannot hold.
        """
        if self.told.task.mechanics.plan == "straight" and not isinstance(step, Do):
            raise Unplannable("a straight plan cannot wait for drops that fall by chance")
        if not self.game.over:
            self.steps.append(step)
            play([step], self.game)

    def do(self, action: str, *args: int | str, times: int = 1) -> None:
        """Add an action and play it."""
        self.take(Do(action, args, times))

    def go(self, kind: str, code: Code | None = None) -> None:
        """Go to the first told place of a thing, unless the hero is at one."""
        places = self.told.places(kind, code)
        if places and self.hero.place not in places:
            self.do("move", *places[0])

    def wear(self, loadout: Mapping[str, Code]) -> None:
        """Put on the owned items of a loadout, each in its slot; other slots stay as they are."""
        changes = {slot: code for slot, code in loadout.items() if self.hero.worn.get(slot) != code}
        for slot in changes:
            if slot in self.hero.worn:
                self.do("unequip", slot)
        for slot, code in changes.items():
            if code in self.hero.inventory:
                self.do("equip", slot, code)

    def hunt(self, who: Code, hunt: Hunt) -> None:
        """Beat a monster as often as a hunt says."""
        self.go("monster", who)
        for step in hunt.steps(self.hero.inventory):
            self.take(step)

    def challenge(self, loadout: Mapping[str, Code]) -> bool:
        """Fight the target in a loadout, and return whether the hero won.

        Slots that the loadout does not name hold what the hero wore at the start: hunts may have changed it.
        """
        self.wear({**self.told.task.hero.worn, **loadout})
        self.go("monster", self.told.task.target)
        before = len(self.game.events)
        self.do("fight")
        # Over the budget it is not fought, and the last event is another one.
        fought = self.game.events[-1].detail if len(self.game.events) > before else None
        return isinstance(fought, Fought) and fought.won

    def final_score(self) -> Score:
        """Return the score of the plan so far. A plan with more actions than the sandbox allows is lost there too."""
        items_told, events = self.told, tuple(self.game.events)
        return score(items_told.task, items_told.world, self.rules, Episode(events, self._ending()))

    def _ending(self) -> Ending:
        if self._gives_up:
            # Where no place is closed, the sandbox knows no such call.
            return gave_up("", None) if self.told.task.mechanics.closed else Ending("error")
        return FINISHED if len(self.game.events) <= self._most else Ending("limit")
