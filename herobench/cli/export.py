"""Write tasks and runs in the forms of other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.samples.calls import Calls
from herobench.analysis.samples.matrix import matrix_of
from herobench.analysis.samples.sources import Source, read_sources, refuse_inputs
from herobench.analysis.samples.table_text import csv_text
from herobench.cli.commands import Group, read_settings
from herobench.cli.options import RunsArgument, SuiteOption
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.data.options import Option
from herobench.data.rows import write_rows
from herobench.runs.journal import stored_replies
from herobench.runs.rescore import opened_again
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.play import reward_options
from herobench.surfaces.exports.nemo_gym import write_environment
from herobench.surfaces.exports.tasks import folder_names, write_dataset, write_harbor, write_package
from herobench.surfaces.exports.trajectories import conversations, mend, trajectory, turn_rewards
from herobench.surfaces.lm_eval import write_folder

app = Group()

KnobsOption = Annotated[
    list[str] | None,
    Option(
        "Which tasks, and how they are played: dataset, tasks, difficulty, task-id, shuffle, limit; seed with "
        "difficulty, length and count for tasks made anew; any setting of the suite.",
        "set",
        metavar="NAME=VALUE",
    ),
]


def read_knobs(suite: str, texts: Sequence[str] | None) -> TaskQuery:
    """Return the query of some options. Raise UsageError for an unknown one."""
    knobs = {name.replace("-", "_"): value for name, value in read_settings(texts or ()).items()}
    return TaskQuery(**{**knobs, "suite": suite})


@app.command("harbor")
def harbor(
    folder: Annotated[Path, Option("The folder to write.", metavar="DIR", is_argument=True)],
    suite: SuiteOption = "",
    knobs: KnobsOption = None,
) -> None:
    """Write tasks for harbor, each with a verifier in a container of its own."""
    with Scorer(read_knobs(suite, knobs).one_turn()) as scorer:
        folders = write_harbor(folder, scorer)
    say(f"{len(folders)} tasks written to {folder}")


@app.command("hf")
def hf(
    folder: Annotated[Path, Option("The folder to write, or to add tasks to.", metavar="DIR", is_argument=True)],
    suite: SuiteOption = "",
    knobs: KnobsOption = None,
) -> None:
    """Write tasks as a dataset for Hugging Face: rows, a card and eval.yaml."""
    with Scorer(read_knobs(suite, knobs)) as scorer:
        path = write_dataset(folder, scorer)
        say(f"{len(scorer.tasks)} tasks written to {path}")


@app.command("lm-eval")
def lm_eval(
    folder: Annotated[Path, Option("The folder to write.", metavar="DIR", is_argument=True)],
    suite: SuiteOption = "",
    knobs: KnobsOption = None,
) -> None:
    """Write the task of a suite for lm-eval, with the knobs filled in."""
    say(str(write_folder(folder, read_knobs(suite, knobs))))


@app.command("openenv")
def openenv(
    folder: Annotated[Path, Option("The folder to write.", metavar="DIR", is_argument=True)],
    suite: SuiteOption = "",
    knobs: KnobsOption = None,
) -> None:
    """Write a package for OpenEnv, which runs as a Space of Hugging Face."""
    with Scorer(read_knobs(suite, knobs)) as scorer:
        path = write_package(folder, scorer)
        say(f"{len(scorer.tasks)} tasks served by {path}")


@app.command("nemo-gym")
def nemo_gym(
    folder: Annotated[Path, Option("The folder to write.", metavar="DIR", is_argument=True)],
    suite: SuiteOption = "",
    knobs: KnobsOption = None,
) -> None:
    """Write an environment for NeMo Gym: a manifest, rows, and a server of their rewards."""
    with Scorer(read_knobs(suite, knobs)) as scorer:
        path = write_environment(folder, scorer)
        say(f"{len(scorer.tasks)} tasks described by {path}")


@app.command("atif")
def atif(
    run: Annotated[Path, Option("The folder of a run.", metavar="RUN", is_argument=True)],
    folder: Annotated[Path, Option("The folder to write.", "output", short="-o", metavar="DIR")],
    reward: Annotated[
        str | None,
        Option("Pay each turn, and write its reward: end, progress or potential.", metavar="KIND"),
    ] = None,
    gamma: Annotated[float, Option("The discount of the potential.", metavar="G")] = 1.0,
) -> None:
    """Write the attempts of a run as trajectories in harbor's ATIF, a file for each."""
    source, calls = _attempts(run)
    samples = [sample for sample in source.samples() if sample["status"] == "ok"]
    ids = [f"{sample['task_id']} {sample['epoch']}" for sample in samples]
    names = folder_names("", ids)
    folder.mkdir(parents=True, exist_ok=True)
    with _payment(run, reward, gamma) as pay:
        for sample, id in zip(samples, ids, strict=True):
            requests = list(calls.of(sample["task_id"], sample["epoch"], sample["calls"]))
            row = trajectory(sample, requests, source.agent or "", version("herobench"), pay(sample))
            write_text(folder / f"{names[id]}.json", json.dumps(row, ensure_ascii=False, indent=2) + "\n")
    say(f"{len(samples)} trajectories written to {folder}")


Payment = Callable[[Mapping[str, Any]], Sequence[float] | None]
"""Returns the rewards of a sample's turns; None where none are asked for."""


@contextmanager
def _payment(run: Path, kind: str | None, gamma: float) -> Iterator[Payment]:
    """Give the payment for a run."""
    if kind is None:
        yield lambda sample: None
        return
    terms = reward_options({"reward": kind, "gamma": gamma})
    with opened_again(run, {}, None, 1, in_place=False) as (_, _, suite):
        yield lambda sample: turn_rewards(suite, sample["task_id"], sample["epoch"], stored_replies(sample), *terms)


@app.command("sft")
def sft(
    runs: Annotated[list[Path], Option("Folders of runs.", metavar="RUN...", is_argument=True)],
    output: Annotated[Path, Option("The file of rows to write.", "output", short="-o", metavar="FILE")],
    repaired: Annotated[
        bool, Option("Lost plans too, with the edits of `herobench repair` that win.", "repaired")
    ] = False,
) -> None:
    """Write won attempts as conversations for supervised training, a row for each, with the ids of their tasks."""
    datasets = dict.fromkeys(name for run in runs if (name := _public_dataset(run)))
    for name in datasets:
        say(
            f"These are tasks of {name}, which models are measured by: train on made tasks (--fresh, generate).",
            err=True,
        )
    rows = (row for run in runs for row in _training_rows(run, repaired=repaired))
    say(f"{write_rows(output, rows)} rows written to {output}")


@app.command("matrix")
def matrix(
    runs: RunsArgument,
    output: Annotated[Path, Option("The file to write: .csv or .parquet.", "output", short="-o", metavar="FILE")],
) -> None:
    """Write who did what at each item, in the form of Stanford's measurement-db: a row for each measured attempt."""
    if output.suffix not in (".csv", ".parquet"):
        raise UsageError(f"{output} ends in neither .csv nor .parquet, which say the format.")
    refuse_inputs(sources := read_sources(runs), output)
    table = matrix_of(sources)
    try:
        if output.suffix == ".csv":
            write_text(output, csv_text(table))
        else:
            table.to_parquet(output, index=False)
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: pip install 'herobench[parquet]'.") from error
    say(f"{len(table)} rows written to {output}")


def _attempts(run: Path) -> tuple[Source, Calls]:
    """Return the samples and the calls of a run. Raise UsageError for a file of rows."""
    source = _source(run)
    if source.calls_file is None:
        raise UsageError(f"{run} is a file of rows: name the folder of a run, which has the calls.")
    return source, Calls(source.calls_file)


def _source(run: Path) -> Source:
    (source,) = read_sources([run])
    return source


def _public_dataset(run: Path) -> str | None:
    """Return the dataset of a run if anyone is asked its tasks."""
    tasks = _source(run).asked
    return tasks.dataset if tasks and tasks.fresh is None else None


def _training_rows(run: Path, *, repaired: bool) -> Iterator[dict[str, Any]]:
    source, calls = _attempts(run)
    reading = load_reading(str((source.manifest or {})["config"]["suite"]))
    answer = reading.mended_answers(run, source.manifest or {}) if repaired else lambda sample: None
    for sample in source.samples():
        if sample["status"] != "ok":
            continue
        requests = list(calls.of(sample["task_id"], sample["epoch"], sample["calls"]))
        about = {name: sample[name] for name in ("suite", "task_id", "epoch", "model")}
        about["dataset"] = source.asked.name if source.asked else None
        if sample["won"]:
            for messages, tools in conversations(requests):
                yield {**about, "source": "won", "messages": messages, **({"tools": tools} if tools else {})}
        elif len(requests) == 1 and (text := answer(sample)) is not None:
            yield {**about, "source": "repaired", "messages": mend(requests, text)}
