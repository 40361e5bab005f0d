"""Write a run in the schema of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from herobench.cli.say import say


def every_eval_ever(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write `data` into.")],
    model_id: Annotated[
        str | None, typer.Option(metavar="DEVELOPER/NAME", help="The model, as Hugging Face names it.")
    ] = None,
) -> None:
    """Write the figures of a run and a row for each sample."""
    from herobench.analysis.calls import Call, Calls
    from herobench.analysis.sources import read_sources
    from herobench.analysis.variants import tasks_of, told_apart
    from herobench.runs.folder import RunFolder
    from herobench.surfaces.exports.every_eval_ever import write_evaluation

    kept = RunFolder(run)
    manifest = kept.read_manifest()
    calls = Calls(kept.calls)

    def answered(task_id: str, epoch: int) -> list[Call]:
        return [call for call in calls.of(task_id, epoch, None) if call["reply"] is not None]

    for apart in told_apart([tasks_of(source) for source in read_sources([run])]).values():
        manifest["config"]["dataset"] = apart.asked.dataset
        say(apart.note, err=True)
    say(str(write_evaluation(folder, manifest, kept.read_samples(), answered, model_id)))
