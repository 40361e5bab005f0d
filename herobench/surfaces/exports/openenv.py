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
from herobench.scorer import Scorer
from herobench.surfaces.exports import write_filled
from herobench.surfaces.openenv.scorers import knobs_of_files, split_name
from herobench.surfaces.sessions import refuse_window


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
        "split": split_name(scorer),
        "count": len(scorer.tasks),
    }
    write_filled(folder, "openenv", words)
    return folder
