"""The failure classes: why the sound grading does not accept an answer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Failure = Literal[
    "format",
    "invented_action",
    "invented_atom",
    "incomplete",
    "superfluous",
    "wrong_set",
    "wrong_value",
    "false_none",
    "missed_none",
    "reachable",
    "static_atom",
    "wrong_index",
    "not_shorter",
    "not_a_subsequence",
    "no_plan",
    "trivial_landmark",
    "no_landmark",
    "inapplicable",
    "worse_than_optimal",
    "wrong_length",
    "undecided",
]

MEANING: Mapping[Failure, str] = MappingProxyType(
    {
        "format": "The response has no answer of the form that was asked for.",
        "invented_action": "An action has an unknown name or object, or a wrong number or type of objects.",
        "invented_atom": "A proposition has an unknown name or object, or a wrong number or type of objects.",
        "incomplete": "Items of the right set are missing; all items of the answer are right.",
        "superfluous": "The answer has the right set and more.",
        "wrong_set": "Items of the right set are missing, and others are there that do not belong to it.",
        "wrong_value": "The answer names all that changes and nothing else, but a number or another value is wrong.",
        "false_none": "The answer is None, but there is a right action, proposition or index.",
        "missed_none": "The answer names an action, a proposition or an index, but only None is right.",
        "reachable": "The proposition can hold, or the action can become applicable.",
        "static_atom": "No action can change this proposition, so it is none of the propositions that were listed.",
        "wrong_index": "Another action is the first one that is not applicable.",
        "not_shorter": "The plan is as long as the given one, or longer.",
        "not_a_subsequence": "The plan has other actions than the given one, or has them in another order.",
        "no_plan": "The shortened plan cannot be carried out, or does not reach the goal.",
        "trivial_landmark": "The proposition holds in the initial state or in the goal.",
        "no_landmark": "There is a plan without this proposition.",
        "inapplicable": "The action cannot be carried out in the current state.",
        "worse_than_optimal": "The action can be carried out, but no shortest plan begins with it.",
        "wrong_length": "A shortest plan begins with the action, but has another number of actions.",
        "undecided": "The right answer is not proven.",
    }
)
"""The definition of each class."""
