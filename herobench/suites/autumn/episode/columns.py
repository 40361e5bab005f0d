"""The suite's columns: the `details` of its samples, and what it keeps of an episode as events."""

from __future__ import annotations

from typing import get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.suites.autumn.episode.challenge import CATEGORIES, FAMILIES
from herobench.suites.autumn.episode.episode import Ending
from herobench.suites.autumn.episode.options import MODES, Disclosure, Observation, Pace
from herobench.suites.autumn.episode.phase import Refusal, Stack

_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_REWARD: Schema = {"type": "number", "minimum": -1, "maximum": 1}

FIGURES = tuple(
    column.optional
    for column in (
        Column("ending", {"enum": list(get_args(Ending))}, "How the episode ended; null if the replies ended first."),
        Column("task_score", _SHARE, "The score from 0 to 1, as in the paper."),
        Column("reference_reward", _REWARD, "The reward of the published code: -1 for wrong and too early answers."),
        Column("interaction_steps", COUNT, "The actions of the interaction."),
        Column("test_steps", COUNT, "The actions of the test."),
        Column("unknown_actions", COUNT, "The actions that were refused, in both phases."),
        Column("chosen", COUNT, "The number of the chosen option or frame; null if none was chosen."),
        Column("right", COUNT, "The right option, or the first changed frame of this play; null if there is none."),
        Column("distinct_actions", COUNT, "The distinct actions of the interaction; each cell is another click."),
        Column("click_share", _SHARE, "The share of clicks among them."),
        Column("arrow_share", _SHARE, "The share of arrows among them."),
        Column("noop_share", _SHARE, "The share of noop among them."),
        Column("reset_share", _SHARE, "The share of reset among them."),
        Column("resets", COUNT, "How often the world was reset."),
        Column("perplexity_auc", _SHARE, "The area under the normalized perplexity, (PP - 1) / (K - 1)."),
        Column("perplexity_last", _SHARE, "The same in the last window."),
        Column("perplexity_share_auc", _SHARE, "The area under the other normalization, PP / K."),
        Column("perplexity_share_last", _SHARE, "The same in the last window."),
    )
)
"""The figures of an episode; null in a sample that was not measured."""

DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column("family", {"enum": list(FAMILIES)}, "The family of the test."),
    Column("environment", TEXT, "The environment."),
    Column("category", {"enum": list(CATEGORIES)}, "The category of the environment."),
    Column("stochastic", FLAG, "Whether the environment draws random numbers."),
    Column("mode", {"enum": list(MODES)}, "actions: text in tags. tools: calls of tools."),
    Column("observation", {"enum": list(get_args(Observation))}, "The form of grids."),
    Column("prompt", TEXT, "The parts of the prompt, such as react+hints."),
    Column("disclosure", {"enum": list(get_args(Disclosure))}, "told if the prompt tells the family at the start."),
    Column("window", COUNT, "How many of the latest turns the model was sent."),
    Column("steps", COUNT, "The most actions of the interaction."),
    Column("total", COUNT, "The most actions of the episode."),
    Column("stack", {"enum": list(get_args(Stack))}, "Whether idle steps follow each action of the interaction."),
    Column("span", COUNT, "The actions over which the perplexity is computed."),
    Column("pace", {"enum": list(get_args(Pace))}, "real if the world went on while a person thought."),
    Column("most_resets", optional(COUNT), "The most resets of the interaction; null without a limit.", later=True),
    *FIGURES,
)
"""The columns of a sample's `details`, in their order."""

_TURN: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["action"],
    "properties": {
        "action": {"type": "string"},
        "refused": {"enum": list(get_args(Refusal))},
        "size": COUNT,
        "changes": {"type": "array", "items": {"type": ["integer", "string"]}},
    },
}
_PHASE: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["size", "first", "turns"],
    "properties": {"size": COUNT, "first": TEXT, "turns": {"type": "array", "items": _TURN}},
}

EVENTS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column(
        "colors",
        {"type": "array", "items": TEXT},
        "The colour names. In frames the character with code 48 + n stands for the colour with index n.",
    ),
    Column(
        "phases",
        {"type": "array", "items": _PHASE, "minItems": 1, "maxItems": 2},
        "The interaction and the test: the size of the grid, the first frame row by row, and the turns. A turn has its "
        "action, why it was refused, the size of the grid if it is another one now, and its changes: pairs of the "
        "number of a cell and what the cells from there on show now.",
    ),
    Column("error", optional(TEXT), "Why the program failed; null if it did not."),
)

FORMATS = (
    RowFormat(
        "autumn-details",
        1,
        "The details of a sample of the suite autumn",
        "The suite's own columns of a sample. The figures of an episode are null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat("autumn-events", 1, "The events of an episode of the suite autumn", "The frames of an episode.", EVENTS),
)
