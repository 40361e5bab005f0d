import json
from collections.abc import Sequence

from herobench.data.documents import load_schema, schema_names
from tests.program import herobench, refuses
from tests.sizes import for_each


def test_without_a_name_the_formats_are_listed() -> None:
    done = herobench("schema")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == schema_names()
    assert {"task", "answer", "scored"} <= set(done.stdout.split())


@for_each("name", ["task", "answer", "scored", "world"])
def test_a_named_schema_is_printed_as_json(name: str) -> None:
    done = herobench("schema", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == load_schema(name)


@for_each("name", ["nonsense", "../scored", ""])
def test_an_unknown_format_is_refused_and_the_known_are_named(name: str) -> None:
    sentence = refuses(herobench("schema", name))
    assert repr(name) in sentence
    assert_names(sentence, schema_names())


def assert_names(sentence: str, names: Sequence[str]) -> None:
    assert [name for name in names if name not in sentence] == []
