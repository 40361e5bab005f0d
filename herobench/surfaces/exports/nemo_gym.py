"""Writes the tasks of a scorer as an environment of NeMo Gym: a manifest, rows, and a resources server.

environments/herobench/manifest.yaml          what `gym env validate` checks
environments/herobench/config.yaml            the servers: this one, and NeMo Gym's simple_agent
environments/herobench/data/example.jsonl     the first rows, for a smoke rollout
environments/herobench/data/train.jsonl       all rows; validation.jsonl for a shipped set
resources_servers/herobench/app.py            the routes of `herobench serve`
resources_servers/herobench/tests/            answers with their rewards, which `gym env test` plays
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from herobench.conversation import Reply
from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.data.rows import write_rows
from herobench.models.responses_api import response_items
from herobench.scorer import Scorer
from herobench.surfaces.exports.tasks import write_filled
from herobench.surfaces.openenv.scorers import is_shipped, knobs_of_files
from herobench.surfaces.sessions import gym_rows, refuse_window


def write_environment(folder: Path, scorer: Scorer) -> Path:
    """Write the files, and return the path of the manifest. Raise UsageError for tasks that cannot be played there."""
    query, first = scorer.query, next(iter(scorer.tasks))
    refuse_window(query)
    if knobs_of_files(query):
        raise UsageError("An environment has no files of yours: name a dataset, or a seed to make tasks from.")
    solution = scorer.solution(first)
    if len(solution) > 1 and not scorer.play(first).tools:
        raise UsageError("The agent of NeMo Gym ends with its first text: choose mode=tools, or a mode of one reply.")
    split = "validation" if is_shipped(scorer) else "train"
    words = {"version": version("herobench"), "suite": scorer.suite, "dataset": scorer.dataset, "split": split}
    write_filled(folder, "nemo_gym", words)
    environment, server = (folder / part / "herobench" for part in ("environments", "resources_servers"))
    for path in (environment / "data", server / "tests"):
        path.mkdir(parents=True, exist_ok=True)
    write_rows(environment / "data" / "example.jsonl", islice(gym_rows(scorer), 5))
    write_rows(environment / "data" / f"{split}.jsonl", gym_rows(scorer))
    write_text(server / "knobs.json", json.dumps(query.as_knobs()))
    won = [item for reply in solution for item in _output(reply)]
    write_rows(server / "tests" / "verifier_cases.jsonl", _cases(next(gym_rows(scorer)), won))
    return environment / "manifest.yaml"


def _cases(row: Mapping[str, Any], won: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what NeMo Gym plays to test a verifier: an answer that wins, alone and twice, one that loses, and none."""
    for name, kind, output, reward in (
        ("oracle", "full_reward", won, 1.0),
        ("no idea", "zero_reward", [*_output(Reply("I have no idea."))], 0.0),
        ("oracle twice", "determinism", won, 1.0),
    ):
        response = {"id": name, "created_at": 0, "model": "none", "object": "response", "output": output}
        response |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
        yield {"name": name, "kind": kind, "request": {**row, "response": response}, "expected_reward": reward}
    yield {"name": "no response", "kind": "malformed", "request": row, "expected_error": "response"}


def _output(reply: Reply) -> Iterator[dict[str, Any]]:
    """Yield the items of a response that make a reply."""
    for number, item in enumerate(response_items(reply.as_message())):
        if "role" in item:
            content = [{"type": "output_text", "text": item["content"], "annotations": []}]
            item = {"id": f"message-{number}", "type": "message", "role": "assistant", "content": content}
        yield {**item, "status": "completed"}
