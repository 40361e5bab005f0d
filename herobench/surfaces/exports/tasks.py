"""Writes tasks as folders of files: a dataset for Hugging Face, tasks for harbor, a package for OpenEnv.

The folder `files` has a template for each written file, with the same path and `.txt` at the end. `{name}` is a
placeholder; a literal brace is doubled.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from herobench.conversation import Message
from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.data.rows import write_rows
from herobench.models.messages import chat_messages, chat_tool
from herobench.scorer import Scorer
from herobench.surfaces.openenv.scorers import is_shipped, knobs_of_files, split_name
from herobench.surfaces.sessions import as_text, refuse_window


def write_filled(folder: Path, tool: str, words: Mapping[str, object]) -> None:
    """Write all files of a tool from its templates, with words for the placeholders."""
    templates = Path(__file__).parent / "files" / tool
    for template in templates.rglob("*.txt"):
        path = folder / template.relative_to(templates).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, template.read_text("utf-8").format(**words))


# -- Hugging Face ------------------------------------------------------------------------------------------------------

CANARY = "HeroBench data must not be in training corpora. herobench canary 5f0e6f0c-8a0b-4c5e-9d55-0f2a7c0b6e31"
"""The text in each row for which a corpus can be searched."""

SCHEMA_VERSION = 1


def write_dataset(folder: Path, scorer: Scorer) -> Path:
    """Write the tasks of a scorer as a configuration of a folder, and return the path of its file.

        README.md                     the card, with one configuration for each file
        eval.yaml                     names the tasks for the leaderboard of the dataset's page
        data/CONFIGURATION.jsonl      the tasks

    `datasets.load_dataset` reads the folder, and it can be uploaded to Hugging Face unchanged. All rows of all suites
    have the same columns, since the library needs one type for each column: parts that differ from suite to suite are
    JSON in a text. Another export into the same folder adds a configuration.
    """
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]", "-", f"{scorer.suite}-{scorer.dataset}")
    path = data / f"{name}.jsonl"
    write_rows(path, _rows(scorer))
    names = sorted(file.stem for file in data.glob("*.jsonl"))
    tasks = "\n".join(f"  - id: {name}\n    config: {name}\n    split: test" for name in names)
    words = {"configs": _configs(names), "version": version("herobench"), "canary": CANARY, "tasks": tasks}
    write_filled(folder, "hf", words)
    return path


def _rows(scorer: Scorer) -> Iterator[Mapping[str, Any]]:
    identity = json.dumps(dict(scorer.identity))
    knobs = json.dumps(scorer.query.as_knobs())
    for task_id, task in scorer.tasks.items():
        play = scorer.play(task_id)
        yield {
            "id": task_id,
            "suite": scorer.suite,
            "dataset": scorer.dataset,
            "group": task.group or "",
            "prompt": as_text(play.conversation),
            "messages": json.dumps(chat_messages(play.conversation)),
            "tools": json.dumps([chat_tool(tool) for tool in play.tools]),
            "task": json.dumps(dict(task.row)),
            "oracle": _solution(scorer, task_id),
            "identity": identity,
            "knobs": knobs,
            "canary": CANARY,
            "schema_version": SCHEMA_VERSION,
        }


def _solution(scorer: Scorer, task_id: str) -> str:
    """Return the replies of the oracle as JSON; an empty list if the suite has none."""
    try:
        replies = scorer.solution(task_id)
    except UsageError:
        replies = ()
    return json.dumps(chat_messages(reply.as_message() for reply in replies))


def _configs(names: Sequence[str]) -> str:
    lines = []
    for name in names:
        lines += [f"- config_name: {name}", "  data_files:", "  - split: test", f"    path: data/{name}.jsonl"]
        lines += ["  default: true"] if name == names[0] else []
    return "\n".join(lines)


# -- harbor ------------------------------------------------------------------------------------------------------------

ANSWER = "/app/answer.txt"
"""The agent writes its answer to this file."""
_LONGEST_NAME = 100


def write_harbor(folder: Path, scorer: Scorer) -> list[Path]:
    """Write a folder for each task of a suite that is played in one turn, and return their paths.

        task.toml               the agent has no network; its answer is the only thing that leaves its container
        instruction.md          the prompt
        environment/Dockerfile  the container of the agent: neither herobench nor the world is in it
        solution/solve.sh       copies the oracle's answer, which is in answer.txt beside it
        tests/                  the container of the verifier, with herobench and the task; it writes reward.json

    Verifier and agent are in separate containers, so that an agent can neither read the task nor change its own score.
    """
    names = folder_names(scorer.suite, scorer.tasks)
    return [_write_task(folder / name, scorer, task_id) for task_id, name in names.items()]


def folder_names(suite: str, task_ids: Iterable[str]) -> dict[str, str]:
    """Return the name of each task's folder: its id in small letters, digits and hyphens, as harbor requires.

    If ids differ only in other characters, their names get a digest, so that no two tasks share a folder. Long names
    are cut and get a digest too.
    """
    plain = {task_id: re.sub(r"[^a-z0-9]+", "-", f"{suite}-{task_id}".lower()).strip("-") for task_id in task_ids}
    uses = Counter(plain.values())

    def folder_name(task_id: str, name: str) -> str:
        fits = uses[name] == 1 and len(name) <= _LONGEST_NAME
        return name if fits else f"{name[:_LONGEST_NAME].strip('-')}-{_digest(task_id)}"

    return {task_id: folder_name(task_id, name) for task_id, name in plain.items()}


def _digest(task_id: str) -> str:
    return hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _write_task(path: Path, scorer: Scorer, task_id: str) -> Path:
    (reply,) = scorer.solution(task_id)
    words = {"name": path.name, "suite": scorer.suite, "answer": ANSWER, "version": version("herobench")}
    write_filled(path, "harbor", words)
    files = {
        "instruction.md": _instruction(scorer.opening(task_id)),
        # Not in the script: an answer may be any text, which a shell could run.
        "solution/answer.txt": reply.text,
        "tests/knobs.json": json.dumps({**_source(scorer), "suite": scorer.suite, "task_id": task_id}),
    }
    for file, text in files.items():
        write_text(path / file, text)
    for script in ("solution/solve.sh", "tests/test.sh"):
        (path / script).chmod(0o755)
    if not is_shipped(scorer):
        write_rows(path / "tests" / "tasks.jsonl", [scorer.tasks[task_id].row])
    return path


def _source(scorer: Scorer) -> dict[str, str]:
    """Return the settings of the suite, and the shipped set if it is one: a set tells its world, a file does not."""
    settings = dict(scorer.query.others)
    return {**settings, "dataset": scorer.dataset} if is_shipped(scorer) else settings


def _instruction(messages: Sequence[Message]) -> str:
    """Return the prompt and the file for the answer. If there are several messages, each has its role as a heading."""
    if len(messages) == 1:
        prompt = messages[0].text
    else:
        prompt = "\n\n".join(f"{message.role.capitalize()}:\n{message.text}" for message in messages)
    return f"{prompt}\n\nWrite your whole answer, as you would reply it, to the file {ANSWER}.\n"


# -- OpenEnv -----------------------------------------------------------------------------------------------------------


def write_package(folder: Path, scorer: Scorer) -> Path:
    """Write a folder that `openenv validate` and `openenv push` take, and that runs as a Space. Return its path.

        openenv.yaml              names the server, and declares rewards and resources
        server/app.py             the server of these tasks, and no others
        validation/runtime.json   the episode that `openenv validate` plays
        pyproject.toml            installs this version of herobench
        Dockerfile                runs the server as a user without rights
        README.md                 the page of the Space

    No file in it holds a task or a solution. Raise UsageError for tasks from files.
    """
    query = scorer.query
    refuse_window(query)
    if knobs_of_files(query):
        raise UsageError("A package has no files of yours: name a dataset, or a seed to make tasks from.")
    is_made = query.seed is not None
    words = {
        "name": f"herobench-{scorer.suite}",
        "version": version("herobench"),
        "suite": scorer.suite,
        "about": f"Long-range planning: {len(scorer.tasks):,} tasks of the suite {scorer.suite}, {scorer.dataset}.",
        "knobs": json.dumps(query.as_knobs()),
        "pin": f"generator_seed: {query.seed}" if is_made else f"dataset_version: {scorer.dataset}",
        "split": split_name(scorer),
        "count": len(scorer.tasks),
    }
    write_filled(folder, "openenv", words)
    return folder
