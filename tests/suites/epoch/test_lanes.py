"""What the lanes of epochs tell: all rules as facts, or the steps of a plan, and nothing else than the usual prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from herobench.conversation import Reply
from herobench.suite.contract import Attempt, SuiteSetting
from herobench.suites.epoch.game.columns import LANES
from herobench.suites.epoch.game.level import DATASET, load_level
from herobench.suites.epoch.game.world import PUBLISHED_EDITION, edition, parse_atom
from herobench.suites.epoch.suite import Epoch
from tests.program import herobench, refuses
from tests.sizes import THOROUGH, for_each

_NAME = "`([^`]+)`"
_FORMS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "move": (rf"{_NAME} goes from {_NAME} to {_NAME}\.", ("who", "from", "to")),
    "take": (rf"{_NAME} takes {_NAME} at {_NAME}\.", ("who", "what", "here")),
    "drop": (rf"{_NAME} puts {_NAME} down at {_NAME}\.", ("who", "what", "here")),
    "send": (
        rf"{_NAME} sends {_NAME} to {_NAME}, from the booth {_NAME} to the booth {_NAME}\.",
        ("who", "what", "to", "here", "there"),
    ),
    "plant-tree": (rf"{_NAME} plants {_NAME} at {_NAME}\.", ("who", "what", "here")),
    "pass": (rf"{_NAME} passes from {_NAME} to {_NAME}\.", ("who", "from", "to")),
    "climb": (
        rf"{_NAME} climbs with the empty {_NAME} from {_NAME} to {_NAME}, "
        rf"which takes {_NAME}: {_NAME} becomes {_NAME}\.",
        ("who", "hand", "from", "to", "effort", "before", "after"),
    ),
    "rest": (rf"{_NAME} rests: {_NAME} becomes {_NAME}\.", ("who", "before", "after")),
    "drink": (rf"{_NAME} drinks at {_NAME}: {_NAME} becomes {_NAME}\.", ("who", "here", "before", "full")),
    "take ": (rf"{_NAME} takes {_NAME} with the {_NAME} at {_NAME}\.", ("who", "what", "hand", "here")),
    "discard": (rf"{_NAME} throws {_NAME} in the {_NAME} away\.", ("who", "what", "hand")),
    "send ": (
        rf"{_NAME} sends {_NAME} in the {_NAME} at {_NAME} to the {_NAME} of {_NAME} at {_NAME}\.",
        ("who", "what", "hand", "here", "receiving", "to", "there"),
    ),
    "plant-tree ": (
        rf"{_NAME} plants {_NAME} in the {_NAME} at {_NAME}, and the tree overgrows the way from {_NAME} to {_NAME}\.",
        ("who", "what", "hand", "here", "from", "to"),
    ),
    "unlock": (
        rf"{_NAME} unlocks with {_NAME} in the {_NAME} the door of {_NAME} from {_NAME} to {_NAME}, "
        rf"and keeps {_NAME}\.",
        ("who", "key", "hand", "metal", "from", "to", "left"),
    ),
    "unlock-last": (
        rf"{_NAME} unlocks with {_NAME} in the {_NAME} the door of {_NAME} from {_NAME} to {_NAME}, "
        rf"and the key breaks\.",
        ("who", "key", "hand", "metal", "from", "to"),
    ),
    "carve-code": (rf"{_NAME} carves the code with {_NAME} into {_NAME} at {_NAME}\.", ("who", "with", "on", "here")),
    "read-code": (rf"{_NAME} reads the code on {_NAME} at {_NAME}\.", ("who", "on", "here")),
    "enter-code": (rf"{_NAME} enters the code of {_NAME} at {_NAME} at {_NAME}\.", ("who", "on", "lock", "here")),
    "open-lock": (rf"{_NAME} opens with {_NAME} the lock {_NAME} at {_NAME}\.", ("who", "key", "lock", "here")),
    "convince": (rf"{_NAME} convinces {_NAME} with {_NAME} at {_NAME}\.", ("who", "whom", "with", "here")),
    "destroy": (rf"{_NAME} destroys {_NAME} in the shredder at {_NAME}\.", ("who", "what", "here")),
    "file-form": (
        rf"{_NAME} files {_NAME}, against which {_NAME} stood, and gets {_NAME} at {_NAME}\.",
        ("who", "form", "other", "permit", "here"),
    ),
    "pull-lever": (rf"{_NAME} pulls with {_NAME} the lever of {_NAME} at {_NAME}\.", ("who", "with", "on", "here")),
}


def translated(prompt: str) -> list[dict[str, object]]:
    """The calls that the told steps are, written down one by one by a program that knows no rule."""
    told = prompt.partition("# The steps that win\n")[2]
    found = re.findall(r"^(\d+)\. (.+)$", told, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return [_call(step) for _, step in found]


def _call(step: str) -> dict[str, object]:
    ((tool, values),) = [
        (tool, dict(zip(names, match.groups(), strict=True)))
        for tool, (form, names) in _FORMS.items()
        if (match := re.fullmatch(form, step))
    ]
    return {"name": tool.strip(), "arguments": values}


def opened(suite: Epoch, task_id: str) -> tuple[Attempt, list[str]]:
    attempt = suite.open(task_id, 0)
    return attempt, [message.text for message in attempt.messages]


@for_each("dataset", [DATASET, "epochs-v1"])
def test_a_program_that_writes_the_told_steps_down_wins_every_level(dataset: str) -> None:
    suite = Epoch(SuiteSetting(dataset=dataset, options={"lane": "steps", "mode": "plan"}))
    for task in list(suite.tasks())[:: 1 if THOROUGH else 12]:
        attempt, told = opened(suite, task.id)
        attempt.step(Reply(json.dumps(translated(told[1]))))
        assert attempt.grade().won, task.id


@for_each("mode", ["tools", "plan"])
def test_a_lane_adds_its_section_and_nothing_else(mode: str) -> None:
    usual, rules, steps = (Epoch(SuiteSetting(options={"lane": lane, "mode": mode})) for lane in LANES)
    for task in list(usual.tasks())[::20]:
        (first, second), with_rules, with_steps = (opened(suite, task.id)[1] for suite in (usual, rules, steps))
        assert with_rules[1] == second
        assert with_rules[0].startswith(f"{first}\n\n# All rules as facts\n")
        assert with_steps[0] == first
        assert with_steps[1].startswith(f"{second}\n\n# The steps that win\n")


def test_the_told_rules_are_the_rules_of_the_game() -> None:
    suite = Epoch(SuiteSetting(dataset="epochs-v1", options={"lane": "rules"}))
    _, (prompt, _) = opened(suite, "L05")
    told = prompt.partition("# All rules as facts\n")[2]
    for name in load_level("L05").tools:
        schema = edition(PUBLISHED_EDITION).domain.actions[name]
        (needs, adds, deletes) = re.findall(
            rf"^- {name}\(.*?\) needs (.+); adds (.+); takes away (.+)$", told, re.MULTILINE
        )[0]
        assert (_facts(needs), _facts(adds), _facts(deletes)) == (
            {*schema.precondition},
            {*schema.add},
            {*schema.delete},
        )
    follows = re.findall(r"^- from (.+) follows (.+)$", told, re.MULTILINE)
    able = {"tree-grows", "gate-yields", "clause-written", "office-opens", "lid-lifts"}
    assert [(_facts(when), _facts(then)) for when, then in follows] == [
        ({*rule.when}, {*rule.then}) for rule in edition(PUBLISHED_EDITION).rules if rule.name in able
    ]


def _facts(text: str) -> set[object]:
    return {parse_atom(fact) for fact in re.findall(r"\([^)]*\)", text)}


def test_the_usual_lane_leaves_no_trace_in_a_run() -> None:
    usual, steps = Epoch(SuiteSetting()), Epoch(SuiteSetting(options={"lane": "steps"}))
    assert "lane" not in usual.options
    assert steps.options == {**usual.options, "lane": "steps"}
    assert steps.identity([]) == {
        **usual.identity([]),
        "told": "steps",
        "told_prompts": steps.identity([])["told_prompts"],
    }
    assert "told" not in usual.blank("7-1")
    assert steps.blank("7-1")["told"] == "steps"


def test_an_unknown_lane_is_refused() -> None:
    done = herobench("run", "--suite", "epoch", "--model", "oracle", "--lane", "gear", "--dry-run")
    refuses(done)
    assert "one of plan, rules, steps" in done.stderr
