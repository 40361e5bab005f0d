"""Write tasks and runs in the forms of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from herobench.cli.options import SuiteOption, read_settings
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.suite.contract import DEFAULT_SUITE

if TYPE_CHECKING:
    from herobench.scorer import TaskQuery

app = typer.Typer(no_args_is_help=True)

KnobsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Which tasks, and how they are played: dataset, tasks, difficulty, task-id, shuffle, limit; seed with "
        "difficulty, length and count for tasks made anew; any setting of the suite.",
    ),
]


def read_knobs(suite: str, texts: Sequence[str] | None) -> TaskQuery:
    """Return the query of some options. Raise UsageError for an unknown one."""
    from herobench.scorer import TaskQuery

    knobs = {name.replace("-", "_"): value for name, value in read_settings(texts or (), {}).items()}
    return TaskQuery(**{**knobs, "suite": suite})


@app.command("every-eval-ever")
def every_eval_ever(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write `data` into.")],
    model_id: Annotated[
        str | None, typer.Option(metavar="DEVELOPER/NAME", help="The model, as Hugging Face names it.")
    ] = None,
) -> None:
    """Write a run in the schema of Every Eval Ever."""
    from herobench.analysis.samples.calls import Call, Calls
    from herobench.analysis.samples.sources import read_sources
    from herobench.analysis.samples.variants import read_tasks, told_apart
    from herobench.runs.folder import RunFolder
    from herobench.surfaces.exports.every_eval_ever import write_evaluation

    kept = RunFolder(run)
    manifest = kept.read_manifest()
    calls = Calls(kept.calls)

    def answered(task_id: str, epoch: int) -> list[Call]:
        return [call for call in calls.of(task_id, epoch, None) if call["reply"] is not None]

    for apart in told_apart([read_tasks(source) for source in read_sources([run])]).values():
        manifest["config"]["dataset"] = apart.asked.dataset
        say(apart.note, err=True)
    say(str(write_evaluation(folder, manifest, kept.read_samples(), answered, model_id)))


@app.command("harbor")
def harbor(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write tasks for harbor, each with a verifier in a container of its own."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.harbor import write_tasks

    with Scorer(read_knobs(suite, knobs).one_turn()) as scorer:
        written = write_tasks(folder, scorer)
    say(f"{len(written)} tasks written to {folder}")


@app.command("hf")
def hf(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write, or to add tasks to.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write tasks as a dataset for Hugging Face: rows, a card and eval.yaml."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.dataset import write_dataset

    with Scorer(read_knobs(suite, knobs)) as scorer:
        path = write_dataset(folder, scorer)
        say(f"{len(scorer.tasks)} tasks written to {path}")


@app.command("lm-eval")
def lm_eval(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="The folder to write.")] = None,
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Print the folder with the tasks for lm-eval, or write one with the knobs filled in."""
    from herobench.surfaces.lm_eval import SHIPPED, write_folder

    if folder is not None:
        say(str(write_folder(folder, read_knobs(suite, knobs))))
    elif knobs or suite != DEFAULT_SUITE:
        raise UsageError("The shipped folder has all suites without knobs: name a folder to write.")
    else:
        say(str(SHIPPED))


@app.command("openenv")
def openenv(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
    suite: SuiteOption = DEFAULT_SUITE,
    knobs: KnobsOption = None,
) -> None:
    """Write a package for OpenEnv, which runs as a Space of Hugging Face."""
    from herobench.scorer import Scorer
    from herobench.surfaces.exports.openenv import write_package

    with Scorer(read_knobs(suite, knobs)) as scorer:
        path = write_package(folder, scorer)
        say(f"{len(scorer.tasks)} tasks served by {path}")
