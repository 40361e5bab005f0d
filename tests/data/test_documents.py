import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from herobench.data.documents import (
    finite,
    json_path,
    no_constant,
    parse,
    parse_line,
    read_document,
    schema_problems,
)
from herobench.data.errors import InputError, Problem, abbreviate
from tests.builders import TINY, documents
from tests.sizes import for_each


def unreadable(text: str) -> Problem:
    """Return the one problem of a text that gives no document."""
    document, problems = parse(text, "here")
    assert document is None
    assert len(problems) == 1
    assert problems[0].file == "here"
    return problems[0]


def of_schema(document: Any, schema: str = "items") -> list[str]:
    return [str(problem) for problem in schema_problems(document, schema, "here")]


def with_item(**changes: Any) -> dict[str, Any]:
    """An items document of one item, which is sound but for the changes."""
    clay = documents(TINY)["items"]["items"][1]
    return {"schema": 1, "items": [clay | changes]}


# -- texts ------------------------------------------------------------------------------------------------------------


def test_a_document_comes_back_as_it_stands() -> None:
    assert parse('{"a": [1, -2.5, null, true, "\\u00e9"]}', "here") == ({"a": [1, -2.5, None, True, "é"]}, [])


@for_each(
    ("text", "path"),
    [
        ('{"a": 1,\n "b": ', "line 2 column 7"),
        ("[1, 2", "column 6"),
        ('{"a": "to', "column 7"),
        ("[1] [2]", "column 5"),
    ],
)
def test_torn_json_is_named_with_its_place(text: str, path: str) -> None:
    problem = unreadable(text)
    assert problem.path == path
    assert problem.expected.startswith("JSON (")


def test_the_mark_before_a_text_is_no_part_of_it() -> None:
    assert parse("\ufeff[1]", "here") == ([1], [])


@for_each("text", ["", " \n", "\ufeff"])
def test_an_empty_file_is_said_to_be_empty(text: str) -> None:
    assert str(unreadable(text)) == "here: expected JSON, and the file is empty"


@for_each("text", ["[1,]", '{"a": 1,}', '{"a": [1,\n]}', '{"a": 1 ,\n }'])
def test_a_comma_too_many_is_to_be_taken_out(text: str) -> None:
    assert unreadable(text).advice in ("remove the comma before it", "remove the last comma")


@for_each(
    "text", ["// a\n[1]", "[1, # a\n2]", '{"a": 1, /* b */ "b": 2}', '{"a": 1 // one\n}', "[1] # end", "[ // a\n1]"]
)
def test_a_comment_is_told_to_be_none(text: str) -> None:
    assert unreadable(text).advice == "JSON has no comments"


def test_what_stands_in_a_text_is_no_comment() -> None:
    assert unreadable('["a\n# b"]').advice == ""


def test_whole_numbers_are_made_whole_where_that_is_asked_for() -> None:
    found, _ = parse("[60.0, 1e3, 0.5, 1e300, -0.0]", "here", whole=True)
    assert list(map(repr, found)) == ["60", "1000", "0.5", "1e+300", "0"]
    assert repr(parse("[60.0]", "here")[0]) == "[60.0]"


@for_each("number", ["NaN", "Infinity", "-Infinity"])
def test_what_javascript_calls_a_number_is_none(number: str) -> None:
    assert unreadable(f'{{"a": {number}}}').expected == f"JSON ({number} is not a JSON number)"


def test_a_number_beyond_all_floats_is_not_read_as_infinite() -> None:
    assert unreadable("[1e999]").expected == "JSON (1e999 is too large a number)"
    assert unreadable("[-1e999]").expected == "JSON (-1e999 is too large a number)"
    assert parse("[1e-999, 1e300]", "here") == ([0.0, 1e300], [])


def test_a_whole_number_of_thousands_of_digits_is_named() -> None:
    assert "digits" in unreadable("1" * 5000).expected


def test_a_key_that_stands_twice_is_named() -> None:
    assert "'hp' appears twice" in unreadable('[{"ok": 1}, {"hp": 1, "xp": 2, "hp": 1}]').expected


@for_each(
    ("text", "line"),
    [
        ('{"hp": 1,\n "xp": 2,\n "hp": 1}', 3),
        ('[{"hp": 1},\n {"hp": "\\"{hp",\n "x": {"hp": 0}},\n {"hp": 1,\n "\\u0068p": 2}]', 5),
        ('{"a": {"hp": 1}, "hp": 1,\n "hp": 1, "torn', 0),
    ],
)
def test_a_key_that_stands_twice_is_named_with_its_line(text: str, line: int) -> None:
    assert unreadable(text).path.startswith(f"line {line}" if line else "line 2 column")


def test_many_keys_of_which_the_last_stands_twice_take_no_time() -> None:
    keys = ", ".join(f'"{number}": 0' for number in range(50_000))
    assert "'49999' appears twice" in unreadable(f'{{{keys}, "49999": 1}}').expected


@for_each("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_bottomless_nesting_is_named(text: str) -> None:
    assert unreadable(text).expected == "JSON that is nested less deeply"


LARGE = [
    "1e999", "-1e999", "1E+999", "1e0000999", "1.5e309", "2e308", "1e999 ",
    "9" * 400 + ".0", "9" * 299 + "e99", "1" * 5000,
]  # fmt: skip


@for_each("number", LARGE)
def test_a_line_has_no_number_beyond_all_floats(number: str) -> None:
    for text in (f"[{number}]", f'{{"a": {number}, "b": "1e2"}}', number):
        row, [problem] = parse_line(text.encode(), "here")
        assert row is None
        assert "too large a number" in problem.expected or "digits" in problem.expected


@for_each(
    "text",
    [
        "[1e300, -0.0, 0.1, 5e-324, 1e-999, 1.7976931348623157e308, -0, 1E5, 12345678901234567890123]",
        f"[{'9' * 308}, {'9' * 250}.5, 0.{'1' * 400}]",
        '["\\ud83d\\ude00 \\ud800 \u00e9", "1e999", "a1e999,", "\\u0000"]',
        '{"a": 1, "b": [true, false, null], "a": {"c": ""}}',
        "\ufeff {} \r\n",
        "[" * 500 + "]" * 500,
    ],
)
def test_a_line_is_read_as_json_reads_it(text: str) -> None:
    row, problems = parse_line(text.encode(), "here")
    assert (repr(row), problems) == (repr(json.loads(text.removeprefix("\ufeff"))), [])


@given(st.text('{}[]",:0123456789.eE+-\\utrfnals \t\n\u00e9', max_size=12))
def test_what_json_cannot_read_is_no_line(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=no_constant, parse_float=finite)
    except ValueError:
        expected = None
    assert repr(parse_line(text.encode(), "here")[0]) == repr(expected)


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert read_document(tmp_path / "none.json", "none.json") == (
        None,
        [Problem("none.json", "", "a file that exists")],
    )


def test_what_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes('{\n"name": "é"}'.encode("latin-1"))
    assert read_document(tmp_path / "latin.json", "latin.json") == (
        None,
        [Problem("latin.json", "line 2", "UTF-8 text", advice="save it as UTF-8")],
    )


# -- schemas ----------------------------------------------------------------------------------------------------------


@for_each(
    ("changes", "problem"),
    [
        ({"level": "high"}, '$.items[0].level: expected integer, found "high"'),
        ({"level": True}, "$.items[0].level: expected integer, found true"),
        ({"level": 0}, "$.items[0].level: expected 1 or more, found 0"),
        ({"level": 1001}, "$.items[0].level: expected 1000 or less, found 1001"),
        ({"level": 1.5}, "$.items[0].level: expected integer, found 1.5"),
        ({"name": ""}, '$.items[0].name: expected text of 1 characters or more, found ""'),
        ({"skin": 1, "a b": 2}, "$.items[0].skin: expected one of the properties code, name, level,"),
        ({"skin": 1, "a b": 2}, '$.items[0]["a b"]: expected one of the properties code, name, level,'),
        ({"code": "Big Clay"}, "$.items[0].code: expected text that matches ^[a-z0-9]+(_[a-z0-9]+)*$, found"),
        ({"effects": {"Big Hp": 1}}, "$.items[0].effects: expected text that matches ^[a-z0-9]+(_[a-z0-9]+)*$, found"),
        ({"effects": {"hp": None}}, "$.items[0].effects.hp: expected integer, found null"),
        (
            {"recipe": {"skill": "s", "level": 1, "ingredients": {}}},
            "$.items[0].recipe.ingredients: expected 1 entries or more, found {}",
        ),
        ({"recipe": {"level": 1}}, "$.items[0].recipe: expected the property 'skill'"),
        ({"recipe": {"level": 1}}, "$.items[0].recipe: expected the property 'ingredients'"),
    ],
)
def test_a_schema_problem_says_where_what_and_what_was_found(changes: dict[str, Any], problem: str) -> None:
    assert any(found.startswith(f"here: {problem}") for found in of_schema(with_item(**changes)))


def test_each_problem_is_told_once() -> None:
    found = of_schema({"schema": 1, "items": [{}]})
    assert len(found) == len(set(found)) == 7


def test_a_document_in_a_wrong_form_is_told_with_its_first_problems() -> None:
    logs = {"1": {f"task {number}": {"code": 5} for number in range(10_000)}}
    assert len(of_schema(logs, "published-answers")) == 100


def test_a_code_must_not_end_in_a_line_break() -> None:
    assert len(of_schema(with_item(code="clay\n"))) == 1
    assert len(of_schema(with_item(effects={"hp\n": 1}))) == 1


@for_each("name", ["Cl\nay", "Clay\n", "\x1b[31mClay", "Clay\x00", "Clay\x7f", "half a pair \ud83d"])
def test_a_name_is_text_that_can_be_printed(name: str) -> None:
    assert len(of_schema(with_item(name=name))) == 1


def test_what_patterns_ask_for_is_said_in_words() -> None:
    assert of_schema(with_item(name="Cl\nay")) == [
        'here: $.items[0].name: expected text without control characters, found "Cl\\nay"'
    ]


def test_capitals_do_not_hide_what_is_meant() -> None:
    (problem,) = of_schema(with_item(DESCRIPTION="x"))
    assert problem.endswith("is 'description' meant?")


def test_goods_that_are_an_empty_text_are_to_be_an_empty_list() -> None:
    (problem,) = of_schema(documents(TINY)["world"] | {"exchange_sells": ""}, "world")
    assert problem.endswith('found ""; write [] for nothing')


def test_prose_may_have_lines_but_no_half_characters() -> None:
    assert of_schema(with_item(description="Brown.\nAnd soft.\n")) == []
    assert len(of_schema(with_item(description="half a pair \ud83d"))) == 1


def test_an_answer_in_neither_or_both_forms_is_told_the_forms() -> None:
    expected = "exactly one of these forms: answer; code; replies"
    for row in ({"task_id": "a"}, {"task_id": "a", "answer": "", "code": ""}):
        assert [problem.expected for problem in schema_problems(row, "answer", "here")] == [expected]


def test_what_may_be_nothing_is_told_so() -> None:
    row = {"task_id": "a", "code": "", "tokens": "many"}
    assert of_schema(row, "answer") == ['here: $.tokens: expected integer or nothing, found "many"']


@for_each("depth", [100, 400, 850, 970])
@for_each("twice", [1, 2])
def test_deep_nesting_where_the_schema_looks_is_a_problem_not_a_crash(depth: int, twice: int) -> None:
    deep = ",".join(["[" * depth + "]" * depth] * twice)
    document, problems = parse(f'{{"schema": 1, "elements": [{deep}]}}', "here")
    found = problems or schema_problems(document, "world", "here")
    assert found
    assert all(problem.file == "here" and len(str(problem)) < 3000 for problem in found)


# -- paths and problems -----------------------------------------------------------------------------------------------


@for_each(
    ("parts", "path"),
    [
        ([], "$"),
        (["items", 3, "level"], "$.items[3].level"),
        (["Craftable items", 0], '$["Craftable items"][0]'),
        (["1", "a\nb"], '$["1"]["a\\nb"]'),
        (["half \ud83d"], '$["half \\ud83d"]'),
    ],
)
def test_a_path_is_written_as_in_json(parts: list[object], path: str) -> None:
    assert json_path(parts) == path


def test_a_problem_reads_as_a_sentence() -> None:
    assert str(Problem("f.json", "$.a", "a number", None)) == "f.json: $.a: expected a number, found null"
    assert str(Problem("f.json", "", "a readable file")) == "f.json: expected a readable file"


@for_each("value", ["x" * 1000, list(range(1000)), {"a": "b" * 1000}])
def test_a_long_value_is_abbreviated(value: object) -> None:
    assert len(abbreviate(value)) == 80
    assert abbreviate(value).endswith("...")


def test_a_value_that_just_fits_is_not_abbreviated() -> None:
    assert abbreviate("x" * 78) == f'"{"x" * 78}"'
    assert abbreviate("x" * 79) == f'"{"x" * 76}...'


def test_any_value_can_be_abbreviated() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    assert abbreviate(deep) == "a list"
    assert abbreviate({(1, 2): 3}) == "a dict"
    assert abbreviate(10**5000) == "a int"
    assert abbreviate("half \ud83d") == '"half \\ud83d"'
    assert abbreviate({1, 2}) == '"{1, 2}"'


def test_an_input_error_lists_its_problems_line_by_line() -> None:
    problems = (Problem("a", "$", "x"), Problem("b", "$", "y"))
    error = InputError(iter(problems))
    assert error.problems == problems
    assert str(error) == "a: $: expected x\nb: $: expected y"
