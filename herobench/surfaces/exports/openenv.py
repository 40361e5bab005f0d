"""A package of OpenEnv: the folder that `openenv validate` and `openenv push` take, and that runs as a Space.

    openenv.yaml     names the server, and declares rewards and resources
    server/app.py    the server of these tasks, and no others
    pyproject.toml   installs this version of herobench
    Dockerfile       runs the server as a user without rights
    README.md        the page of the Space

No file of it holds a task or a solution.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from herobench.data.errors import UsageError
from herobench.data.files import write_text
from herobench.scorer import Scorer
from herobench.surfaces.openenv.scorers import knobs_of_files, split_of
from herobench.surfaces.sessions import refuse_window

_YAML = """# Made by `herobench export openenv`.
spec_version: 1
name: {name}
version: {version}
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 0.1
  resources:
    cpu: 1.0
    memory_mb: 2048
    disk_mb: 512
    episode_timeout_s: 3600.0
  network:
    mode: no-network
  task_distribution:
    {pin}
  capabilities:
    verifier:
      kind: reward_channel
    task_api: true
    declared_task_count:
      {split}: {count}
  types:
    tags: [planning]
"""

_APP = '''"""The server of this environment: `uvicorn server.app:app --port 8000`."""

import uvicorn

from herobench.surfaces.openenv.app import app_of

app = app_of(**{knobs})


def main() -> None:
    uvicorn.run(app, host="0.0.0.0", port=8000)


if __name__ == "__main__":
    main()
'''

_PYPROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "openenv-{name}"
version = "{version}"
description = "{about}"
requires-python = ">=3.11"
dependencies = ["openenv>=0.10", "herobench[openenv]=={version}"]

[project.scripts]
server = "server.app:main"

[tool.setuptools]
packages = ["server"]
"""

_DOCKERFILE = """FROM python:3.13-slim
WORKDIR /app
COPY . /app
RUN pip install --no-cache-dir .
USER 65534:65534
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
CMD ["uvicorn", "server.app:app", "--host", "0.0.0.0", "--port", "8000"]
"""

_README = """---
title: HeroBench {suite}
emoji: 🗺️
colorFrom: green
colorTo: blue
sdk: docker
app_port: 8000
tags: [openenv, planning]
---

# HeroBench {suite}

{about} `reset` starts an attempt at a task, and `step` with `{{"plan": "..."}}` plays a turn. The reward of the last
turn is the score as a fraction; the metadata has the cause of a failure. Plans run in HeroBench's sandbox.
"""


def write_package(folder: Path, scorer: Scorer) -> Path:
    """Write the folder, and return its path. Raise UsageError for tasks that lie in files."""
    wanted = scorer.wanted
    refuse_window(wanted)
    if knobs_of_files(wanted):
        raise UsageError("A package has no files of yours: name a dataset, or a seed to make tasks from.")
    made = wanted.seed is not None
    words = {
        "name": f"herobench-{scorer.suite}",
        "version": version("herobench"),
        "suite": scorer.suite,
        "about": f"Long-range planning: {len(scorer.tasks):,} tasks of the suite {scorer.suite}, {scorer.dataset}.",
        "knobs": json.dumps(wanted.as_knobs()),
        "pin": f"generator_seed: {wanted.seed}" if made else f"dataset_version: {scorer.dataset}",
        "split": split_of(scorer),
        "count": len(scorer.tasks),
    }
    files = {
        "openenv.yaml": _YAML,
        "server/__init__.py": "",
        "server/app.py": _APP,
        "pyproject.toml": _PYPROJECT,
        "Dockerfile": _DOCKERFILE,
        "README.md": _README,
    }
    (folder / "server").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_text(folder / name, text.format(**words))
    return folder
