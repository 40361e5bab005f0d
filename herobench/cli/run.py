"""Ask a model all tasks of a dataset, and score its replies as they come. All replies are kept in the run's folder.

With --model alone this runs the default dataset of the suite. Use --resume to continue a run that was cut short.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from herobench.cli.commands import with_options, with_suite_options
from herobench.cli.run_view import is_below, print_ending, view
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.options import Option
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.options import KEPT, RunRequest, TaskChoice, request_of
from herobench.runs.runner import INTERRUPTED
from herobench.runs.session import RunCallbacks, begin, begin_lanes, resume
from herobench.runs.spec import make_spec
from herobench.suite.checked import closing_suite, run_tables, suite_class

FAILED_UNDER = 3
_ALL = "all"
"""The value of --lane that stands for all lanes."""


@with_suite_options(run_tables)
@with_options(RunRequest, *KEPT.values())
def run(
    fields: Mapping[str, Any],
    settings: Mapping[str, str],
    output: Annotated[
        Path | None, Option("The run's folder.", "output", short="-o", metavar="DIR", shown="runs/...")
    ] = None,
    resume: Annotated[Path | None, Option("Resume a run, and try again what failed.", metavar="RUN")] = None,
    dry_run: Annotated[
        bool, Option("Show the plan of the run and its first prompt, and ask nothing.", "dry-run")
    ] = False,
    as_json: Annotated[bool, Option("Print events as JSON lines.", "json")] = False,
    fail_under: Annotated[
        float | None,
        Option("Exit with 3 when fewer of the attempts are won.", metavar="PERCENT", least=0, most=100),
    ] = None,
) -> None:
    """Run a model."""
    if resume is not None and output is not None:
        raise UsageError("--resume names the run's folder: leave --output out.")
    options = dict(settings)
    request = request_of(fields, options)
    if request.get("fresh") is not None:
        say("Making private twins of the tasks: many of them take a while.", err=True)
    runs = _lanes_at(resume) if resume else []
    lanes: Sequence[str] = ()
    if options.get("lane") == _ALL:
        del options["lane"]
        if resume and not runs:
            raise UsageError(f"{resume} has no runs in lanes: --lane all begins them in a new folder.")
        lanes = _suite_lanes(fields["suite"])
    if dry_run:
        for each, folder in _lane_requests(request, lanes, runs) or [(request, resume)]:
            _show(each, folder, as_json=as_json)
    elif lanes or runs:
        _work_lanes(request, output, lanes, runs, as_json=as_json, fail_under=fail_under)
    else:
        _work(request, output, resume, as_json=as_json, fail_under=fail_under)


def _suite_lanes(suite: str) -> Sequence[str]:
    """Return the lanes of a suite. Raise UsageError for a suite without lanes."""
    if not (lanes := suite_class(suite).lanes):
        raise UsageError(f"The suite {suite} has no lanes: leave --lane all out.")
    return lanes


def _lanes_at(folder: Path) -> list[Path]:
    """Return the runs of the lanes in a folder that is no run itself, from the lane that tells least."""
    manifests = [] if (folder / "run.json").exists() else sorted(folder.glob("*/run.json"))
    if not manifests:
        return []
    suite = str(RunFolder(manifests[0].parent).read_manifest()["config"]["suite"])
    return [folder / lane for lane in suite_class(suite).lanes if (folder / lane / "run.json").is_file()]


def _lane_requests(
    request: RunRequest, lanes: Sequence[str], runs: Sequence[Path]
) -> list[tuple[RunRequest, Path | None]]:
    """Return what to show of each lane: its run, or what would begin it."""
    if runs:
        return [(request, run) for run in runs]
    options = request.get("options", {})
    return [({**request, "options": {**options, "lane": lane}}, None) for lane in lanes]


def _work_lanes(
    request: RunRequest,
    output: Path | None,
    lanes: Sequence[str],
    runs: Sequence[Path],
    *,
    as_json: bool,
    fail_under: float | None,
) -> None:
    """Begin or resume a run for each lane, one after the other, and print at the end what planning costs."""
    lane_request: RunRequest = request
    if not runs:
        # what chooses tasks is in the folders by now
        runs, lane_request = begin_lanes(request, lanes, output), _without_choice(request)
    codes = set[int]()
    for run in runs:
        try:
            _work(lane_request, None, run, as_json=as_json, fail_under=fail_under)
        except typer.Exit as ended:
            codes.add(ended.exit_code)
            if ended.exit_code == INTERRUPTED:
                say(f"To resume all lanes: herobench run --resume {shlex.quote(str(run.parent))}", err=True)
                raise
    if not as_json:
        from herobench.cli.analyze import print_lane_costs

        print_lane_costs(runs)
    if codes:
        raise typer.Exit(min(codes))


def _without_choice(request: RunRequest) -> RunRequest:
    """Return a request without what says which tasks are asked, which a run that has begun keeps."""
    other_fields: Any = {name: value for name, value in request.items() if name not in TaskChoice.__annotations__}
    return cast("RunRequest", other_fields)


def _show(request: RunRequest, resume: Path | None, *, as_json: bool) -> None:
    """Print what would be asked."""
    from herobench.cli.dry_run import print_spec

    spec = make_spec(request, open_run(resume) if resume else None)
    with closing_suite(spec.suite):
        print_spec(spec, as_json=as_json)
        if spec.refusal:
            say(str(spec.refusal), err=True)


def _work(
    request: RunRequest, output: Path | None, folder: Path | None, *, as_json: bool, fail_under: float | None
) -> None:
    """Begin or resume a run, show it, and print how it ended."""
    display = view(as_json=as_json)
    callbacks = RunCallbacks(display.tell, display.watch, sys.argv)
    try:
        ending = resume(request, folder, callbacks) if folder else begin(request, output, callbacks)
    finally:
        # before anything is printed, since a bar owns the last lines of the terminal
        display.close()
    if not as_json:
        print_ending(ending)
    if not ending.complete:
        again = f"herobench run --resume {shlex.quote(str(ending.path))}"
        say(f"{ending.message or 'Some attempts were not measured.'} To resume: {again}", err=True)
    if ending.reason == "interrupted":
        raise typer.Exit(INTERRUPTED)
    # this code precedes the one of --fail-under: the share of wins is not known while attempts are owed
    if not ending.complete:
        raise typer.Exit(1)
    if fail_under is not None and is_below(ending.path, fail_under):
        say(f"Less than {fail_under:g} % won.", err=True)
        raise typer.Exit(FAILED_UNDER)
