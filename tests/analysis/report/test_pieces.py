"""What blocks have in common is stored once, and each block is put together as it was."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from herobench.analysis.report.blocks import NAME, Blocks, Pieces
from tests.analysis.report.page_blocks import inflated, put_together

LINES = "\n".join(f"line {number} ä😀" for number in range(1_000))
ROWS = [{"action": f"go {n % 3}", "line": n, "lost": n % 5 == 0, "big": 1 << 40, "xp": 0} for n in range(100)]
TOLD: dict[str, Any] = {
    "row": {"replies": [{"text": f"😀 I think:\n{LINES}\nDone."}], "empty": [], "none": None, "half": "\ud83d" * 5_000},
    "panel": {
        "plan": LINES,
        "steps": list(range(100, 0, -1)),
        "changes": ROWS,
        "bags": [["a", n % 4] for n in range(40)],
    },
    "mixed": [*range(40), None],
    "floats": [0.5] * 40,
    "flags": [True, False] * 20,
    "stats": {name: [1, 2] for name in "abcdefgh"},
    "words": {**dict.fromkeys("abcdefg", "1"), "h": 1},
}


class Place(NamedTuple):
    x: int
    y: int


def stored(blocks: Blocks, told: list[Any]) -> tuple[Any, dict[str, str]]:
    pieces = Pieces(blocks)
    texts = {f"sample{number}": pieces.pack(block) for number, block in enumerate(told)}
    index = {"pieces": pieces.end()}
    for element in blocks.elements():
        name, text = element.split('id="')[1].split('">')
        texts[name] = text.partition("<")[0]
    return index, texts


def test_a_block_is_put_together_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.analysis.report.blocks._A_BLOCK", 2_000)
    chance = Random(3)
    others = [{**TOLD, "mixed": [chance.randrange(4)] * 50, "row": {"text": LINES[: 9 * n]}} for n in range(400, 405)]
    with Blocks(tmp_path) as blocks:
        index, texts = stored(blocks, [TOLD, *others, {"small": 1}])
    assert len([name for name in texts if name.startswith("pieces")]) > 5, "the pieces are in several blocks"
    for number, told in enumerate([TOLD, *others, {"small": 1}]):
        made = put_together(index, texts.__getitem__, f"sample{number}")
        assert json.dumps(made, sort_keys=True) == json.dumps(told, sort_keys=True)


def test_named_tuples_are_put_together_as_lists(tmp_path: Path) -> None:
    told = {"changes": [{"place": Place(n % 3, 1)} for n in range(40)], "bags": [Place(n, 1) for n in range(40)]}
    with Blocks(tmp_path) as blocks:
        index, texts = stored(blocks, [told])
    made = put_together(index, texts.__getitem__, "sample0")
    assert made == json.loads(json.dumps(told))


def test_what_blocks_have_in_common_is_stored_once(tmp_path: Path) -> None:
    with Blocks(tmp_path) as blocks:
        _, texts = stored(blocks, [TOLD] * 10)
    (own,) = {texts[f"sample{number}"] for number in range(10)}
    kinds = {part[1] for part in inflated(own)[NAME]}
    assert kinds == {"lines", "list", "numbers", "object", "rows", "slice"}
    assert LINES not in json.dumps(inflated(own))
    held = [piece for name, text in texts.items() if name.startswith("pieces") for piece in inflated(text)]
    assert held.count("line 7 ä😀") == 1
