"""Begins and resumes runs: makes the order, locks the folder, works a session, closes the suite.

`herobench run` and `herobench.run` call it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from herobench.data.errors import UsageError
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.options import RunRequest
from herobench.runs.refusals import RunFault
from herobench.runs.session import RunResult, Session, create
from herobench.runs.spec import RunSpec, make_spec, refuse_another
from herobench.runs.standing import News, Standing
from herobench.suite.checked import closing_suite, read_files

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
