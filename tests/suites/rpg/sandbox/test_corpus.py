"""Our own attacks, and the plans of ../shared/sandbox: attacks end as they may, ordinary plans run as anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.worker import play
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import SHARED
from tests.sizes import THOROUGH, for_each

CANARY = """
move("Hero", 0, 1)
total = 0
for _ in range(3):
    status, body = gather("Hero")
    total += body["details"]["items"][0]["quantity"]
move("Hero", 2, 1)
if total == 3:
    craft("Hero", "brick", 1)
"""


def corpus(file: Path) -> list[dict[str, Any]]:
    if not file.is_file():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


OURS = corpus(Path(__file__).with_name("attacks.jsonl"))
SHARED_ATTACKS, BENIGN = (corpus(SHARED / "sandbox" / name) for name in ("attacks.jsonl", "benign.jsonl"))
present = pytest.mark.skipif(not BENIGN, reason="there is no shared/sandbox beside the project")
HOST = re.compile(r"0x[0-9a-f]{5}|object at|herobench|bound method")
"""Signs in an output that a plan has seen the interpreter behind it."""


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, load_rules(), Limits(seconds=20)) as opened:
        yield opened


@pytest.fixture(scope="module")
def short_sandbox(tiny: World) -> Iterator[Sandbox]:
    """A sandbox for attacks that go on for as long as they may: a quarter of the budget shows the same."""
    with Sandbox(tiny, load_rules(), Limits(seconds=20, steps=Limits().steps // 4)) as opened:
        yield opened


LONG = {
    "own-099",
    *(f"own-{number}" for number in (100, 101, 103, 155, 210, *range(219, 224), 234, 242, 243, 244, 249, 251, 254)),
    *(f"own-{number}" for number in (263, 269, 272)),
    *(f"own-{number}" for number in range(295, 300)),
}
"""Attacks that go on for as long as their budget lets them."""
ALIKE = {
    *("own-045", "own-047", "own-048", "own-050"),
    *(f"own-{number}" for number in (102, 104, 106, 107, 109, 110, 112, 113, 115, *range(117, 122), 123, 124, 134)),
    *(f"own-{number}" for number in (135, 136, 139, *range(142, 145), 147, 189, 190, 203, 206, 207, 209, 225)),
    *(f"own-{number}" for number in (237, 238, 239, 241, 246, 247, 248, 250, 252, 253)),
    *(f"own-{number}" for number in (*range(255, 263), *range(264, 269), 270, 271, 286, 287)),
    "resource-050",
}
"""Attacks of ours that take a tenth of a second or need a new worker, and differ from a faster one in one call only."""


ATTACKS = (*OURS, *SHARED_ATTACKS)


def is_long(attack: dict[str, Any]) -> bool:
    kind, _, number = attack["id"].partition("-")
    return attack["id"] in LONG | ALIKE or (kind == "resource" and int(number) % 5 > 0)


@for_each("attack", [attack for attack in ATTACKS if not is_long(attack)])
def test_an_attack_ends_as_it_may_wins_nothing_and_leaves_nothing_behind(
    sandbox: Sandbox, short_sandbox: Sandbox, task: Task, attack: dict[str, Any]
) -> None:
    withstand(sandbox if THOROUGH else short_sandbox, task, attack)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [*filter(is_long, ATTACKS)], ids=lambda attack: str(attack["id"]))
def test_so_does_a_long_attack(sandbox: Sandbox, task: Task, attack: dict[str, Any]) -> None:
    withstand(sandbox, task, attack)


def withstand(sandbox: Sandbox, task: Task, attack: dict[str, Any]) -> None:
    """Carry out an attack and see how it ends, and that an ordinary plan wins behind it."""
    episode = sandbox.execute(task, attack["code"])
    assert episode.ending.how in attack["ends"]
    assert episode.ending.kind not in ("wall_clock", "killed", "protocol"), "no attack needs the last resorts"
    assert not HOST.search(episode.output + (episode.ending.reason or ""))
    assert judge(sandbox.world, task, sandbox.rules, episode).score.outcome == "lose"
    if THOROUGH:
        assert sandbox.execute(task, attack["code"]) == episode, "the same plan ends at the same step"
    canary = sandbox.execute(task, CANARY)
    assert canary.finished
    assert judge(sandbox.world, task, sandbox.rules, canary).score.outcome == "win"


@present
@for_each("plan", BENIGN)
def test_an_ordinary_plan_runs_as_it_would_anywhere(plan: dict[str, Any]) -> None:
    names = {"move", "fight", "equip", "unequip", "gather", "craft", "buy", *(name for name, _, _ in plan["actions"])}
    played = play(plan["code"], dict.fromkeys(names, lambda _action, _looks: (200, {})), Limits())
    assert played.ending.how == "finished", played.ending
    assert [[action.name, list(action.args), dict(action.keywords)] for action in played.attempts] == plan["actions"]
    assert played.output == plan["stdout"]
