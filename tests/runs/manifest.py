"""A run.json of a run that has not been worked on yet."""

from __future__ import annotations

from typing import Any


def manifest_row() -> dict[str, Any]:
    return {
        "schema": 2,
        "id": "0123abcd",
        "config": {
            "suite": "s",
            "dataset": "d-v1",
            "tasks": "0" * 64,
            "task_count": 2,
            "epochs": 1,
            "model": "ü/m",
            "base_url": None,
            "api": "chat",
            "sampling": dict.fromkeys(["max_tokens", "temperature", "top_p", "seed", "reasoning_effort"])
            | {"extra_body": {}},
            "agent": "one-shot",
            "identity": {"rules": "fair"},
        },
        "conduct": {
            **dict.fromkeys(["rpm", "tpm", "cost_limit", "jobs", "key_name", "cache"]),
            "connections": 1,
            "retries": 0,
            "timeout": 1.0,
            "stream": True,
            "options": {"rules": "fair"},
        },
        "files": [],
        "price": None,
        "served": [],
        "totals": None,
        "sessions": [],
    }
