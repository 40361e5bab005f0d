"""lm-eval runs the suites that are played in one turn, by the YAML files of this folder or by one with knobs."""

from __future__ import annotations

import json
from pathlib import Path

from herobench.data.files import write_text
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.scorer import refuse_unknown

SHIPPED = Path(__file__).parent
"""Holds a file for each suite that is played in one turn, with its default dataset."""

_TASK = """# Made by `herobench export lm-eval`. Plans run in the sandbox of HeroBench, so this is no unsafe code.
task: herobench_{suite}
class: !function herobench.surfaces.lm_eval.task.HeroBenchTask
dataset_kwargs:
  knobs: {knobs}
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: ""
generation_kwargs:
  # without it, two line breaks end a plan
  until: []
  max_gen_toks: 32768
metric_list:
  - {{metric: win, aggregation: mean, higher_is_better: true}}
  - {{metric: score, aggregation: mean, higher_is_better: true}}
  - {{metric: progress, aggregation: mean, higher_is_better: true}}
metadata: {{version: 1.0}}
"""


def task_text(wanted: TaskQuery) -> str:
    """Return the file of a task. Raise UsageError for a suite that is played in many turns only."""
    wanted.one_turn()
    return _TASK.format(suite=wanted.suite, knobs=json.dumps(wanted.as_knobs()))


def write_folder(folder: Path, wanted: TaskQuery) -> Path:
    """Write the file of a task into a folder, and return its path. Raise UsageError for knobs that do not fit."""
    text = task_text(wanted)
    if wanted.seed is None:
        Scorer(wanted.one_turn().but(jobs=1)).close()
    else:  # tasks are made when the file is used
        refuse_unknown(wanted)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"herobench_{wanted.suite}.yaml"
    write_text(path, text)
    return path
