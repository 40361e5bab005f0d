"""Render what a model is told of a mystery: the opening of the exploration, the plan, the form, and the lane `told`.

The sections on actions, fights and knowledge are those of the role-playing game, for the told world under the usual
rules. Nothing here looks at the true world but `told_plan`, the prompt of the lane that tells all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from herobench.conversation import Tool
from herobench.prompts.rpg.modes import task_tools
from herobench.prompts.rpg.render import fill, fill_section, frame_facts, shared_sections
from herobench.prompts.words import load_words
from herobench.suites.discover.game.columns import DiscoverStyle
from herobench.suites.discover.game.families import FAMILIES, RULES_ALONE, Change
from herobench.suites.discover.game.mystery import Mystery

_PACKAGE = "herobench.suites.discover"
WORDS = load_words("prompts", _PACKAGE)


def opening(mystery: Mystery, style: DiscoverStyle) -> str:
    """Return the opening of the exploration."""
    facts = _facts(mystery)
    goal = facts["goal"] if style.goal == "first" else f"{WORDS.fill('goal_after')}\n\n{fill('ground_told')}"
    own = {
        "differ": _differ(mystery, style),
        "actions_limit": mystery.budget.actions,
        "resets_limit": mystery.budget.resets,
        "goal": goal,
        "refused": fill_section("straight_frame", "Refused actions", **facts),
    }
    return WORDS.fill("frame", **{**facts, **shared_sections(facts), **own})


def _facts(mystery: Mystery) -> dict[str, Any]:
    world, rules = mystery.told
    return dict(frame_facts(world, mystery.task, rules))


def _differ(mystery: Mystery, style: DiscoverStyle) -> str:
    if style.disclosure == "hinted":
        return WORDS.fill("hinted")
    families = (WORDS.fill("family", name=name, words=WORDS.fill(f"about_{name}")) for name in FAMILIES)
    return WORDS.fill("told", count=len(mystery.changes), families="\n".join(families))


def tools(mystery: Mystery) -> tuple[Tool, ...]:
    """Return the tools of the exploration: those of the role-playing game, with one fight a call, reset and done."""
    of_game = [tool for tool in task_tools(mystery.task) if tool.name != "fight"]
    nothing: Mapping[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    own = (Tool(name, WORDS.fill(name), nothing) for name in ("fight", "reset", "done"))
    return (*of_game, *own)


def plan_question(mystery: Mystery) -> str:
    """Return what is told after the exploration: the goal, and the form of a plan."""
    facts = _facts(mystery)
    return WORDS.fill("plan", goal=facts["goal"], answer=fill_section("straight_frame", "Answer", **facts))


def told_plan(mystery: Mystery) -> str:
    """Return the prompt of the lane `told`: a plan is asked at once, and all that differs is told."""
    facts = _facts(mystery)
    facts["sections"] = f"{facts['sections']}\n\n{_told_changes(mystery.changes)}"
    return fill("straight_frame", **facts, **shared_sections(facts))


def _told_changes(changes: Iterable[Change]) -> str:
    return WORDS.fill("lane_told", changes="\n".join(f"- {sentence}" for sentence in sentences(changes)))


def believed_rules(changes: Iterable[Change]) -> str:
    """Return what is told of changed rules below the records of a changed world, which show all else that differs."""
    rules = [change for change in changes if change.family in RULES_ALONE]
    return f"\n\n{_told_changes(rules)}" if rules else ""


def sentences(changes: Iterable[Change]) -> list[str]:
    """Return a sentence for each change."""
    texts = []
    for family, subject, value in changes:
        one, _, other = subject.partition(" ")
        texts.append(WORDS.fill(f"is_{family}", one=one, other=other, value=value))
    return texts
