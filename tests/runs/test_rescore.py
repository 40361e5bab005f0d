"""A run scored again: the same under the same rules, otherwise under others, and never measured by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from herobench.runs.rpg import Rpg
from herobench.runs.suite import Suite

from herobench.conversation import Reply
from herobench.models.failure import Kind
from herobench.rows import dump_row
from herobench.rpg.content import load_rules
from herobench.rpg.world import World
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.rescore import Rescoring
from herobench.sandbox import Sandbox
from tests.loopback import Kind as ServerKind
from tests.loopback import Loopback
from tests.runs.made import WIN, manifest, problems, rows, tiny_order, tiny_tasks, work
from tests.runs.trial import Json, Numbers, Player, Trial, failure, right


def rescored(path: Path, suite: Suite, jobs: int = 2) -> tuple[list[Json], int]:
    """The new rows, and how many have another outcome or score."""
    seen: list[Mapping[str, Any]] = []
    with RunFolder(path) as folder:
        scoring = Rescoring(folder, suite, jobs, seen.append)
        with closing(scoring.rows()) as found:
            again = [dict(row) for row in found]
    assert seen == again
    return again, scoring.changed


# -- a real run -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, tiny: World) -> Path:
    """A run of wins, losses, an answer without code, and an attempt without an answer."""
    path = tmp_path_factory.mktemp("run")
    tasks = tiny_tasks(tiny, 6)
    answers = {0: WIN, 1: "No code: \ud83d☃", 2: "```python\n1/0\n```"}

    def script(key: str, turn: int) -> ServerKind:
        return ServerKind.BAD_REQUEST if server.counters().requests % 7 == 3 else ServerKind.OK

    def answer(key: str) -> str:
        return answers[server.counters().requests % 3].encode("utf-8", "replace").decode()

    with Loopback(script, answers=answer) as server, pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENAI_API_KEY", raising=False)
        order = tiny_order(tiny, tasks, model="m", base_url=server.url, epochs=2, conduct={"connections": 1})
        work(path, order)
    assert {(row["status"], row["outcome"]) for row in rows(path)} == {
        ("ok", "win"),
        ("ok", "lose"),
        ("unmeasured", None),
    }
    return path


@pytest.fixture
def suite(tiny: World) -> Iterator[Rpg]:
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        yield Rpg(sandbox, tiny_tasks(tiny, 6))


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_same_rules_make_the_same_bytes(run: Path, suite: Rpg, jobs: int) -> None:
    assert rescored(run, suite, jobs) == (rows(run), 0)


def test_what_is_put_in_their_place_is_the_same_file_and_noted(run: Path, suite: Rpg) -> None:
    before, left = (run / "samples.jsonl").read_bytes(), manifest(run)
    with open_run(run) as folder:
        Rescoring(folder, suite, 2, lambda row: None).replace(["herobench", "score"])
    assert (run / "samples.jsonl").read_bytes() == before
    after = manifest(run)
    assert after["sessions"][:-1] == left["sessions"]
    assert (after["sessions"][-1]["ended"], after["sessions"][-1]["argv"]) == ("scored", ["herobench", "score"])
    assert {**after, "sessions": []} == {**left, "sessions": []}
    assert problems(run) == []


def test_other_rules_make_other_rows_of_the_same_answers(run: Path, tiny: World) -> None:
    with Sandbox(tiny, load_rules("paper-early"), workers=2) as sandbox:
        again, _ = rescored(run, Rpg(sandbox, tiny_tasks(tiny, 6)))
    before = rows(run)
    assert {(row["rules"], old["rules"]) for row, old in zip(again, before, strict=True)} == {
        ("paper-early", "standard")
    }
    of_the_asking = ("task_id", "epoch", "status", "error", "answer", "model", "tokens", "seconds", "started", "calls")
    assert [[row[name] for name in of_the_asking] for row in again] == [
        [row[name] for name in of_the_asking] for row in before
    ]


# -- a suite whose judge changes his mind -----------------------------------------------------------------------------


class Strict(Numbers):
    """All that is even loses."""

    def grade(self, task_id: str, epoch: int, reply: Reply) -> Json:
        row = super().grade(task_id, epoch, reply)
        return {**row, "outcome": "lose", "score": 0.5} if int(task_id[1:]) % 2 == 0 else row


def test_another_judge_changes_what_he_judges_and_nothing_else(tmp_path: Path) -> None:
    player = Player(lambda key, turn: failure(Kind.CONTEXT) if key[0] in ("t3", "t4") else right(key, turn))
    trial = Trial(tmp_path, Numbers(9), player)
    trial.work()
    before = trial.samples
    again, changed = rescored(tmp_path, Strict(9))
    assert changed == 4
    for old, new in zip(before, again, strict=True):
        otherwise = old["status"] == "ok" and int(old["task_id"][1:]) % 2 == 0
        assert new == ({**old, "outcome": "lose", "score": 0.5} if otherwise else old)
    assert [row["task_id"] for row in again if row["status"] == "unmeasured"] == ["t3", "t4"]
    assert trial.samples == before, "looked at, not touched"
    assert rescored(tmp_path, Numbers(9)) == (before, 0)


def test_the_judge_is_given_the_reply_as_it_was_kept(tmp_path: Path) -> None:
    class Listening(Numbers):
        def grade(self, task_id: str, epoch: int, reply: Reply) -> Json:
            heard.append((task_id, epoch, reply.text, reply.plan, reply.usage.output))
            return super().grade(task_id, epoch, reply)

    heard: list[tuple[object, ...]] = []
    player = Player(lambda key, turn: Reply(f"{key[0]} \ud83d☃\n", plan=f"plan {key[1]}", usage=right(key, 1).usage))
    trial = Trial(tmp_path, Listening(3), player, epochs=2, jobs=1, connections=1)
    trial.work()
    first = heard.copy()
    heard.clear()
    before = (tmp_path / "samples.jsonl").read_text("utf-8")
    again, _ = rescored(tmp_path, Listening(3), jobs=1)
    assert heard == first
    assert "".join(map(dump_row, again)) == before


def test_scores_are_made_again_few_at_a_time_and_none_after_they_are_closed(tmp_path: Path) -> None:
    suite = Numbers(200)
    Trial(tmp_path, suite, Player()).work()
    suite.graded.clear()
    with RunFolder(tmp_path) as folder, closing(Rescoring(folder, suite, 2, lambda row: None).rows()) as found:
        next(found)
    assert len(suite.graded) < 30


def test_a_judge_who_fails_leaves_the_scores_that_were_there(run: Path) -> None:
    class Broken(Numbers):
        def grade(self, task_id: str, epoch: int, reply: Reply) -> Json:
            if epoch == 1:
                raise LookupError
            return super().grade(task_id, epoch, reply)

    before = {file.name: file.read_bytes() for file in run.iterdir()}
    with open_run(run) as folder, pytest.raises(LookupError):
        Rescoring(folder, Broken(9), 2, lambda row: None).replace([])
    assert {file.name: file.read_bytes() for file in run.iterdir()} == before
