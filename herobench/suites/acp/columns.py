"""The suite's columns: the `details` of its samples, and the rows of questions files."""

from __future__ import annotations

from typing import get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.suites.acp.prompts.prompt import Form, Shots, Thought
from herobench.suites.acp.questions.questions import SPLITS, TASKS

_SCORE: Schema = {"enum": [0, 1]}
_QUESTION = (
    Column("task", {"enum": list(TASKS)}, "The kind of question, such as app."),
    Column("split", {"enum": list(SPLITS)}, "The split that the question was published in, or generated."),
    Column("domain", {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$"}, "The planning domain."),
)
DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    *_QUESTION,
    Column("form", {"enum": list(get_args(Form))}, "How the state is told: natural language, PDDL, or both."),
    Column("shots", {"enum": list(get_args(Shots))}, "few if the prompt has the two published examples, else zero."),
    Column("thought", {"enum": list(get_args(Thought))}, "cot if the model was asked to reason first, else none."),
    Column("label_right", optional(FLAG), "False if the label is proven wrong; null if nothing is proven."),
    Column("parsed", optional(TEXT), "The answer as the sound grading reads it; null if it cannot be read."),
    Column("reference", optional(_SCORE), "The score of the published harness; null if that is not proven."),
    Column("sound", optional(_SCORE), "1 if the answer is right, 0 if it is wrong; null if that is not proven."),
    Column(
        "jaccard",
        optional({"type": "number", "minimum": 0, "maximum": 1}),
        "For app and prog, the common items in proportion to all items of answer and truth; 0 with an invented item.",
    ),
    Column("removed", optional(COUNT), "For just, how many actions a right answer leaves out."),
    Column("removable", optional(COUNT), "For just, the most actions that can be left out; null if that is not known."),
    Column(
        "twin_of",
        optional(TEXT),
        "The id of the published question that this one was made to resemble; null if none.",
        later=True,
    ),
)
"""The columns of a sample's `details`, in their order."""

QUESTION = (
    *_QUESTION,
    Column("id", {"type": "integer"}, "The published number; it is unique within a task and split."),
    Column("context", TEXT, "The domain and the state in natural language."),
    Column("question", TEXT, "The question in natural language."),
    Column("answer", {"type": ["array", "object", "integer"]}, "The label; its form depends on the task."),
    Column("pddl_domain", TEXT, "The domain in PDDL."),
    Column("pddl_problem", TEXT, "The problem in PDDL; its initial state is the current state."),
    Column(
        "proof",
        {
            "type": "object",
            "properties": {"sound": {}, "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"}},
            "required": ["sound", "digest"],
            "additionalProperties": False,
        },
        "The proven answer, and a digest of question and answer. Generated questions have it.",
        later=True,
    ),
    Column("twin_of", TEXT, "The id of the published question that this one was made to resemble.", later=True),
)
"""The fields of a question, in their order."""

FORMATS = (
    RowFormat(
        "acp-details",
        1,
        "The details of a sample of the suite acp",
        "The suite's own columns of a sample. What needs an answer is null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat(
        "acp-question", 1, "A question of the suite acp", "One line of a questions file: one question.", QUESTION
    ),
)
