"""A run of numbered tasks by a served model: `python -m tests.runs.served FOLDER URL TASKS CONNECTIONS`.

A process of its own, so that what it holds open and how much memory it takes can be looked at from outside.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from herobench.models.model import Endpoint, ModelSpec
from herobench.models.openai_api import ServedModel
from herobench.models.pace import allow_descriptors
from tests.runs.trial import Numbers, Trial


def served(
    url: str,
    connections: int,
    *,
    stream: bool = True,
    api: Literal["chat", "responses"] = "chat",
    timeout: float = 60.0,
) -> ServedModel:
    return ServedModel(ModelSpec("m", "m", endpoint=Endpoint(url, None, api, stream, timeout, connections)))


def main(folder: Path, url: str, tasks: int, connections: int) -> None:
    allow_descriptors(connections)
    Trial(folder, Numbers(tasks), served(url, connections), connections=connections).work()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
