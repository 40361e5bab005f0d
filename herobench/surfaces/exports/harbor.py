"""Folders of tasks for harbor, one for each task of a suite that is played in one turn.

    task.toml               the agent has no network; its answer is the only thing that leaves its container
    instruction.md          the prompt
    environment/Dockerfile  the container of the agent: neither herobench nor the world is in it
    solution/solve.sh       copies the oracle's answer, which is in answer.txt beside it
    tests/                  the container of the verifier, with herobench and the task; it writes reward.json

Verifier and agent are in separate containers, so that an agent can neither read the task nor change its own score.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from herobench.conversation import Message
from herobench.data.files import write_text
from herobench.data.rows import write_rows
from herobench.scorer import Scorer
from herobench.surfaces.exports import write_filled

ANSWER = "/app/answer.txt"
"""The agent writes its answer to this file."""
_LONGEST_NAME = 100


def write_tasks(folder: Path, scorer: Scorer) -> list[Path]:
    """Write a folder for each task, and return their paths."""
    names = folder_names(scorer.suite, scorer.tasks)
    return [_write_task(folder / name, scorer, task_id) for task_id, name in names.items()]


def folder_names(suite: str, task_ids: Iterable[str]) -> dict[str, str]:
    """Return the name of each task's folder: its id in small letters, digits and hyphens, which harbor asks for.

    Ids that differ in other characters alone get a digest too, so that no task takes the folder of another. So do long
    ones, which are cut.
    """
    plain = {task_id: re.sub(r"[^a-z0-9]+", "-", f"{suite}-{task_id}".lower()).strip("-") for task_id in task_ids}
    uses = Counter(plain.values())

    def named(task_id: str, name: str) -> str:
        fits = uses[name] == 1 and len(name) <= _LONGEST_NAME
        return name if fits else f"{name[:_LONGEST_NAME].strip('-')}-{_digest(task_id)}"

    return {task_id: named(task_id, name) for task_id, name in plain.items()}


def _digest(task_id: str) -> str:
    return hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _write_task(path: Path, scorer: Scorer, task_id: str) -> Path:
    (reply,) = scorer.solution(task_id)
    words = {"name": path.name, "suite": scorer.suite, "answer": ANSWER, "version": version("herobench")}
    write_filled(path, "harbor", words)
    files = {
        "instruction.md": _instruction(scorer.opening(task_id)),
        # never in the script: a label of a question may be any text, and a shell would run it
        "solution/answer.txt": reply.text,
        "tests/knobs.json": json.dumps({**_source(scorer), "suite": scorer.suite, "task_id": task_id}),
    }
    for file, text in files.items():
        write_text(path / file, text)
    for script in ("solution/solve.sh", "tests/test.sh"):
        (path / script).chmod(0o755)
    if not _is_shipped(scorer):
        write_rows(path / "tests" / "tasks.jsonl", [scorer.tasks[task_id].row])
    return path


def _source(scorer: Scorer) -> dict[str, str]:
    """Return the settings of the suite, and the shipped set if it is one: a set tells its world, a file does not."""
    settings = dict(scorer.wanted.others)
    return {**settings, "dataset": scorer.dataset} if _is_shipped(scorer) else settings


def _is_shipped(scorer: Scorer) -> bool:
    return scorer.wanted.seed is None and scorer.wanted.tasks is None


def _instruction(messages: Sequence[Message]) -> str:
    """Return the prompt, with the place of the answer. Examples are told apart by who speaks."""
    if len(messages) == 1:
        told = messages[0].text
    else:
        told = "\n\n".join(f"{message.role.capitalize()}:\n{message.text}" for message in messages)
    return f"{told}\n\nWrite your whole answer, as you would reply it, to the file {ANSWER}.\n"
