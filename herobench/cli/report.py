"""The page of a report, from runs as they lie on the disk; how `analyze --format html` comes by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.cli.say import say
from herobench.errors import UsageError

if TYPE_CHECKING:
    from herobench.analysis.report import ReportRun
    from herobench.analysis.sources import Source


def write_page(sources: Sequence[Source], output: Path | None) -> None:
    """Write the report on some sources."""
    from herobench.analysis.report import write_report

    if output is None:
        raise UsageError("Say where the page goes: -o report.html.")
    if not any(True for source in sources for _ in source.rows()):
        raise UsageError("There are no samples to analyze yet.")
    count = write_report(output, [_run(source) for source in sources])
    say(f"{count} samples in {output}", err=True)


def _run(source: Source) -> ReportRun:
    """A run with its own tasks; rows of a file are shown without prompts and replays."""
    from herobench.analysis.account import accounted
    from herobench.analysis.report import ReportRun
    from herobench.prompts.render import render_prompt
    from herobench.rpg.content import DEFAULT_EDITION, load_rules, load_world
    from herobench.runs.folder import RunFolder
    from herobench.runs.order import Wishes, tasks_of, world_of

    manifest, folder = source.manifest, RunFolder(source.path)
    world = world_of(Wishes(), manifest, folder) if manifest else load_world()
    rules = load_rules(manifest["config"]["rules"] if manifest else DEFAULT_EDITION)
    tasks = tasks_of(folder, manifest, world).tasks if manifest and folder.tasks.exists() else {}
    return ReportRun(
        source.name, accounted(source), tasks, world, rules, lambda task: render_prompt(world, task, rules)
    )
