"""Exports of attempts whose turns are told again in another form."""

import json
from pathlib import Path

from tests.program import herobench
from tests.sizes import for_each


@for_each("agent", ["one-shot", "tools"])
def test_turns_that_are_told_again_in_another_form_count_once(agent: str, tmp_path: Path) -> None:
    words = ("--suite", "autumn", "--limit", "1", "--set", "steps=6", "--set", "total=12", "--agent", agent)
    assert herobench("run", *words, "--model", "random", "-o", tmp_path / "run").returncode == 0
    assert herobench("export", "atif", tmp_path / "run", "-o", tmp_path / "atif").returncode == 0
    (file,) = (tmp_path / "atif").iterdir()
    steps = json.loads(file.read_text("utf-8"))["steps"]
    agents = [step for step in steps if step["source"] == "agent"]
    users = [step for step in steps if step["source"] == "user"]
    answered = [len(step.get("observation", {"results": ()})["results"]) for step in agents]
    assert len(agents) > 8
    assert len(users) + sum(answered) == len(agents), "one message stands before each reply"
    assert max(answered) <= 1
