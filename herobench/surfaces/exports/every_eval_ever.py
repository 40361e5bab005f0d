"""A run in the schema of Every Eval Ever: one file of the aggregate, and one row for each measured sample.

    data/herobench_SUITE/DEVELOPER/MODEL/ID.json            the figures of the run
    data/herobench_SUITE/DEVELOPER/MODEL/ID_samples.jsonl   the samples

The same run gives the same files. Samples without a verdict are left out, and counted in the aggregate.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from herobench.data.documents import json_object
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import write_text
from herobench.data.rows import dump_row

_VERSION = "0.3.0"
"""The version of the schema."""

CallsOf = Callable[[str, int], Sequence[Mapping[str, Any]]]
"""Returns the answered calls of an attempt, by its task and epoch."""


def write_evaluation(
    folder: Path,
    manifest: Mapping[str, Any],
    samples: Iterable[Mapping[str, Any]],
    find_calls: CallsOf,
    model_id: str | None = None,
) -> Path:
    """Write both files of a run, and return the path of the aggregate. The model is named DEVELOPER/NAME there."""
    rows = list(samples)
    measured = [row for row in rows if row["status"] == "ok"]
    if not measured or not manifest["sessions"]:
        raise UsageError("The run has no measured sample, so there is nothing to report.")
    config = manifest["config"]
    suite, model = config["suite"], model_id or _model_id(config["model"])
    if "/" not in model:
        raise UsageError(f"A model is named DEVELOPER/NAME here, and not {model!r}.")
    own = uuid.UUID(bytes=sha256(dump_row({"run": manifest["id"], "samples": rows}).encode()).digest()[:16], version=4)
    place = Path("data", _plain(f"herobench_{suite}"), *map(_plain, model.split("/")[-2:]))
    head = {"schema_version": _VERSION, "evaluation_id": f"herobench_{suite}/{model}/{manifest['id']}"}
    lines = [dump_row({**head, **_instance(row, model, _answered(row, find_calls))}) for row in measured]
    text = "".join(f"{line}\n" for line in lines)
    details = {
        "format": "jsonl",
        "file_path": str(place / f"{own}_samples.jsonl"),
        "hash_algorithm": "sha256",
        "checksum": sha256(text.encode()).hexdigest(),
        "total_rows": len(lines),
    }
    aggregate = {**head, **_aggregate(manifest, model, rows, measured), "detailed_evaluation_results": details}
    (folder / place).mkdir(parents=True, exist_ok=True)
    write_text(folder / place / f"{own}_samples.jsonl", text)
    path = folder / place / f"{own}.json"
    write_text(path, json.dumps(aggregate, indent=2, ensure_ascii=False) + "\n")
    return path


def _aggregate(
    manifest: Mapping[str, Any],
    model: str,
    rows: Sequence[Mapping[str, Any]],
    measured: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    config, session = manifest["config"], manifest["sessions"][-1]
    figures = {"win": [float(row["won"]) for row in measured], "score": [row["score"] / 100 for row in measured]}
    facts = {"measured": len(measured), "unmeasured": len(rows) - len(measured), "agent": config["agent"]}
    return {
        "retrieved_timestamp": str(_session_end(session)),
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "herobench", "version": session["herobench"]},
        "model_info": {
            "name": config["model"],
            "id": model,
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {
                "evaluation_name": f"herobench_{config['suite']}/{name}",
                "source_data": {
                    "dataset_name": config["dataset"],
                    "source_type": "other",
                    "additional_details": {name: str(value) for name, value in {**config["identity"], **facts}.items()},
                },
                "metric_config": {
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": max(1.0, *values),
                },
                "score_details": {"score": fmean(values)},
            }
            for name, values in figures.items()
        ],
    }


def _session_end(session: Mapping[str, Any]) -> float:
    """Return the time at which a session ended, or began if it was killed."""
    told = session["finished"] or session["started"]
    try:
        return datetime.fromisoformat(told).timestamp()
    except (ValueError, OverflowError) as error:
        raise InputError([Problem("run.json", "$.sessions", "times such as 2026-01-31T12:00:00Z", told)]) from error


def _answered(row: Mapping[str, Any], find_calls: CallsOf) -> Sequence[Mapping[str, Any]]:
    """Return the calls of a sample. Raise InputError if it has none, as a sample that was added to the file by hand."""
    task_id, epoch = row["task_id"], row["epoch"]
    calls = find_calls(task_id, epoch) if row["replies"] else ()
    if not calls:
        expected = "samples whose replies are in calls.jsonl"
        raise InputError([Problem("samples.jsonl", "", expected, {"task_id": task_id, "epoch": epoch})])
    return calls


def _instance(row: Mapping[str, Any], model: str, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    last = row["replies"][-1]
    turns = len(row["replies"])
    used = sum(len(reply["tool_calls"]) for reply in row["replies"])
    kind = "agentic" if used else "multi_turn" if turns > 1 else "single_turn"
    opening = calls[0]["messages"]
    told: dict[str, Any] = {"output": {"raw": [last["text"]]}, "messages": None}
    if kind != "single_turn":
        told = {"output": None, "messages": _transcript(calls)}
    return {
        "model_id": model,
        "evaluation_name": f"herobench_{row['suite']}/score",
        "sample_id": f"{row['task_id']}#{row['epoch']}",
        "interaction_type": kind,
        "input": {"raw": "\n\n".join(message["content"] or "" for message in opening), "reference": []},
        **told,
        "answer_attribution": [
            {
                "turn_idx": max(0, turns - 1),
                "source": "output.raw" if kind == "single_turn" else "messages",
                "extracted_value": last["answer"] or last["text"],
                "extraction_method": "herobench",
                "is_terminal": True,
            }
        ],
        "evaluation": {
            "score": row["score"] / 100,
            "is_correct": row["won"],
            "num_turns": turns,
            "tool_calls_count": used,
        },
        "metadata": {name: str(row[name]) for name in ("group", "failure", "unfinished") if row[name] is not None},
    }


def _transcript(calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return all messages. A call may have only the last ones, but it always has those after the previous reply."""
    messages: list[Mapping[str, Any]] = list(calls[0]["messages"])
    for number, call in enumerate(calls):
        if number:
            sent = call["messages"]
            said = max((place for place, message in enumerate(sent) if message["role"] == "assistant"), default=-1)
            messages += sent[said + 1 :]
        reply = call["reply"]
        messages.append({"role": "assistant", "content": reply["text"], "tool_calls": reply["tool_calls"]})
    return [_turn(place, message) for place, message in enumerate(messages)]


def _turn(place: int, message: Mapping[str, Any]) -> dict[str, Any]:
    turn: dict[str, Any] = {"turn_idx": place, "role": message["role"], "content": message["content"]}
    if called := message.get("tool_calls"):
        turn["tool_calls"] = [
            {"id": call["id"], "name": call["name"], "arguments": _arguments(call["arguments"])} for call in called
        ]
    if message.get("call_id"):
        turn["tool_call_id"] = [message["call_id"]]
    return turn


def _arguments(text: str) -> dict[str, str]:
    """Return arguments as texts, which the schema requires; arguments that are no JSON object become one text."""
    found = json_object(text)
    if found is None:
        return {"text": text}
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in found.items()}


def _model_id(name: str) -> str:
    """Return the model as DEVELOPER/NAME, the form of the schema."""
    return name if "/" in name else f"unknown/{name}"


def _plain(name: str) -> str:
    return re.sub(r"^\.+|[^\w.-]", "-", name)
