"""Rules of thumb for questions about the hero's world: they read what is told, and play nothing.

The players `shortcut:NAME` go by them, and the generator takes care that each is seldom right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from herobench.suites.acp.hero.question import action_text
from herobench.suites.acp.hero.scene import BEAT, HAVE, WEAR, HeroScene
from herobench.suites.rpg.game.events import Action

Plan = Sequence[Action]

# -- what can never be ------------------------------------------------------------------------------------------------


def _level(scene: HeroScene, code: object) -> int:
    return scene.world.items[str(code)].level


def _craft_level(scene: HeroScene, code: object) -> int:
    recipe = scene.world.items[str(code)].recipe
    return recipe.level if recipe else 0


def _gear(scene: HeroScene) -> list[str]:
    """Return the gear that is told and that the hero does not have, from the lowest level to the highest.

    Of gear of one level, the first by its code stands last.
    """
    hero = scene.task.hero
    codes = {code for slot in scene.world.slots for code in scene.wearable(slot)}
    mine = {*hero.inventory, *hero.worn.values()}
    return sorted(sorted(codes - mine, reverse=True), key=lambda code: _level(scene, code))


def _made(scene: HeroScene) -> list[str]:
    """Return what can be crafted, from the lowest level of a recipe to the highest."""
    codes = sorted((code for code, item in scene.world.items.items() if item.recipe), reverse=True)
    return sorted(codes, key=lambda code: _craft_level(scene, code))


def _strongest(scene: HeroScene) -> str | None:
    monsters = sorted(scene.world.monsters.values(), key=lambda who: (who.level, who.code))
    return f"{BEAT} {monsters[-1].code}" if monsters else None


def _of(scene: HeroScene, name: str) -> list[Action]:
    return [action for action in scene.actions() if action.name == name]


def _last(texts: Iterable[str]) -> str | None:
    return next(reversed(list(texts)), None)


def _putting_on(scene: HeroScene) -> list[Action]:
    """Return how gear that the hero does not have is put on, the highest level last."""
    gear = _gear(scene)
    found = [action for action in reversed(_of(scene, "equip")) if action.args[2] in gear]
    return sorted(found, key=lambda action: _level(scene, action.args[2]))


def _uncrafted(scene: HeroScene) -> str | None:
    found = (each for each in _putting_on(scene) if not scene.world.items[str(each.args[2])].recipe)
    return next(map(action_text, found), None)


Never = Callable[[HeroScene], str | None]
NEVER: Mapping[str, Mapping[str, Never]] = {
    "none": {"reach": lambda scene: None, "areach": lambda scene: None},
    "first": {"reach": lambda scene: scene.facts()[0], "areach": lambda scene: action_text(scene.actions()[0])},
    "last": {"reach": lambda scene: scene.facts()[-1], "areach": lambda scene: action_text(scene.actions()[-1])},
    "strongest": {"reach": _strongest},
    "highest": {
        "reach": lambda scene: _last(f"{WEAR} {code}" for code in _gear(scene)),
        "areach": lambda scene: _last(map(action_text, _putting_on(scene))),
    },
    "costliest": {
        "reach": lambda scene: _last(f"{HAVE} {code}" for code in _made(scene)),
        "areach": lambda scene: _last(f"craft({code}, 1)" for code in _made(scene)),
    },
    "uncrafted": {"areach": _uncrafted},
    "bare": {
        "areach": lambda scene: next(
            (action_text(each) for each in _of(scene, "unequip") if each.args[1] not in scene.task.hero.worn), None
        )
    },
}
"""The rules that name something impossible, by their names and tasks. None is an answer too."""

# -- what can be left out ---------------------------------------------------------------------------------------------


def _pair(plan: Plan, looks: Callable[[Action, Action], bool]) -> list[int]:
    return next(([at, at + 1] for at in range(len(plan) - 1) if looks(plan[at], plan[at + 1])), [])


def _is_same(one: Action, other: Action) -> bool:
    return sorted(map(str, one.args)) == sorted(map(str, other.args))


def _hunt(plan: Plan) -> list[int]:
    """Return the first fight of the longest hunt."""
    at, hunts = 0, []
    for action, run in groupby(plan):
        length = len(list(run))
        hunts += [(length, -at)] if action.name == "fight" else []
        at += length
    return [-max(hunts)[1]] if hunts else []


LEFT_OUT: Mapping[str, Callable[[Plan], list[int]]] = {
    "first": lambda plan: [0],
    "last": lambda plan: [len(plan) - 1],
    "pair": lambda plan: _pair(plan, _is_same),
    "return": lambda plan: _pair(plan, lambda one, other: one.name == other.name == "move"),
    "opposite": lambda plan: _pair(plan, lambda one, other: {one.name, other.name} == {"equip", "unequip"}),
    "repeat": lambda plan: next(([at] for at, action in enumerate(plan) if action in plan[:at]), []),
    "hunt": _hunt,
}
"""The rules that leave something out of a plan; nothing, where nothing looks superfluous."""


def shortcut_answer(rule: str, task: str, scene: HeroScene, plan: Plan) -> tuple[Any, ...]:
    """Return the answer of a rule, alone in a tuple; an empty one if the rule says nothing of the task."""
    if task == "just" and rule in LEFT_OUT:
        return (LEFT_OUT[rule](plan) or [len(plan) - 1],)
    answer = NEVER.get(rule, {}).get(task)
    return () if answer is None else (answer(scene),)
