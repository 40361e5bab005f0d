"""A position: a game of a task, and whether its goal is reached. It can be copied, compared, and put back together.

The search for edits plays thousands of plans that differ from another in one step. Most of them soon come to the same
position as the other plan, or differ from it in things that the next steps do not touch. So a position says in which
things it differs from another one (`difference`), and can be made from another one by these differences (`patch`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.suites.rpg.game.events import Action, CallError, Event
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.hero import Progress
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import forfeits, reaches_goal
from herobench.suites.rpg.game.task import Task, reaches
from herobench.suites.rpg.game.world import World

Aspect = str | tuple[str, str]
"""A thing in which positions can differ: `place`, `combat`, `goal`, or a kind with a name, as `("worn", "ring")`."""
Difference = Mapping[Aspect, Any]


class GamePosition:
    """A game of a task that knows whether the goal is reached."""

    __slots__ = ("failed", "game", "played", "reached", "task")

    def __init__(self, world: World, rules: Rules, task: Task) -> None:
        """Begin a task under an edition of the rules."""
        self.game = Game(world, task.rules(rules), task.hero, task.seed)
        self.task = task
        self.played = 0
        self.reached = self.failed = False
        """`failed` is True if nothing that was reached counts: a call was no action, or the task is forfeited."""

    @classmethod
    def of(cls, task: Task, game: Game) -> GamePosition:
        """Return where a game stands. The position goes on by itself."""
        position = cls.__new__(cls)
        position.game, position.task = game.fork(), task
        position.game.events.clear()
        position.played = len(game.events)
        position.reached = reaches_goal(task, game.events)
        position.failed = game.rules.failed_craft_is_logged and any(
            forfeits(task, game.rules, event) for event in game.events
        )
        return position

    def fork(self) -> GamePosition:
        """Return a copy that goes on by itself."""
        twin = GamePosition.__new__(GamePosition)
        twin.game, twin.task = self.game.fork(), self.task
        twin.played, twin.reached, twin.failed = self.played, self.reached, self.failed
        return twin

    @property
    def won(self) -> bool:
        """True if the goal is reached, and counts."""
        return self.reached and not self.failed

    @property
    def ended(self) -> bool:
        """True if no further step can be taken."""
        budget = self.game.rules.budget
        return self.failed or self.game.over or (budget is not None and self.played >= budget)

    def act(self, action: Action) -> Event | None:
        """Carry out a call. Return its event, or None if it ended the plan without one."""
        try:
            event = self.game.act(action)
        except GameOver:
            return None
        except (CallError, KeyError):  # a KeyError is a function that the game does not have
            self.failed = True
            return None
        self.game.events.clear()
        self.played += 1
        self.reached = self.reached or reaches(self.task, event)
        self.failed = forfeits(self.task, self.game.rules, event)
        return event

    @property
    def is_plain(self) -> bool:
        """True if what can happen next depends on nothing but the hero and whether the goal is reached: no budget runs
        out, and nothing falls by chance."""
        rules = self.game.rules
        return rules.budget is None and rules.drops == "sure"

    # -- differences ------------------------------------------------------------------------------------------------

    def difference(self, other: GamePosition) -> dict[Aspect, Any]:
        """Return in which things this position differs from another, each with its value here; of items how many more.

        Experience beyond the highest level changes nothing, so it is left out.
        """
        hero, base = self.game.hero, other.game.hero
        cap = self.game.rules.level_cap
        aspects: dict[Aspect, Any] = {}
        if hero.place != base.place:
            aspects["place"] = hero.place
        if self.reached != other.reached:
            aspects["goal"] = self.reached
        if not self.is_plain and self.played != other.played:
            aspects["played"] = self.played
        for kind, mine, others in (("worn", hero.worn, base.worn), ("food", hero.consumables, base.consumables)):
            if mine != others:
                slots = {*mine, *others}
                aspects |= {(kind, slot): mine.get(slot) for slot in slots if mine.get(slot) != others.get(slot)}
        bag, bags = hero.inventory, base.inventory
        if bag != bags:
            more = {code: bag.get(code, 0) - bags.get(code, 0) for code in {*bag, *bags}}
            aspects |= {("have", code): number for code, number in more.items() if number}
        if hero.skills != base.skills:
            for skill, progress in hero.skills.items():
                if _differ(progress, base.skills[skill], cap):
                    aspects["skill", skill] = progress.as_tuple()
        if _differ(hero.combat, base.combat, cap):
            aspects["combat"] = (hero.combat.as_tuple(), hero.bare_hp)
        return aspects

    def patch(self, difference: Difference) -> GamePosition:
        """Return a copy that differs from this position in the given things. Both have to be plain."""
        twin = self.fork()
        hero = twin.game.hero
        items = twin.game.world.items
        for aspect, value in difference.items():
            kind, name = aspect if isinstance(aspect, tuple) else (aspect, "")
            if kind == "place":
                hero.place = value
            elif kind == "goal":
                twin.reached = value
            elif kind == "worn":
                if name in hero.worn:
                    hero.take_off(name)
                if value is not None:
                    hero.put_on(name, items[value])
            elif kind == "food":
                hero.consumables.pop(name, None)
                hero.stack(name, *((value.item, value.quantity) if value else ("", 0)))
            elif kind == "have":
                hero.receive(name, value)
                if not hero.inventory[name]:
                    del hero.inventory[name]
            elif kind == "skill":
                hero.skills[name] = Progress(*value)
            elif kind == "combat":
                combat, bare_hp = value
                hero.learn_as(Progress(*combat), bare_hp)
        return twin


def _differ(one: Progress, other: Progress, cap: int) -> bool:
    """Return whether two progresses differ. Beyond the highest level nothing changes."""
    return one is not other and one.as_tuple() != other.as_tuple() and min(one.level, other.level) < cap
