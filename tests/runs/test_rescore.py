"""A run scored again: the same under the same rules, otherwise under others, and never measured by it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.conversation import Reply
from herobench.data.errors import SuiteError, UsageError
from herobench.data.rows import dump_row, write_rows
from herobench.models.model_error import ErrorKind
from herobench.runs import rescore
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.refusals import RunFault
from herobench.runs.rescore import Rejudging, Rescoring, refuse_in_place, refuse_missing_tasks
from herobench.runs.rounds import open_kept
from herobench.runs.spec import setting_of_run
from herobench.suite.contract import Suite, TaskInfo, Verdict
from herobench.suites.rpg.game.world import World
from herobench.work.rows import Row, RowFacts
from tests.builders import TINY
from tests.loopback import Kind as ServerKind
from tests.loopback import Loopback
from tests.program import herobench
from tests.refusals import raises
from tests.runs.made import WIN, TinySpecs, contents, manifest, rows, tiny_tasks, work
from tests.runs.trial import LOOK, Json, Numbers, Player, Trial, failure, looking, right


class Scores(RowFacts):
    """The score of a sample."""

    def add(self, output: Row) -> None:
        self.score = output["score"]

    def as_row(self) -> Mapping[str, Any]:
        return {"score": self.score}


def rescored(path: Path, suite: Suite, jobs: int = 2) -> tuple[list[Json], int]:
    """The new rows, and how many have another outcome or score."""
    seen: list[Mapping[str, Any]] = []
    with RunFolder(path) as folder:
        scoring = Rescoring(folder, Rejudging(suite, None, Scores), jobs, seen.append)
        with closing(scoring.lines()) as found:
            again = [json.loads(line) for line in found]
    assert seen == [{"score": row["score"]} for row in again]
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

    with (
        Loopback(script, answers=answer) as server,
        closing(TinySpecs(tmp_path_factory.mktemp("tasks"))) as tiny_spec,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.delenv("OPENAI_API_KEY", raising=False)
        work(path, tiny_spec(tasks, model="m", base_url=server.url, epochs=2, conduct={"connections": 1}))
    assert {(row["status"], row["won"]) for row in rows(path)} == {("ok", True), ("ok", False), ("unmeasured", None)}
    return path


def kept_suite(run: Path, tasks: Path | None = None, **options: str) -> closing[Suite]:
    """The suite of a run, with other options or tasks where they are given."""
    kept = manifest(run)
    return closing(open_kept(kept, setting_of_run(open_run(run), kept, options, 2, tasks)))


@pytest.fixture
def suite(run: Path) -> Iterator[Suite]:
    with kept_suite(run) as kept:
        yield kept


@pytest.mark.parametrize("jobs", [1, 4])
def test_the_same_rules_make_the_same_bytes(run: Path, suite: Suite, jobs: int) -> None:
    assert rescored(run, suite, jobs) == (rows(run), 0)


def test_a_run_is_scored_in_place_only_with_its_own_settings(run: Path, tmp_path: Path) -> None:
    own = manifest(run)
    with kept_suite(run) as kept:
        refuse_in_place(kept, own, open_run(run), None)
        with raises(RunFault.OTHER_SCORES):
            refuse_in_place(kept, own, open_run(run), open_run(run).tasks)
    for option in ({"rules": "standard"}, {"world": str(TINY)}):
        with kept_suite(run, None, **option) as kept:
            refuse_in_place(kept, own, open_run(run), None)
    with (
        kept_suite(run, rules="paper-early") as early,
        raises(RunFault.OTHER_SCORES, "(rules=standard)"),
    ):
        refuse_in_place(early, own, open_run(run), None)


def test_a_suite_made_from_another_file_may_not_replace_the_scores(run: Path) -> None:
    class Otherwise(Numbers):
        options: Mapping[str, str] = {"rules": "standard"}

        def files(self) -> Mapping[str, str]:
            return {"world.json": "another"}

    with raises(RunFault.OTHER_SCORES):
        refuse_in_place(Otherwise(1), manifest(run), open_run(run), None)


def test_fresh_tasks_must_have_all_of_the_run_s_tasks(run: Path, tmp_path: Path) -> None:
    lines = open_run(run).tasks.read_text("utf-8").splitlines(keepends=True)
    fewer = tmp_path / "fewer.jsonl"
    fewer.write_text("".join(lines[2:]), "utf-8")
    with (
        kept_suite(run, fewer) as kept,
        raises(RunFault.TASKS_MISSING, "2", "fewer.jsonl"),
    ):
        refuse_missing_tasks(kept, open_run(run), fewer)
    fewer.write_text("".join(lines), "utf-8")
    with kept_suite(run, fewer) as kept:
        refuse_missing_tasks(kept, open_run(run), fewer)


# -- a suite whose judge changes his mind -----------------------------------------------------------------------------


class Strict(Numbers):
    """All that is even loses."""

    def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
        verdict = super().grade(task_id, epoch, replies)
        return replace(verdict, won=False, score=0.5) if int(task_id[1:]) % 2 == 0 else verdict


def test_another_judge_changes_what_he_judges_and_nothing_else(tmp_path: Path) -> None:
    player = Player(lambda key, turn: failure(ErrorKind.CONTEXT) if key[0] in ("t3", "t4") else right(key, turn))
    trial = Trial(tmp_path, Numbers(9), player)
    trial.work()
    before = trial.samples
    again, changed = rescored(tmp_path, Strict(9))
    assert changed == 4
    for old, new in zip(before, again, strict=True):
        otherwise = old["status"] == "ok" and int(old["task_id"][1:]) % 2 == 0
        assert new == ({**old, "won": False, "score": 0.5} if otherwise else old)
    assert [row["task_id"] for row in again if row["status"] == "unmeasured"] == ["t3", "t4"]
    assert trial.samples == before, "looked at, not touched"
    assert rescored(tmp_path, Numbers(9)) == (before, 0)


def test_scores_are_made_again_few_at_a_time_and_none_after_they_are_closed(tmp_path: Path) -> None:
    suite = Numbers(200)
    Trial(tmp_path, suite, Player()).work()
    suite.graded.clear()
    with RunFolder(tmp_path) as folder, closing(Rescoring(folder, Rejudging(suite), 2).lines()) as found:
        next(found)
    assert len(suite.graded) < 30


def test_all_replies_of_an_attempt_are_played_again(tmp_path: Path) -> None:
    player = Player(
        lambda key, turn: failure(ErrorKind.FILTERED) if (key[0], turn) == ("t3", 2) else looking(key, turn)
    )
    trial = Trial(tmp_path, Numbers(5, 3, [LOOK]), player)
    trial.work()
    before = (tmp_path / "samples.jsonl").read_text("utf-8")
    again, changed = rescored(tmp_path, Numbers(5, 3, [LOOK]))
    assert ("".join(map(dump_row, again)), changed) == (before, 0)
    shorter, changed = rescored(tmp_path, Numbers(5, 2, [LOOK]))
    assert changed == 0, "two of the three replies win"
    assert [row["details"]["turns"] for row in shorter] == [2 if row["status"] == "ok" else None for row in again]
    assert [row["replies"] for row in shorter] == [row["replies"] for row in again], (
        "the third one is kept all the same"
    )
    longer, changed = rescored(tmp_path, Numbers(5, 4, [LOOK]))
    assert changed == 4
    assert [row["progress"] for row in longer] == [75.0 if row["status"] == "ok" else None for row in again]


def test_a_judge_who_fails_leaves_the_scores_that_were_there(run: Path) -> None:
    class Broken(Numbers):
        name = "rpg"

        def tasks(self) -> Iterator[TaskInfo]:
            return (TaskInfo(id, None, {}) for id in dict.fromkeys(row["task_id"] for row in rows(run)))

        def grade(self, task_id: str, epoch: int, replies: Sequence[Reply]) -> Verdict:
            if epoch == 1:
                raise LookupError("worn out")
            return super().grade(task_id, epoch, replies)

    before = {file.name: file.read_bytes() for file in run.iterdir()}
    with (
        open_run(run) as folder,
        pytest.raises(SuiteError, match=r"rpg failed at .*, epoch 1: LookupError: worn out"),
    ):
        Rescoring(folder, Rejudging(Broken(9)), 2).replace([])
    assert {file.name: file.read_bytes() for file in run.iterdir()} == before


def test_a_sample_of_a_task_that_the_run_does_not_have_is_named(tmp_path: Path) -> None:
    Trial(tmp_path, Numbers(3), Player()).work()
    with raises(RunFault.FOREIGN_TASK, "samples.jsonl:3", "t2"):
        rescored(tmp_path, Numbers(2), jobs=1)


def test_a_run_of_another_scorer_resumes_when_it_was_scored_again(run: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(run, tmp_path / "a run"))
    measured = [row for row in rows(path) if row["status"] == "ok"]
    old = [{**row, "details": {**row["details"], "scorer": 3}} for row in measured[:3]]
    write_rows(path / "samples.jsonl", old)
    before = contents(path)
    with pytest.raises(UsageError, match=r"a run has samples of scorer 3, such as ") as caught:
        library.run(resume=path, conduct={"retries": 0})
    assert str(caught.value).endswith(f"herobench score '{path}'")
    assert contents(path) == before
    assert library.rescore(path).measured == 3
    assert rows(path) == measured[:3]
    assert library.run(resume=path, conduct={"retries": 0}).standing.before == 3, "its server is gone by now"


# -- in processes -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_a_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = library.run("shortcut:strongest", dataset="base", epochs=2, output=tmp_path / "many").path
    assert len(rows(many)) > 2 * (Rejudging.worth or 0), "more than one process is started for"
    before = (many / "samples.jsonl").read_bytes()
    spoilt = [{**row, "won": not row["won"]} if row["epoch"] else row for row in rows(many)]
    write_rows(many / "samples.jsonl", spoilt)
    outputs = [many.parent / "one.jsonl", many.parent / "two.jsonl"]
    done = [herobench("score", many, "--jobs", str(jobs), "-o", file) for jobs, file in enumerate(outputs, 1)]
    assert [each.returncode for each in done] == [0, 0]
    assert done[0].stdout == done[1].stdout
    assert all("180 of 360 have another outcome" in each.stderr for each in done)
    assert [file.read_bytes() for file in outputs] == [before, before]
    # in place, and not by threads
    monkeypatch.setattr(rescore, "judging", None)
    assert herobench("score", many, "--jobs", "2").returncode == 0
    assert (many / "samples.jsonl").read_bytes() == before
    assert manifest(many)["totals"]["wins"] == sum(row["won"] for row in rows(many))
