"""The RPG behind the contract of a suite."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from herobench.api import check_suite
from herobench.conversation import Message, Reply, Usage
from herobench.data.documents import schema_problems
from herobench.data.options import OptionFault
from herobench.prompts.rpg.render import prompt_digest, render_prompt
from herobench.suite.checked import open_suite
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suite.recorded import RecordedAttempt
from herobench.suite.refusals import SuiteFault
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.suite import Rpg
from herobench.suites.rpg.worlds.content import load_rules
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.builders import TINY, craft_task, documents, task_row, write_world
from tests.plays import ARMED, WINNING, as_plan, drake_task
from tests.program import write_jsonl
from tests.refusals import misread, raises
from tests.sizes import for_each

HERE = {"world": str(TINY)}


@pytest.fixture(scope="module")
def tasks(tiny: World) -> dict[str, Task]:
    return {task.id: task for task in (drake_task(tiny, id="drake", difficulty=73), craft_task(tiny, "brick"))}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, tasks: dict[str, Task]) -> Path:
    return write_jsonl(tmp_path_factory.mktemp("tasks") / "tiny.jsonl", (task.as_row() for task in tasks.values()))


@pytest.fixture(scope="module")
def suite(file: Path) -> Iterator[Suite]:
    with closing(open_suite("rpg", SuiteSetting(tasks=file, options=HERE))) as opened:
        yield opened


# -- what it is made from ---------------------------------------------------------------------------------------------


def test_without_a_wish_it_is_the_default_dataset() -> None:
    with closing(Rpg(SuiteSetting())) as suite:
        assert (suite.dataset, suite.options) == ("base-v2", {"rules": "standard"})
        assert suite.identity([])["world_code"] == "classic"
        assert len(list(suite.tasks())) == 180


@for_each(("dataset", "name"), [("base", "base-v2"), ("noise-v2", "noise-v2")])
def test_a_dataset_is_known_by_its_version(dataset: str, name: str) -> None:
    with closing(Rpg(SuiteSetting(dataset))) as suite:
        assert suite.dataset == name


def test_the_dataset_of_a_file_is_its_name_and_groups_are_brackets(suite: Suite, tasks: dict[str, Task]) -> None:
    assert suite.dataset == "tiny"
    told = [(task.id, task.group, dict(task.row)) for task in suite.tasks()]
    assert told == [
        ("drake", "8", tasks["drake"].as_row()),
        ("1/1_Brick_craft", "2", tasks["1/1_Brick_craft"].as_row()),
    ]


def test_identity_names_all_that_prompts_and_scores_depend_on(suite: Suite, tiny: World) -> None:
    expected = {"world": tiny.digest, "world_code": tiny.code, "rules": "standard", "prompts": prompt_digest()}
    assert suite.identity(["drake"]) == expected


def test_a_suite_with_straight_tasks_names_their_words_too(tmp_path: Path, tiny: World) -> None:
    straight = {"leveling": False, "drop_scale": None, "plan": "straight"}
    write_jsonl(tmp_path / "tiny.jsonl", [task_row(tiny), task_row(tiny, id="2", mechanics=straight)])
    with closing(Rpg(SuiteSetting(tasks=tmp_path / "tiny.jsonl", options=HERE))) as suite:
        asked = load_tasks(tmp_path / "tiny.jsonl", tiny)
        assert suite.identity(list(asked))["prompts"] == prompt_digest(asked.values()) != prompt_digest()
        plain, other = asked
        assert suite.identity([plain])["prompts"] == prompt_digest()
        assert suite.identity([other])["prompts"] != prompt_digest()


def test_options_that_it_does_not_have_are_refused(file: Path) -> None:
    with raises(OptionFault.NO_OPTION, "'size'", "the suite rpg", "world, names, rules, mode, lane."):
        open_suite("rpg", SuiteSetting(tasks=file, options={**HERE, "size": "9"}))
    with raises(RpgFault.NO_RULES, "'house'"):
        Rpg(SuiteSetting(tasks=file, options={**HERE, "rules": "house"}))


# -- the world of a run -----------------------------------------------------------------------------------------------


def test_it_opens_again_from_its_own_files_alone(suite: Suite, file: Path) -> None:
    files = suite.files()
    assert list(files) == ["world.json"]
    with closing(Rpg(SuiteSetting(tasks=file, options=suite.options, files=files))) as again:
        assert (again.identity(["drake"]), again.files()) == (suite.identity(["drake"]), files)
        assert again.open("drake", 0).messages == suite.open("drake", 0).messages


def test_a_world_that_is_named_wins_over_the_kept_one(suite: Suite, file: Path, tmp_path: Path) -> None:
    changed = documents(TINY)
    changed["monsters"]["monsters"][0]["hp"] += 1
    other = write_world(tmp_path / "other", changed)
    with misread("", file, "--world"):
        Rpg(SuiteSetting(tasks=file, options={"world": str(other)}, files=suite.files()))


@for_each("text", ["{", "{}", "[]", "[" * 100_000, '{"world": 1}', "null"])
def test_a_kept_world_that_was_changed_is_refused(file: Path, text: str) -> None:
    with raises(RpgFault.WORLD_CHANGED, "world.json", "--world"):
        Rpg(SuiteSetting(tasks=file, files={"world.json": text}))


# -- attempts ---------------------------------------------------------------------------------------------------------


def test_an_attempt_is_one_prompt_and_one_reply(suite: Suite, tasks: dict[str, Task], tiny: World) -> None:
    attempt = suite.open("drake", 3)
    assert attempt.messages == [Message("user", render_prompt(tiny, tasks["drake"], load_rules()))]
    assert attempt.tools == ()
    assert attempt.step(Reply("no plan")) is None


@for_each(
    ("reply", "won", "score"),
    [
        (Reply(f"I will.\n```python\n{as_plan(WINNING)}```"), True, 100.0),
        (Reply("words", answer=as_plan(WINNING), model="m", usage=Usage(1, 2)), True, 100.0),
        (Reply(f"```python\n{as_plan(WINNING)}```", answer=""), False, 0.0),
        (Reply(f"```python\n{as_plan(ARMED)}```"), False, 500 / 6),
        (Reply("I cannot."), False, 0.0),
    ],
)
def test_a_reply_is_judged_by_its_plan(suite: Suite, reply: Reply, won: bool, score: float) -> None:
    attempt = suite.open("drake", 0)
    attempt.step(reply)
    verdict = attempt.grade()
    assert (verdict.won, verdict.score, verdict.failure is None) == (won, score, won)
    assert schema_problems(dict(verdict.details), "rpg-details", "details") == []
    assert attempt.grade() == verdict


def test_the_rules_are_those_asked_for(file: Path) -> None:
    early = Reply("", answer="craft('Hero', 'brick', 1)\n" + as_plan("move 0 1; gather 3; move 2 1; craft brick 1"))
    won = {}
    for rules in ("standard", "paper-late"):
        with closing(Rpg(SuiteSetting(tasks=file, options={**HERE, "rules": rules}))) as suite:
            attempt = suite.open("1/1_Brick_craft", 0)
            attempt.step(early)
            won[rules] = attempt.grade().won
            assert (suite.options, suite.identity([])["rules"]) == ({"rules": rules}, rules)
    assert won == {"standard": True, "paper-late": False}


def test_its_players_are_handed_out_by_name(suite: Suite) -> None:
    assert set(suite.players) == {
        "oracle", "greedy", "shortcut", "noop", "refuser",
    }  # fmt: skip
    for name in (*suite.players, "shortcut:strongest"):
        suite.player(name)
    with raises(SuiteFault.NO_PLAYER, "rpg", "gpt"):
        suite.player("gpt")


@for_each(("rules", "is_above"), [("standard", False), ("paper-late", True)])
def test_a_plan_that_beats_more_monsters_than_it_must_is_kept(rules: str, is_above: bool) -> None:
    """The published reward counts every other monster beaten, so such a plan must not stop a run."""
    with closing(Rpg(SuiteSetting("base", options={"rules": rules}))) as suite:
        row = next(task.row for task in suite.tasks() if task.row["kind"] == "kill" and task.row["difficulty"] > 40)
        more = "".join(f"move('Hero', {x}, {y})\nfight('Hero')\n" for x, y in ((0, 1), (0, -1), (2, -1), (1, -2)))
        attempt = RecordedAttempt(suite, row["id"], 0)
        attempt.step(Reply(f"```python\n{row['certificate']['plan']}\n{more}```"))
        verdict = attempt.grade()
    assert verdict.won
    assert (verdict.score > 100, verdict.score >= 100) == (is_above, True)
    assert verdict.progress == verdict.score


@pytest.mark.slow
def test_the_suite_keeps_to_the_contract() -> None:
    assert check_suite("rpg") == []
