import json
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from herobench.data.documents import content_folder, load_schema, schema_names, schema_problems
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.episode import END_KINDS, Ended
from herobench.suites.rpg.game.world import DOCUMENTS, World
from herobench.suites.rpg.play.execution import FileAnswer, score_answer
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import TINY, craft_task, documents, tiny_task
from tests.plays import WINNING, as_plan, drake_task
from tests.sizes import for_each


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, load_rules(), Limits(actions=100)) as shared:
        yield shared


def validated(row: Mapping[str, Any], schema: str) -> list[str]:
    """What is wrong with a row as it stands in a file, by jsonschema itself and by us, who have to agree."""
    written = json.loads(dump_row(row))
    errors = [error.message for error in Draft202012Validator(load_schema(schema)).iter_errors(written)]
    ours = [str(problem) for problem in schema_problems(written, schema, "row")]
    assert bool(errors) == bool(ours)
    return ours


def objects(schema: Any, path: str = "$") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All subschemas that name properties, with where they are."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            yield path, schema
        for key, value in schema.items():
            yield from objects(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from objects(value, f"{path}[{index}]")


# -- the schemas themselves -------------------------------------------------------------------------------------------


@for_each("name", schema_names())
def test_a_schema_is_one_of_draft_2020_12_and_has_its_name(name: str) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    number = schema["properties"].get("schema", {}).get("const", 1) if "properties" in schema else 1
    assert schema["$id"] == f"urn:herobench:schema:{name}:{number}"
    assert schema["title"]
    assert schema["description"]


@for_each("name", schema_names())
def test_what_a_schema_requires_it_describes(name: str) -> None:
    for path, schema in objects(load_schema(name)):
        described = schema["properties"].keys()
        assert set(schema.get("required", ())) <= described, path
        if "additionalProperties" not in schema:
            assert name.startswith("published-"), path


@for_each(
    "name",
    [
        "task",
        "scored",
        "rpg-details",
        "rpg-events",
        *DOCUMENTS,
        "editions",
    ],
)
def test_what_we_write_is_described_in_full(name: str) -> None:
    for path, schema in objects(load_schema(name)):
        assert schema["additionalProperties"] is not True, path


def test_every_document_of_a_world_has_a_schema() -> None:
    assert set(DOCUMENTS) < set(schema_names())


def test_the_same_definition_is_the_same_in_every_schema() -> None:
    seen: dict[str, Any] = {}
    for name in schema_names():
        for what, definition in load_schema(name).get("$defs", {}).items():
            if what in ("code", "name", "level", "count"):
                assert seen.setdefault(what, definition) == definition, name
    assert len(seen) == 4


def test_the_ends_of_an_episode_are_those_of_the_code() -> None:
    properties = load_schema("scored")["properties"]
    assert properties["ended"]["enum"] == list(get_args(Ended))
    assert properties["end_kind"]["enum"] == [None, *END_KINDS]


# -- what is written is valid -----------------------------------------------------------------------------------------


@for_each("name", DOCUMENTS)
@for_each("world", ["tiny", "classic"])
def test_the_documents_of_a_world_are_valid(name: str, world: str) -> None:
    assert validated(documents(TINY if world == "tiny" else None)[name], name) == []


def test_the_editions_are_valid() -> None:
    assert validated(json.loads(content_folder().joinpath("editions.json").read_text("utf-8")), "editions") == []


def test_the_rows_of_tasks_are_valid(tiny: World) -> None:
    for task in (tiny_task(tiny), drake_task(tiny), craft_task(tiny, "broth")):
        assert validated(task.as_row(), "task") == []


@for_each(
    ("plan", "outcome", "ended"),
    [
        (as_plan(WINNING), "win", "finished"),
        (as_plan("move 9 9; fight; craft bar 1"), "lose", "finished"),
        ("", "lose", "no_code"),
        ("x = (", "lose", "rejected"),
        ("import os", "lose", "rejected"),
        ("move('Hero', 1, 0)\n1 / 0", "lose", "error"),
        ("while True:\n    move('Hero', 1, 0)", "lose", "limit"),
        (None, "lose", "no_code"),
    ],
)
def test_the_row_of_a_scored_answer_is_valid(plan: str | None, outcome: str, ended: str, sandbox: Sandbox) -> None:
    row = score_answer(sandbox, drake_task(sandbox.world), FileAnswer("1/1_Frost Drake_kill", 2, plan, "model", 99))
    assert (row["outcome"], row["ended"]) == (outcome, ended)
    assert validated(row, "scored") == []
