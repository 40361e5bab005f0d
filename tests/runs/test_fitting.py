"""Tasks that do not fit a model's context are left out, and the run says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.data.errors import UsageError
from herobench.runs.fitting import fitting_tasks, prompt_characters
from herobench.runs.refusals import RunFault
from herobench.runs.spec import make_spec
from herobench.suite.checked import closing_suite
from tests.program import herobench, read_jsonl

REPLY = 200


def test_only_tasks_whose_prompt_and_reply_fit_are_asked() -> None:
    spec = make_spec({"model": "noop", "dataset": "horizon-v4", "task_ids": ["*/1", "*/2"]})
    with closing_suite(spec.suite):
        sizes = {task_id: prompt_characters(spec.suite, task_id) // 3 + REPLY for task_id in spec.tasks}
        for context in sorted(set(sizes.values())):
            fitting, told = fitting_tasks(spec.suite, spec.tasks, context, REPLY)
            assert [*fitting] == [task_id for task_id in spec.tasks if sizes[task_id] <= context]
            assert bool(told) == (len(fitting) < len(spec.tasks))
        with pytest.raises(UsageError) as caught:
            fitting_tasks(spec.suite, spec.tasks, min(sizes.values()) - 1, REPLY)
        assert caught.value.fault is RunFault.SMALL_CONTEXT
        assert f"needs {min(sizes.values()):,}" in str(caught.value)


def test_a_run_says_what_it_leaves_out_and_its_figure_names_the_range(tmp_path: Path) -> None:
    asked = ["run", "--model", "noop", "--task-id", "*/[1-4]", "--context", "2000"]
    planned = json.loads(herobench(*asked, "--dry-run", "--json").stdout)
    (note,) = planned["notes"]
    assert note.startswith("The context of 2,000 tokens is too small for ")
    assert "(32 regions, 64 regions)" in note
    done = herobench(*asked, "-o", tmp_path / "run")
    assert note in done.stderr
    groups = {row["group"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")}
    assert groups == {f"{number} regions" for number in (2, 4, 8, 16)}
    assert "2 to 16 regions in 16 tasks" in herobench("analyze", tmp_path / "run").stdout
    # resumed with the same choice, it is the same run
    assert herobench(*asked, "-o", tmp_path / "run").returncode == 0
