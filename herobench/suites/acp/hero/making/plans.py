"""Drafts for val and just: where a changed plan fails first, and how a padded plan can be shortened."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from herobench.rpg.events import Action
from herobench.suites.acp.hero.action import act
from herobench.suites.acp.hero.making.draft import Draft
from herobench.suites.acp.hero.making.source import Source
from herobench.suites.acp.hero.making.text import numbered
from herobench.suites.acp.hero.scene import Scene
from herobench.suites.acp.hero.universe import actions_of

Plan = tuple[Action, ...]
_LEAST = 3
"""The fewest actions of a plan that is asked about."""
_UNREFUSED = 1 / 6
"""The part of the questions of val in whose plan nothing is refused."""
_MOST_DETOURS = 2


def val(source: Source, chance: Random, luck: float) -> Draft | None:
    """Leave out, move or weaken one action of a plan. The answer is where the plan is refused first, often far behind.

    Some questions get a change because of which nothing is refused: then the answer is None.
    """
    scene, rest = source.cut(chance, _LEAST)
    if len(rest) < _LEAST:
        return None
    wants_refusal = luck > _UNREFUSED
    plan = chance.choice((_without, _moved, _weakened))(rest, chance)
    refused = first_refused(scene, plan)
    if (refused is not None) != wants_refusal:
        return None
    return Draft(scene, refused, plan, {"plan": numbered(plan)})


def first_refused(scene: Scene, plan: Plan) -> int | None:
    """Return the number of the first action that is refused; None if there is none."""
    game = scene.game()
    return next((number for number, action in enumerate(plan) if not game.act(action).ok), None)


def _without(plan: Plan, chance: Random) -> Plan:
    index = chance.randrange(len(plan))
    return plan[:index] + plan[index + 1 :]


def _moved(plan: Plan, chance: Random) -> Plan:
    index, target = chance.sample(range(len(plan)), 2)
    rest = [*plan[:index], *plan[index + 1 :]]
    return (*rest[:target], plan[index], *rest[target:])


def _weakened(plan: Plan, chance: Random) -> Plan:
    """Return the plan with a gathering, purchase or craft of one piece less; unchanged if it has none to weaken."""
    strong = [index for index, action in enumerate(plan) if _quantity(action) > 1]
    if not strong:
        return plan
    index = chance.choice(strong)
    action = plan[index]
    less = action._replace(args=(*action.args[:-1], _quantity(action) - 1))
    return (*plan[:index], less, *plan[index + 1 :])


def _quantity(action: Action) -> int:
    quantity = action.args[-1] if action.name in ("gather", "craft", "buy") else 0
    return quantity if isinstance(quantity, int) else 0


def just(source: Source, chance: Random, luck: float) -> Draft | None:
    """Splice detours into a plan: actions that are carried out and that it can do without, as play proves."""
    scene, rest = source.cut(chance, _LEAST)
    if len(rest) < _LEAST:
        return None
    marked = [(action, False) for action in rest]
    for _ in range(chance.randint(1, _MOST_DETOURS)):
        at = chance.randrange(len(marked))
        detour = chance.choice(_DETOURS)(scene.after(action for action, _ in marked[:at]), chance)
        marked[at:at] = [(action, True) for action in detour]
    plan = tuple(action for action, _ in marked)
    spliced = [number for number, (_, is_spliced) in enumerate(marked) if is_spliced]
    if not spliced or not scene.wins(plan) or first_refused(scene, plan) is not None:
        return None
    kept = [action for action, is_spliced in marked if not is_spliced]
    return Draft(scene, spliced, plan, {"plan": numbered(plan)}) if scene.wins(kept) else None


def _there_and_back(scene: Scene, chance: Random) -> list[Action]:
    here = scene.task.hero.place
    there = chance.choice([place for place in sorted(scene.world.tiles) if place != here])
    return [act("move", *there), act("move", *here)]


def _work(scene: Scene, chance: Random) -> list[Action]:
    """Return an action that can be carried out here: a gathering, a fight, a purchase or a craft of one piece."""
    kinds = ("gather", "fight", "buy", "craft")
    able = [action for action in actions_of(scene) if action.name in kinds and scene.game().act(action).ok]
    return [chance.choice(able)] if able else []


def _off_and_on(scene: Scene, chance: Random) -> list[Action]:
    worn = sorted(scene.task.hero.worn.items())
    if not worn:
        return []
    slot, code = chance.choice(worn)
    return [act("unequip", slot), act("equip", slot, code)]


_DETOURS: tuple[Callable[[Scene, Random], list[Action]], ...] = (_there_and_back, _work, _off_and_on)
