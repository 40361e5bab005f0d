"""The published questions of ACPBench Hard and their proven answers, where they lie beside the project."""

from __future__ import annotations

import json
import lzma
import re
from functools import cache
from typing import NamedTuple

import pytest

from herobench.pddl import GroundAction, PddlTask, Simulation, read_task
from tests.builders import SHARED, Json

FOLDER = SHARED / "reference" / "acp"
needed = pytest.mark.skipif(not FOLDER.is_dir(), reason="../shared/reference/acp is not there")


class Question(NamedTuple):
    """A published question with its proven answer."""

    row: Json
    truth: Json

    @property
    def task(self) -> PddlTask:
        return read_task(self.row["pddl_domain"], self.row["pddl_problem"])

    @property
    def sound(self) -> Json:
        answer: Json = self.truth["sound"]
        return answer

    def plan(self, simulation: Simulation) -> list[GroundAction]:
        """The plan that the text of the question holds."""
        quoted = re.search(r'"(.*)"', self.row["question"], re.DOTALL)
        assert quoted
        return [ground_action(simulation, text) for text in re.findall(r"\([^()]*\)", quoted[1])]

    def __str__(self) -> str:
        return f"{self.row['domain']} {self.row['split']} {self.row['id']}"


def ground_action(simulation: Simulation, text: str) -> GroundAction:
    name, *args = text.strip("()").lower().split()
    return simulation.ground_action(name, args)


@cache
def published() -> list[Json]:
    with lzma.open(FOLDER / "questions.jsonl.xz", "rt") as lines:
        return [json.loads(line) for line in lines]


@cache
def questions(kind: str) -> list[Question]:
    """The 170 questions of a task such as `land`."""
    rows = {(row["task"], row["split"], row["id"]): row for row in published()}
    with lzma.open(FOLDER / "sound_truth.jsonl.xz", "rt") as lines:
        truths = [json.loads(line) for line in lines]
    return [Question(rows[kind, t["split"], t["id"]], t) for t in truths if t["task"] == kind]
