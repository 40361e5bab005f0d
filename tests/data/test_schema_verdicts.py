"""fastjsonschema says yes or no, jsonschema explains: the two must give one verdict on everything that we read."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import fastjsonschema
from jsonschema import Draft202012Validator

from herobench.data.documents import content_folder, load_schema, schema_names, schema_problems
from herobench.suites.rpg.game.world import DOCUMENTS
from herobench.suites.rpg.worlds.content import load_world, read_world
from tests.builders import task_row
from tests.sizes import for_each, many

Json = Any
CLASSIC, _ = read_world("classic")
VALUES: tuple[Json, ...] = (
    None,
    True,
    0,
    -1,
    1,
    1.0,
    1.5,
    10**12,
    10**400,
    "",
    "a b",
    "ok",
    "half \ud83d",
    "every item",
    [],
    ["a", "a"],
    [1],
    [1, True],
    [[0], [False]],
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
    {"maxProperties": 0},
    {"required": ["a"]},
    {"enum": ["ok", 1, None]},
    {"const": 1},
    {"const": True},
    {"type": "number"},
    {"minItems": 1, "maxItems": 1, "items": {"type": "boolean"}},
    {"minLength": 1, "maxLength": 2},
    {"pattern": r"^[^\ud800-\udfff]*$"},
    {"uniqueItems": True},
    {"oneOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{"required": ["a"]}, {"type": "object"}]},
    {"exclusiveMinimum": 1},
    {"exclusiveMaximum": 1},
    {"patternProperties": {"^a": {"type": "string"}}},
    {"allOf": [{"if": {"type": "string"}, "then": {"minLength": 2}}]},
)
"""At least one schema for each keyword that the shipped schemas use, `prefixItems` apart."""
ANNOTATIONS = {"$schema", "$id", "$defs", "$ref", "title", "description", "default"}
"""Keywords that refuse nothing. References are resolved before either library sees a schema."""


# -- keyword by keyword -----------------------------------------------------------------------------------------------


def keywords(schema: Json, *, names: bool = False) -> Iterator[str]:
    """Yield every keyword of a schema; the keys of `properties` and the like are names and no keywords."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if not names:
                yield key
            yield from keywords(value, names=not names and key in ("properties", "patternProperties", "$defs"))
    elif isinstance(schema, list):
        for part in schema:
            yield from keywords(part)


@for_each("name", schema_names())
def test_every_keyword_of_a_shipped_schema_is_held_below(name: str) -> None:
    held = {keyword for schema in SCHEMAS for keyword in keywords(schema)}
    assert set(keywords(load_schema(name))) - held - ANNOTATIONS <= {"prefixItems"}


@for_each("schema", SCHEMAS)
def test_a_keyword_means_the_same_to_both(schema: Json) -> None:
    compiled, validator = fastjsonschema.compile(schema, use_default=False), Draft202012Validator(schema)
    for value in VALUES:
        assert accepts(compiled, value) == validator.is_valid(value), value


def accepts(compiled: Any, value: Json) -> bool:
    try:
        compiled(value)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


# -- document by document ---------------------------------------------------------------------------------------------


def task() -> Json:
    row = task_row(load_world())
    return row | {
        "knowledge": row["knowledge"] | {"places": [[0, 1], [-2, 3]], "monsters": ["rat", "wolf"]},
        "mechanics": {"leveling": True, "drop_scale": 1.5},
    }


SOUND: dict[str, Json] = {
    **{document: CLASSIC[document] for document in DOCUMENTS},
    "task": task(),
    "answer": {"schema": 1, "task_id": "1/1_Frost Drake_kill", "answer": "fight()"},
    "editions": json.loads(content_folder().joinpath("editions.json").read_text("utf-8")),
}


@for_each("name", SOUND)
def test_spoilt_documents_get_the_verdict_of_jsonschema(name: str) -> None:
    validator, chance = Draft202012Validator(load_schema(name)), Random(name)
    wrong, count = 0, many(300, 40)
    for _ in range(count):
        spoilt = spoil(small(SOUND[name]), chance)
        is_valid = validator.is_valid(spoilt)
        wrong += not is_valid
        assert (schema_problems(spoilt, name, "here") == []) == is_valid
    assert wrong > count // 3


@for_each("places", [[[0, True]], [["0", 1]], [[0, 100_001]], [[0]], [[0, 1, 2]]])
def test_each_entry_of_a_pair_is_held_against_its_own_schema(places: Json) -> None:
    """`prefixItems`, which fastjsonschema knows under its older name."""
    row = task()
    row["knowledge"]["places"] = places
    assert schema_problems(row, "task", "here")


def test_a_sound_world_is_loaded_without_the_slow_library() -> None:
    code = "import herobench, sys; herobench.load_world(); print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def small(document: Json) -> Json:
    """Return a copy with few rows."""
    cut = {key: value[-3:] if isinstance(value, list) else value for key, value in document.items()}
    return copy.deepcopy(cut)


def spoil(document: Json, chance: Random) -> Json:
    """Replace one value by chance, leave one out, or add one."""
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
