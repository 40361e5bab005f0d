"""Render what a lane tells beyond the task: the gear in which a certified plan fights, or all steps of the plan.

The lane `plan` tells nothing more. What is told is read from the certificate, and never shown as code. A prompt of the
lane `gear` gives the order of fights away only by the one for the goal: the others are sorted by monster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from herobench.data.errors import UsageError
from herobench.prompts.words import load_words
from herobench.suites.rpg.game.decisions import Decision, certified_decisions, plan_decisions
from herobench.suites.rpg.game.game import MOST_CHANCES
from herobench.suites.rpg.game.task import Task, Told
from herobench.suites.rpg.game.world import Code, Place, World

_WORDS = load_words("rpg/lanes")
Gear = tuple[tuple[str, Code], ...]
"""What the hero wears, by slot in the world's order."""


def lane_digest(lane: Told) -> str:
    """Return the digest of the words that only this lane has."""
    return _WORDS.digest(lambda name: name.startswith(lane))


def refuse_untold(task: Task, lane: Told) -> None:
    """Raise UsageError for a task without a plan that the lane could tell."""
    if lane != "plan" and (task.certificate is None or plan_decisions(task.certificate) is None):
        raise _refusal(task)


def told_section(world: World, task: Task, lane: Told) -> str:
    """Return the section of a lane other than `plan`. Raise UsageError if the task has no plan that can be told."""
    decisions = certified_decisions(task.certificate) if task.certificate else None
    if decisions is None:
        raise _refusal(task)
    return _gear(world, task, decisions) if lane == "gear" else _steps(world, task, decisions)


def _refusal(task: Task) -> UsageError:
    return UsageError(
        f"The task {task.id} has no certified plan that could be told: ask it in the lane plan, or leave it out."
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


# -- gear -------------------------------------------------------------------------------------------------------------


def _gear(world: World, task: Task, decisions: Sequence[Decision]) -> str:
    fights = _fights(world, task, decisions)
    if not fights:
        return _WORDS.fill("gear_none")
    # the goal first; what is left is sorted, so that its order gives nothing away
    in_order = sorted(fights.items(), key=lambda fight: (not fight[1], fight[0]))
    lines = (
        _WORDS.fill("gear_fight", goals="goal 1" if is_goal else "no goal", code=code, worn=_gear_list(gear))
        for (code, gear), is_goal in in_order
    )
    return _WORDS.fill("gear", fights="\n".join(lines))


def _gear_list(gear: Gear) -> str:
    return ", ".join(f"{slot} `{item}`" for slot, item in gear) or "nothing"


def _fights(world: World, task: Task, decisions: Sequence[Decision]) -> Mapping[tuple[Code, Gear], bool]:
    """Return each monster with the gear in which it is beaten, and whether this is the fight of the goal."""
    fights: dict[tuple[Code, Gear], bool] = {}
    target = task.target if task.kind == "kill" else None
    loadout = dict(task.hero.worn)
    for (action, values, _), place in _with_places(task, decisions):
        if action == "equip":
            loadout[values[0]] = values[1]
        elif action == "unequip":
            loadout.pop(values[0], None)
        elif action in ("fight", "fight_until"):
            code = _standing(world, place)
            gear = tuple((slot, loadout[slot]) for slot in world.slots if slot in loadout)
            fights.setdefault((code, gear), code == target and not any(fights.values()))
    return fights


# -- steps ------------------------------------------------------------------------------------------------------------


def _steps(world: World, task: Task, decisions: Sequence[Decision]) -> str:
    step_texts = (_step(world, task, *each) for each in _with_places(task, decisions))
    lines = (_WORDS.fill("steps_line", number=number, step=step) for number, step in enumerate(step_texts, 1))
    return _WORDS.fill("steps", steps="\n".join(lines))


def _step(world: World, task: Task, decision: Decision, place: Place) -> str:
    """Return a decision as a sentence."""
    action, values, times = decision
    match action, values:
        case "move", (x, y):
            facts = {"x": x, "y": y}
        case "fight", ():
            return _WORDS.fill("steps_fight", code=_standing(world, place), times=_times(times))
        case "gather", (quantity,):
            facts = {"code": _standing(world, place), "swings": _times(quantity)}
        case (("craft" | "buy"), (code, quantity)):
            facts = {"code": code, "quantity": quantity}
        case "equip", (slot, code, 1):
            facts = {"slot": slot, "code": code}
        case "unequip", (slot, 1):
            facts = {"slot": slot}
        case (("fight_until" | "gather_until"), (wanted,)):
            amounts = " and ".join(f"{count} of `{code}`" for code, count in wanted.items())
            facts = {"code": _standing(world, place), "wanted": amounts}
            facts |= {"swings": _times(MOST_CHANCES)} if action == "gather_until" else {}
        case _:
            raise _refusal(task)
    step = _WORDS.fill(f"steps_{action}", **facts)
    return step if times == 1 else _WORDS.fill("steps_repeated", step=step, times=_times(times))


def _with_places(task: Task, decisions: Sequence[Decision]) -> Iterator[tuple[Decision, Place]]:
    """Yield each decision with the place where the hero stands when it is done."""
    place = task.hero.place
    for decision in decisions:
        if decision.action == "move":
            place = decision.values
        yield decision, place


def _standing(world: World, place: Place) -> Code:
    """Return the monster or the resource at a place; an empty text if there is nothing."""
    tile = world.tiles.get(place)
    return tile.content.code if tile and tile.content else ""
