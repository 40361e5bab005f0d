"""The quick yes: it agrees with full validation wherever it says yes, and says it of all that is shipped."""

import copy
import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from herobench.acceptance import acceptance
from herobench.documents import load_schema
from herobench.rpg.content import read_world
from herobench.rpg.world import DOCUMENTS

Json = Any
CLASSIC, _ = read_world("classic")
VALUES: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    1.0,
    1.5,
    10**12,
    "",
    "a b",
    "ok",
    "every item",
    [],
    ["a", "a"],
    [1],
    {},
    {"a": 1},
)
SCHEMAS: tuple[Json, ...] = (
    True,
    False,
    {},
    {"type": "integer", "minimum": 0, "maximum": 5},
    {"type": ["array", "string"], "pattern": "^every item$", "items": {"type": "string"}, "uniqueItems": True},
    {"type": "object", "additionalProperties": False, "properties": {"a": {"type": "string"}}},
    {"type": "object", "minProperties": 1, "propertyNames": {"maxLength": 3}, "additionalProperties": {"minimum": 1}},
    {"required": ["a"]},
    {"enum": ["ok", 1, None]},
    {"const": 1},
    {"type": "number"},
    {"minItems": 1, "maxItems": 1, "items": {"type": "boolean"}},
    {"minLength": 1, "maxLength": 2},
    {"oneOf": [{"type": "string"}, {"type": "null"}]},
    {"exclusiveMinimum": 1},
)


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_it_says_yes_to_nothing_that_is_wrong(schema: Json) -> None:
    accepts, validator = acceptance(schema), Draft202012Validator(schema)
    for value in VALUES:
        assert not accepts(value) or validator.is_valid(value), value


def test_a_keyword_that_it_does_not_know_is_a_no() -> None:
    assert not acceptance({"exclusiveMinimum": 1})(2)


def inlined(part: Json, definitions: Json) -> Json:
    if isinstance(part, dict):
        if "$ref" in part:
            return inlined(definitions[part["$ref"].rsplit("/", 1)[1]], definitions)
        return {key: inlined(value, definitions) for key, value in part.items()}
    return [inlined(value, definitions) for value in part] if isinstance(part, list) else part


def schema_of(document: str) -> Json:
    schema = dict(load_schema(document))
    return inlined({key: value for key, value in schema.items() if key != "$defs"}, schema.get("$defs", {}))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_it_says_yes_to_the_classic_world(document: str) -> None:
    assert acceptance(schema_of(document))(CLASSIC[document])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_spoilt_documents_are_left_to_validation(document: str) -> None:
    schema = schema_of(document)
    accepts, validator, chance = acceptance(schema), Draft202012Validator(schema), Random(document)
    wrong = 0
    for _ in range(300):
        spoilt = spoil(small(CLASSIC[document]), chance)
        is_valid = validator.is_valid(spoilt)
        wrong += not is_valid
        assert not accepts(spoilt) or is_valid
    assert wrong > 100


def small(document: Json) -> Json:
    """A copy with few rows."""
    cut = {key: value[-3:] if isinstance(value, list) else value for key, value in document.items()}
    return copy.deepcopy(cut)


def spoil(document: Json, chance: Random) -> Json:
    """One value by chance replaced, one left out, or one added."""
    holders = [document]
    for each in holders:
        holders += [
            inner for inner in (each.values() if isinstance(each, dict) else each) if isinstance(inner, dict | list)
        ]
    holder = chance.choice([each for each in holders if each])
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    way = chance.random()
    if way < 0.2:
        del holder[key]
    elif way < 0.3 and isinstance(holder, dict):
        holder["more"] = chance.choice(VALUES)
    else:
        holder[key] = copy.deepcopy(chance.choice(VALUES))
    return document
