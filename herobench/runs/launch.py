"""Begins and resumes runs: makes the order, locks the folder, works a session, closes the suite.

`herobench run` and `herobench.run` call it.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from herobench.agents.agent import Agent, Unfinished
from herobench.conversation import Form, Message, Reply, Request, Tool
from herobench.data.errors import HeroBenchError, UsageError
from herobench.models.model import ask_model
from herobench.models.model_error import ModelError
from herobench.runs.asking import guess_tokens
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.options import RunRequest
from herobench.runs.refusals import RunFault
from herobench.runs.session import RunResult, Session, create
from herobench.runs.spec import RunSpec, make_spec, refuse_another
from herobench.runs.standing import News, Standing
from herobench.suite.checked import closing_suite, load_player, read_files, task_lengths
from herobench.suite.contract import Suite
from herobench.suite.recorded import RecordedAttempt

ORACLE = "oracle"
"""The player that wins every task of its suite."""
_RUNS = Path("runs")
_LONGEST_NAME = 120


def _ignore(_: object) -> None:
    """Take no notice."""


@dataclass(frozen=True, slots=True)
class RunCallbacks:
    """The functions that follow a session: `watch` gets the standing before it begins, `tell` gets every event."""

    tell: Callable[[News], None] = _ignore
    watch: Callable[[Standing], None] = _ignore
    argv: Sequence[str] = ()
    """The command line, for the record."""


def begin(request: RunRequest, output: Path | None, callbacks: RunCallbacks) -> RunResult:
    """Begin a run, or continue the one that is in the folder if it has the same configuration."""
    spec = make_spec(request)
    with closing_suite(spec.suite):
        session = Session(spec, callbacks.argv)
        folder = RunFolder(output or _new_path(spec))
        # before the lock, which makes the folder and a file in it
        folder.refuse_strangers(read_files(spec.suite))
        with folder:
            if folder.begun and spec.makes:
                raise UsageError(RunFault.MAKES_ITS_TASKS, folder=folder.path)
            if folder.begun:
                refuse_another(spec.config, folder.read_manifest())
            return session.work(folder, callbacks.tell, callbacks.watch)


def begin_lanes(request: RunRequest, lanes: Sequence[str], output: Path | None) -> list[Path]:
    """Begin a run for each lane, all in one folder, and ask nothing yet. Return the folders of the runs.

    What is there already is left as it is if it has the same configuration.
    """
    for number, lane in reversed([*enumerate(lanes)]):  # the last one tells most, so it refuses first
        request = {**request, "options": {**request.get("options", {}), "lane": lane}}
        spec = make_spec(request)
        with closing_suite(spec.suite):
            output = output or _new_path(spec)
            if spec.config.fresh is not None:  # all lanes have the same twins
                request["fresh"] = spec.config.fresh
            folder = RunFolder(output / lane)
            folder.refuse_strangers(read_files(spec.suite))
            with folder:
                if folder.begun:
                    refuse_another(spec.config, folder.read_manifest())
                else:
                    create(folder, spec, lanes[:number] if spec.goal else ())
    return [] if output is None else [output / lane for lane in lanes]


def resume(request: RunRequest, path: Path, callbacks: RunCallbacks) -> RunResult:
    """Continue a run. Raise UsageError when the request would make it another run, or when somebody else began it."""
    with open_run(path) as folder:
        spec = make_spec(request, folder)
        with closing_suite(spec.suite):
            if spec.refusal:
                raise spec.refusal
            return Session(spec, callbacks.argv).work(folder, callbacks.tell, callbacks.watch)


def _new_path(spec: RunSpec) -> Path:
    """Make up the folder of a run for which none was named."""
    fresh = "" if spec.config.fresh is None else "-fresh"
    return made_up_path("", f"{spec.config.dataset}{fresh}--{spec.config.model}")


def made_up_path(begin: str, name: str) -> Path:
    """Make up a folder that tells a name."""
    return _RUNS / f"{begin}{re.sub(r'[^A-Za-z0-9._-]+', '-', name)[:_LONGEST_NAME]}--{secrets.token_hex(4)}"


def first_request(suite: Suite, agent: Agent, task_id: str) -> Request:
    """Return the first request of an agent at a task. Raise UsageError if it fails before it asks."""
    asked: list[Request] = []
    fault = "it asks nothing"

    async def ask(
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        asked.append(Request(task_id, 0, tuple(messages), tuple(tools), role, form))
        raise Unfinished("a dry run asks nothing")

    try:
        asyncio.run(agent.play(RecordedAttempt(suite, task_id, 0), ask))
    except HeroBenchError:
        raise
    except (Exception, SystemExit) as error:  # the code of others
        fault = f"{type(error).__name__}: {error}"
    if not asked:
        raise UsageError(RunFault.AGENT_FAILS, task_id=task_id, fault=fault)
    return asked[0]


@dataclass(frozen=True, slots=True)
class WinningAnswer:
    """An answer that wins the longest of some tasks."""

    length: float
    """The length of that task."""
    longest: float
    """The length of the longest task that the run may ask."""
    tokens: int
    """About the tokens of the answer."""

    def length_within(self, tokens: int | None) -> float | None:
        """Return the length of the tasks whose answers have about this many tokens; None if all answers have fewer."""
        reach = None if tokens is None else self.length * tokens / self.tokens
        return None if reach is None or reach >= self.longest else reach


def longest_answer(spec: RunSpec, openings: Sequence[Request]) -> WinningAnswer | None:
    """Return the oracle's answer to the first request at the longest task.

    None if the tasks have no lengths, or the suite has no oracle that answers.
    """
    if ORACLE not in spec.suite.players:
        return None
    try:
        lengths = task_lengths(spec.suite, spec.tasks)
        opening = max(openings, key=lambda opening: lengths[opening.task_id])
        text = asyncio.run(ask_model(load_player(spec.suite, ORACLE), opening)).text
    except (UsageError, ModelError):
        return None
    tokens = guess_tokens(len(text), None).input
    longest = max([*lengths.values(), *spec.lengths.values()])
    return WinningAnswer(lengths[opening.task_id], longest, tokens) if tokens else None
