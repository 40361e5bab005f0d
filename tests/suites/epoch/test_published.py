"""The epochs agree with their golden transcripts, and with the tools that were made with them."""

import json
import lzma
from typing import Any

import pytest

from herobench.suites.epoch import load_level
from herobench.suites.epoch.game.columns import LevelStyle
from herobench.suites.epoch.game.level import PUBLISHED
from herobench.suites.epoch.prompts.telling import LevelTelling
from tests.builders import SHARED

pytestmark = pytest.mark.conformance

REFERENCE = SHARED / "reference" / "epoch"


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lzma.decompress((REFERENCE / "golden.jsonl.xz").read_bytes()).splitlines()]


def test_every_feedback_stop_and_figure_of_the_golden_transcripts_is_met() -> None:
    for row in rows():
        game = load_level(row["level"]).start()
        for step in row["steps"]:
            assert game.stop is None, row["id"]
            assert game.turn(step["turn"]) == step["feedback"], row["id"]
        assert (game.stop, game.row(), game.digest()) == (row["stop"], row["row"], row["final_state"]), row["id"]


@pytest.mark.parametrize("id", PUBLISHED)
def test_tools_are_the_published_schemas(id: str) -> None:
    published = json.loads((REFERENCE / "tools.json").read_text("utf-8"))[id]
    ours = [
        {"name": tool.name, "parameters": dict(tool.parameters)}
        for tool in LevelTelling(load_level(id), LevelStyle()).tools
    ]
    assert ours[: len(published)] == [tool["function"] for tool in published]
    assert {tool["name"] for tool in ours[len(published) :]} == {"stuck", "done"}
