"""The RPG's columns: the `details` and `events` of its samples, and the flat rows of `herobench score`.

Each column is declared once; the details of a sample are the scored row without the columns of all suites. Runs and
`herobench score` write these columns, the analysis reads them. Names and values of scored rows are public: scripts of
users read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import get_args

from herobench.data.columns import AMOUNT, COUNT, FLAG, SAMPLE, TEXT, Column, RowFormat, Schema, names, optional, record
from herobench.suites.rpg.game.episode import DETAIL_KINDS, END_KINDS, Ended
from herobench.suites.rpg.game.rules import Defeat
from herobench.suites.rpg.game.scoring import Bucket
from herobench.suites.rpg.game.task import TOLD, Kind, KnowledgeLevel, PlanTrack
from herobench.suites.rpg.game.world import NAMES
from herobench.suites.rpg.play.options import MODES

_POSITIVE: Schema = {"type": "integer", "minimum": 1}
_INTEGER: Schema = {"type": "integer"}
_TEXTS: Schema = {"type": "array", "items": TEXT}
_LAYERS = ("unprivileged", "no_new_privs", "resources", "no_writable_code", "landlock", "seccomp")
_REFUSAL = record(
    (
        Column("line", optional(_POSITIVE), "The line of the plan."),
        Column("action", TEXT, "The action."),
        Column("code", _INTEGER, "The error code."),
        Column("reason", TEXT, "The reason, in a sentence."),
    )
)
_MILESTONES = record(
    (
        Column("reached", _TEXTS, "The milestones that the events reach, such as craft_missing:iron_sword."),
        Column("missed", _TEXTS, "The milestones of an ideal plan that they do not reach."),
    )
)

# -- what happened ----------------------------------------------------------------------------------------------------

_PLACE: Schema = {"type": "array", "items": _INTEGER, "minItems": 2, "maxItems": 2}
_PART_OF_DETAIL: Mapping[str, Schema] = MappingProxyType(
    {
        "place": _PLACE,
        "workshop": optional(_PLACE),
        "hero_hp": {"type": "number"},
        "monster_hp": {"type": "number"},
        "drops": {
            "type": "array",
            "items": record((Column("item", TEXT, "The item."), Column("quantity", _INTEGER, "How many dropped."))),
        },
        "lacking": {
            "type": "array",
            "items": record(
                (
                    Column("item", TEXT, "The item."),
                    Column("needed", _INTEGER, "How many the craft needs."),
                    Column("owned", _INTEGER, "How many the hero has."),
                )
            ),
        },
        **dict.fromkeys(("won", "at_workshop", "skilled", "supplied"), FLAG),
        **dict.fromkeys(("monster", "resource", "item", "skill", "slot"), TEXT),
        **dict.fromkeys(("rounds", "xp", "swings", "quantity", "needed_level", "level"), _INTEGER),
    }
)
"""The schema of each part of details; a part has the same schema in all kinds of detail."""


def _details() -> Iterator[Schema]:
    """Yield the schema of each kind of detail."""
    for kind, detail in DETAIL_KINDS.items():
        properties = {"kind": {"const": kind}, **{part: _PART_OF_DETAIL[part] for part in detail._fields}}
        yield {
            "type": "object",
            "additionalProperties": False,
            "required": list(properties),
            "properties": properties,
        }


_VALUE: Schema = {"type": ["string", "number", "boolean", "null"]}
_UNREAD = record(
    (
        Column("parameter", TEXT, "The parameter of the action."),
        Column("expected", TEXT, "What its value has to be."),
    )
)
_ACTION_PARTS = (
    Column("action", TEXT, "The name of the action."),
    Column("args", {"type": "array", "items": _VALUE, "minItems": 1}, "The arguments by position; left out if none."),
    Column(
        "kwargs",
        {"type": "object", "additionalProperties": _VALUE, "minProperties": 1},
        "The arguments by name; left out if none.",
    ),
    Column("line", _POSITIVE, "The line of the plan; left out if unknown."),
    Column("status", _INTEGER, "200 if the action was carried out, otherwise an error code."),
    Column("times", {"type": "integer", "minimum": 2}, "How often it happened in a row; left out if once."),
    Column("reason", {"type": "string", "minLength": 1}, "Why the action was refused; left out if it was not."),
    Column("unread", _UNREAD, "The argument that could not be read; left out if the reason is another one."),
    Column("detail", {"oneOf": list(_details())}, "What the action did, by the kind of it; left out if nothing."),
)
EVENTS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column(
        "actions",
        {"type": "array", "items": {**record(_ACTION_PARTS), "required": ["action", "status"]}},
        "What the plan did: one entry for each action, or for several equal ones in a row.",
    ),
)
"""The parts of a sample's or a scored row's `events`."""

# -- rows -------------------------------------------------------------------------------------------------------------

_SCHEMA = Column("schema", {"const": 1}, "The number of this format.")
_OF_ANSWER = (
    Column("task_id", TEXT, "The task."),
    Column("epoch", COUNT, "The number of the attempt at this task, from 0."),
    Column("model", optional(TEXT), "The model, if the answer names it."),
    Column("tokens", optional(COUNT), "Tokens of the answer, if they are known."),
)
_OF_VERDICT = (
    Column(
        "outcome",
        {"enum": ["win", "lose"]},
        "win if the target was beaten or crafted, or an impossible task was refused.",
    ),
    Column("reward", COUNT, "Points of the milestones reached; 0 if the plan ended by its own fault."),
    Column("ideal_reward", _POSITIVE, "Points of the milestones that an ideal plan reaches."),
    Column("score", AMOUNT, "The reward in percent of the ideal reward, less what lost fights cost."),
    Column("defeats", COUNT, "Lost fights."),
    Column("ended", {"enum": list(get_args(Ended))}, "How the plan ended."),
    Column(
        "end_kind",
        {"enum": [None, *END_KINDS]},
        "The kind of error or limit that ended the plan; null if it finished or the answer had none.",
    ),
    Column(
        "end_error", optional(TEXT), "The class of the error that ended the plan, such as NameError; null if none did."
    ),
    Column("end_reason", optional(TEXT), "Why the plan ended, in a sentence; null if it finished."),
    Column("end_line", optional(_POSITIVE), "The line at which the plan ended; null if it finished."),
    Column("gave_up", FLAG, "True if the plan refuses the task with give_up."),
    Column(
        "stated",
        optional({"type": "number", "minimum": 0, "maximum": 1}),
        "The probability that the task is impossible, as a refusal states it; null if none is stated.",
    ),
    Column("failure", {"enum": [None, *get_args(Bucket)]}, "The paper's failure class; null for a win."),
    Column("high_level_errors", COUNT, "Missing gear that was neither crafted nor tried, as the paper counts it."),
    Column("execution_errors", COUNT, "Refused actions, as the paper counts them."),
    Column("actions", COUNT, "Actions attempted, refused ones included."),
    Column("first_error", optional(_REFUSAL), "The first refused action; null if there is none."),
    Column("progress_before_end", AMOUNT, "The score of what was reached, however the plan ended."),
    Column("goals_reached", COUNT, "Goals reached, however the plan ended: 0 or 1; older rows may have more."),
    Column(
        "next_goal",
        optional({"type": "object"}),
        "Null; in older rows of tasks with several goals, the first goal that was not reached.",
    ),
    Column("milestones", _MILESTONES, "The milestones reached and missed, by kind and code."),
    Column("events", {**record(EVENTS)}, "What the plan did, action by action."),
)
"""Columns that need an answer: null in samples that were not measured."""
_OF_TASK = (
    Column("difficulty", _INTEGER, "The task's difficulty."),
    Column("kind", {"enum": list(get_args(Kind))}, "Kill a monster, or craft an item."),
    Column("target", TEXT, "The monster to beat, or the item to craft."),
    Column("missing", {"type": "object", "additionalProperties": TEXT}, "The gear that has to be made, by slot."),
    Column("goals", _POSITIVE, "The number of goals: 1; older rows may have more."),
    Column("knowledge", {"enum": list(get_args(KnowledgeLevel))}, "How much the prompt tells."),
    Column("noise", _TEXTS, "Items that the prompt describes but that nobody can get."),
    Column("leveling", FLAG, "True if skills or the level of the hero have to be raised."),
    Column("stochastic", FLAG, "True if drops fall by chance."),
    Column("track", {"enum": list(get_args(PlanTrack))}, "What plans may hold: calls in counted loops, or programs."),
    Column(
        "defeat", {"enum": list(get_args(Defeat))}, "What a lost fight costs: nothing, 10 % of the score, or the plan."
    ),
    Column("budget", optional(_POSITIVE), "Actions that a plan may take; null if the task sets no budget."),
    Column(
        "budget_factor", optional(AMOUNT), "The multiple of the lower bound that the budget was made from; else null."
    ),
    Column("closed", COUNT, "Places that are closed; with any, the task may be impossible and takes a refusal."),
    Column("solvable", FLAG, "False if the task is proven to be impossible: only a refusal wins it."),
    Column("twin_of", optional(TEXT), "The id of the task that this task was made to resemble; null if none."),
    Column("oracle_actions", optional(COUNT), "Actions of the oracle's plan; null if the task has no certificate."),
    Column(
        "decisions",
        optional(COUNT),
        "Actions of the oracle's plan, the same several times in a row as one; null if the task has no certificate.",
    ),
    Column(
        "optimal_actions",
        optional(COUNT),
        "Actions of the shortest way to win; null unless the certificate proves it over all ways of winning.",
    ),
    Column("rules", TEXT, "The edition of the rules."),
    Column("world", {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "The digest of the world."),
    Column("scorer", _POSITIVE, "The number of the scoring method; it changes when the same answers score otherwise."),
)
_OF_PLACE = (
    Column(
        "confinement",
        {"type": "array", "items": {"enum": list(_LAYERS)}},
        "The layers that confined the process in which the plan ran.",
    ),
    Column(
        "python",
        {"type": "string", "pattern": "^[0-9]+\\.[0-9]+$"},
        "The version of Python that ran the plan, such as 3.12. Verdicts are the same on all versions, except for "
        "what the sandbox's documentation names.",
    ),
)

_MODE = Column(
    "mode",
    {"enum": list(MODES)},
    "How the task was played: the whole plan in one reply, a plan in parts with feedback, or calls of tools. Rows of "
    "versions without modes have none.",
    later=True,
)

_NAMES = Column(
    "names",
    {"enum": list(NAMES)},
    "How things are called: random for opaque codes. Rows of worlds whose author named them have none.",
    later=True,
)

_TOLD = Column(
    "told",
    {"enum": list(TOLD)},
    "What the prompt told of the certified plan: its gear or its steps. Rows of the lane `plan`, which tells nothing, "
    "have none.",
    later=True,
)

SCORED = (_SCHEMA, *_OF_ANSWER, *_OF_VERDICT, *_OF_TASK, *_OF_PLACE, _NAMES)
"""The columns of a row that `herobench score` writes, in their order."""

_SHARED = frozenset({*names(SAMPLE), "outcome", "progress_before_end", "tokens"})
"""Columns of a scored row that every suite's samples have, under this name or as `won`, `progress`, `output_tokens`."""
DETAILS = (
    _SCHEMA,
    *(column.optional for column in _OF_VERDICT if column.name not in _SHARED),
    *_OF_TASK,
    *_OF_PLACE,
    _MODE,
    _NAMES,
    _TOLD,
)
"""The columns of a sample's `details`, in their order."""

FORMATS = (
    RowFormat("scored", 1, "A scored answer", "One line of a scored file: one answer and its score.", SCORED),
    RowFormat(
        "rpg-details",
        1,
        "The details of an RPG sample",
        "The RPG's own columns of a sample. What needs an answer is null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat(
        "rpg-events",
        1,
        "The events of a plan",
        "What a plan did in the RPG, action by action. Parts that say nothing are left out.",
        EVENTS,
    ),
)
