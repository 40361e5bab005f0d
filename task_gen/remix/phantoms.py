"""Distractors: gear that is only told of, as strong as gear of its level and of an ingredient that is nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from herobench.task_gen.remix.materials import item_row
from herobench.task_gen.remix.nouns import GEAR, UNKNOWN
from herobench.task_gen.remix.words import Dialect, code_of

_SHARE = 0.4
"""How many distractors there are, by the gear that is crafted."""
_STRONGER = range(100, 131)
"""How much of what it is like a distractor gives, in percent."""


def distractors(gear: Sequence[dict[str, Any]], dialect: Dialect, chance: Random) -> list[dict[str, Any]]:
    """Distractors, each like a piece of the gear."""
    crafted = [row for row in gear if "recipe" in row]
    likes = chance.sample(crafted, round(len(crafted) * _SHARE))
    return [_like(row, dialect, chance) for row in sorted(likes, key=lambda row: (row["level"], row["code"]))]


def _like(row: dict[str, Any], dialect: Dialect, chance: Random) -> dict[str, Any]:
    name = f"{dialect.word()} {chance.choice(GEAR[row['type']])}"
    made = item_row(code_of(name), name, row["level"], row["type"])
    percent = chance.choice(_STRONGER)
    made["effects"] = {effect: -(-value * percent // 100) for effect, value in row["effects"].items()}
    parts = list(row["recipe"]["ingredients"].items())
    unknown = f"{dialect.word()} {chance.choice(UNKNOWN)}"
    index = chance.randrange(len(parts))
    parts[index] = (code_of(unknown), parts[index][1])
    made["recipe"] = {**row["recipe"], "ingredients": dict(parts)}
    return made
