"""How samples of the treasure suite are read by the analysis and shown in the report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from herobench.analysis.reading.contract import Found, Panel, Reading
from herobench.data.columns import COUNT, TEXT, Column, optional

PANEL = """
PANELS.treasure = {
  draw(parts) {
    const box = document.createElement("p");
    box.id = "treasure-panel";
    box.textContent = "The treasure was behind door " + parts.sample.door;
    return box;
  },
};
"""


class TreasurePanel(Panel):
    """Shows the door."""

    def sample(self, sample: Any) -> Mapping[str, Any]:
        return {"door": sample["details"]["door"]}


class TreasureReading(Reading):
    """Three causes, one more grouping."""

    columns = (
        Column("schema", {"const": 1}, "The number of this format."),
        Column("door", COUNT, "The door of the treasure."),
        Column("looked", optional({"type": "integer"}), "The door that the model opened."),
        Column("said", optional(TEXT), "What the model said it saw."),
    )
    groupings = ("door",)
    failures = ("never_looked", "wrong_door", "wrong_word")
    causes: ClassVar = {"not_a_number": "The model never named a door.", "blind": "The model did not say what it saw."}
    script = PANEL

    def adopted(self, row: Mapping[str, Any], name: str, place: str) -> dict[str, Any] | None:
        won = row["found"]
        told = {"task_id": row["task_id"], "suite": "treasure", "status": "ok", "group": None, "output_tokens": None}
        words = {"failure": None if won else "wrong_word", "progress": None, "details": {"looked": 0, "door": None}}
        return {**told, **words, "won": won, "score": 100.0 * won}

    def facts(self, sample: Any) -> Mapping[str, Any]:
        return {"door": sample["details"]["door"]}

    def cause(self, sample: Any) -> Found | None:
        if sample["won"] is not False:
            return None
        return Found("not_a_number" if sample["details"]["looked"] is None else "blind")

    def panel(self, folder: Path | None, manifest: Mapping[str, Any] | None) -> Panel:
        return TreasurePanel()
