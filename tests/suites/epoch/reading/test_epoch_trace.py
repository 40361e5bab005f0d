"""The trace of a game from its run's folder."""

import json
from pathlib import Path

from herobench.suites.epoch.reading.trace import trace_as_markdown
from tests.golden import Golden
from tests.program import herobench


def test_a_trace_has_prompts_tools_and_what_came_of_each_call(tmp_path: Path, golden: Golden) -> None:
    run = tmp_path / "greedy"
    words = ("--suite", "epoch", "--dataset", "epochs-v1", "-m", "greedy", "--set", "levels=2", "-o", run)
    assert herobench("run", *words).returncode == 0
    told = json.loads(herobench("epoch", "trace", run, "L02", "--format", "json").stdout)
    assert [message["role"] for message in told["prompts"]] == ["system", "user"]
    assert {"move", "plant-tree", "stuck", "done"} <= {tool["name"] for tool in told["tools"]}
    assert [step["call"] for step in told["steps"]] == [call["number"] for call in told["calls"]]
    assert told["steps"][-1]["feedback"]["solved"] is True
    assert told["row"]["stop_reason"] == "SOLVED"
    assert told["parameters"]["suite"]["window"] == "10"

    told["calls"][0]["reply"]["text"] = "```\n# Not a heading\n````"
    shown = trace_as_markdown(told)
    assert "`````text\n```\n# Not a heading\n````\n`````\n" in shown
    assert shown.count("#### Step ") == len(told["steps"])
    assert "| stop_reason | SOLVED |" in shown

    golden(
        herobench("epoch", "trace", run, "L03"),
        herobench("epoch", "trace", run, "L02", "--epoch", "3"),
        herobench("epoch", "trace", run, "L02", "-o", run / "calls.jsonl"),
    )
