"""Scores rows of answers files to the tasks of any suite: for `herobench score`, and for pipelines.

A suite may define scored rows of its own. For other suites, answers are played as attempts, and the rows are samples,
which the analysis reads as those of a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from herobench.data.columns import SAMPLE, Column, blank
from herobench.data.errors import UsageError
from herobench.data.files import is_standard_input
from herobench.data.rows import AnswerCheck, RowLine, dump_row
from herobench.models.recording import replies_in
from herobench.scorer.query import TaskQuery
from herobench.scorer.refusals import ScorerFault
from herobench.scorer.scorer import Scorer
from herobench.suite.checked import answer_work, is_tasks_file, suite_class
from herobench.suite.contract import SuiteSetting
from herobench.suite.recorded import reply_row
from herobench.work.rows import Row, RowWork

_JUDGED = ("won", "score", "progress", "failure", "events")
_TOO_FEW_TURNS = "the answer has fewer turns than the attempt"


def scoring_work(suite: str, tasks: str | None, settings: Mapping[str, str]) -> RowWork:
    """Return the work of scoring answers to the tasks of a file or a dataset. Raise UsageError or InputError.

    A suite with a mode of one turn is played in it unless the settings name another.
    """
    path = Path(tasks) if tasks is not None and is_tasks_file(suite, tasks) else None
    dataset = tasks if path is None else None
    own = answer_work(suite, SuiteSetting(dataset, path, settings))
    if own is not None:
        return own
    if path is not None and is_standard_input(path):
        raise UsageError(ScorerFault.READ_TWICE, suite=suite)
    mode = suite_class(suite).one_turn_mode
    knobs = {"mode": mode, **settings} if mode else settings
    query = TaskQuery(**knobs, dataset=dataset, tasks=path, suite=suite, jobs=1)
    with Scorer(query) as scorer:
        digest = hashlib.sha256("".join(dump_row(task.row) for task in scorer.tasks.values()).encode()).hexdigest()
        identity = {"suite": suite, **scorer.identity, "tasks": digest}
        return AttemptScoring(query, identity, frozenset(scorer.tasks))


@dataclass(frozen=True)
class AttemptScoring(RowWork):
    """Scores answers to a suite that defines no scored rows: plays each as an attempt."""

    query: TaskQuery
    identity: Mapping[str, str]
    """The digests and editions that scores depend on."""
    task_ids: frozenset[str]
    columns: ClassVar[Sequence[Column]] = SAMPLE

    @property
    def row_check(self) -> AnswerCheck:
        """Say which answers can be scored."""
        return AnswerCheck(self.task_ids)

    def options(self) -> dict[str, Any]:
        """Return everything but the answers that the samples depend on."""
        return dict(self.identity)

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open the suite in this process."""
        with Scorer(self.query) as scorer:
            yield lambda line: _sample(scorer, line.row)


def _sample(scorer: Scorer, answer: Row) -> Row:
    """Play an answer as an attempt, and return the sample. Nothing is known of its calls."""
    task, replies = scorer.tasks[answer["task_id"]], replies_in(answer)
    play = scorer.play(task.id, int(answer.get("epoch", 0)))
    for reply in replies:
        if not play.over:
            play.say(reply)
    verdict = play.result().verdict
    return {
        **blank(SAMPLE),
        "suite": scorer.suite,
        "task_id": task.id,
        "group": task.group,
        "epoch": play.epoch,
        "status": "ok",
        "model": answer.get("model"),
        **{name: getattr(verdict, name) for name in _JUDGED},
        "unfinished": verdict.unfinished or (None if play.over else _TOO_FEW_TURNS),
        "output_tokens": answer.get("tokens", answer.get("output_tokens")),
        "replies": [reply_row(reply) for reply in play.replies],
        "details": dict(verdict.details),
    }
