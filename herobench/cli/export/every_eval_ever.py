"""Write a run in the schema of Every Eval Ever."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
    from herobench.analysis.sources import read_sources
    from herobench.analysis.variants import tasks_of, told_apart
    from herobench.runs.folder import RunFolder
    from herobench.surfaces.exports.every_eval_ever import write_evaluation

    kept = RunFolder(run)
    manifest = kept.read_manifest()
    calls: dict[tuple[str, int], dict[int, Any]] = {}
    for call in kept.read_calls():
        if call["reply"] is not None:
            calls.setdefault((call["task_id"], call["epoch"]), {})[call["call"]] = call
    for apart in told_apart([tasks_of(source) for source in read_sources([run])]).values():
        manifest["config"]["dataset"] = apart.asked.dataset
        say(apart.note, err=True)
    in_order = {key: [turns[number] for number in sorted(turns)] for key, turns in calls.items()}
    say(str(write_evaluation(folder, manifest, kept.read_samples(), in_order, model_id)))
