"""The row of a questions file that holds a question about the hero's world."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import get_args

from herobench.data.columns import TEXT, Column, RowFormat
from herobench.data.documents import shipped
from herobench.suites.acp.hero.question import HeroQuestion, built
from herobench.suites.acp.questions.questions import SPLITS, TASKS
from herobench.suites.rpg.game.rules import Experience

HERO = "hero"
"""The name of the domain."""
_DIGEST = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SCENE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["world", "task"],
    "properties": {
        "world": {"type": "object", "description": "The documents of the told part of the world, by name."},
        "task": {"type": "object", "description": "A row of a tasks file: the goal, what is told, and the hero now."},
    },
}

QUESTION = (
    Column("task", {"enum": list(TASKS)}, "The kind of question, such as app."),
    Column("split", {"enum": list(SPLITS)}, "The split of the set."),
    Column("domain", {"const": HERO}, "The domain; it tells these rows from questions about PDDL."),
    Column("id", {"type": "integer", "minimum": 0}, "A number that is unique within a task and split."),
    Column("rpg_task", TEXT, "The id of the RPG task in whose oracle plan the state arises."),
    Column(
        "rpg_digest", _DIGEST, "The digest of the RPG task's content: equal tasks have the same, whatever their ids."
    ),
    Column("rpg_group", TEXT, "The group of the RPG task: its bracket of difficulty."),
    Column("rules", TEXT, "The edition of the rules."),
    Column("experience", {"enum": list(get_args(Experience))}, "none if the question freezes all levels."),
    Column("context", TEXT, "The world, the rules and the state as text."),
    Column("question", TEXT, "The question as text."),
    Column("given", {"type": "array", "items": TEXT}, "The actions that the question quotes; empty for most tasks."),
    Column(
        "answer", {"type": ["array", "object", "integer", "null"]}, "The proven answer; its form depends on the task."
    ),
    Column("scene", _SCENE, "The world and the state as data. Nothing else is needed to grade an answer."),
    Column("digest", _DIGEST, "The digest of the other fields. A row that was edited is refused."),
    Column("twin_of", TEXT, "The id of the question that this one was made to resemble.", later=True),
)
"""The fields of a question, in their order."""

FORMATS = (
    RowFormat(
        "hero-question",
        1,
        "A question about the hero's world",
        "One line of a questions file of the suite acp whose domain is hero.",
        QUESTION,
    ),
)


HERO_DATASET = "hero-v2"
FILE = f"{HERO_DATASET}.jsonl.xz"


@cache
def hero_questions() -> Mapping[str, HeroQuestion]:
    """Return the questions by key, in the order of the file."""
    text = lzma.decompress(shipped().joinpath("acp", FILE).read_bytes()).decode("utf-8")
    questions = (built(json.loads(line)) for line in text.splitlines())
    return MappingProxyType({question.key: question for question in questions})
