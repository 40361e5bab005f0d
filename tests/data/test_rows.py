import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.data.errors import InputError
from herobench.data.rows import count_lines, dump_row, read_lines, seldom_collected, write_rows
from tests.ordinary_user import ordinary_user
from tests.sizes import for_each

GOOD = '{"task_id": "a", "code": "x"}'


def read_places(tmp_path: Path, content: bytes | str) -> list[tuple[str, str | None]]:
    """Read a file of answers. Return the place of each line, and its problems."""
    file = tmp_path / "rows.jsonl"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    found = []
    for line in read_lines(file, "answer"):
        assert bool(line.row) != bool(line.problems)
        complaint = "; ".join(str(problem).removeprefix(f"{line.place}: ") for problem in line.problems)
        found.append((line.place.removeprefix(f"{tmp_path}/"), complaint or None))
    return found


def refusal(path: Path | str, rows: Any = ({},)) -> str:
    with pytest.raises(InputError) as caught:
        write_rows(path, rows)
    (problem,) = caught.value.problems
    assert problem.file == str(path)
    return problem.expected


# -- reading ----------------------------------------------------------------------------------------------------------


def test_good_lines_come_in_order(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"task_id": "a", "code": "x"}\n{"task_id": "b", "answer": null}\n')
    assert [line.row for line in read_lines(file, "answer")] == [
        {"task_id": "a", "code": "x"},
        {"task_id": "b", "answer": None},
    ]


@for_each("end", ["\n", "\r\n", "", "\n\n\n", "\n  \t\r\n"])
def test_how_lines_end_and_whether_blank_ones_follow_does_not_matter(end: str, tmp_path: Path) -> None:
    assert read_places(tmp_path, f"{GOOD}\r\n{GOOD}{end}") == [("rows.jsonl:1", None), ("rows.jsonl:2", None)]


def test_blank_lines_are_left_out_but_counted(tmp_path: Path) -> None:
    assert read_places(tmp_path, f"\n\n{GOOD}\n \n{GOOD}\n") == [("rows.jsonl:3", None), ("rows.jsonl:5", None)]


@for_each("content", ["", "\n", " \r\n\n"])
def test_an_empty_file_has_no_lines(content: str, tmp_path: Path) -> None:
    assert read_places(tmp_path, content) == []


@for_each(
    ("bad", "complaint"),
    [
        (
            "{",
            "column 2: expected JSON (Expecting property name enclosed in double quotes); "
            "it ends in the middle: was it cut off?",
        ),
        ("{} {}", "column 4: expected JSON (Extra data); is there a bracket too many, or a second document?"),
        ("[]", "$: expected object, found []; $: expected exactly one of these forms: answer; code; replies, found []"),
        (
            "null",
            "$: expected object, found null; $: expected exactly one of these forms: answer; code; replies, found null",
        ),
        ('{"task_id": "a", "code": NaN}', "expected JSON (NaN is not a JSON number)"),
        ('{"task_id": "a", "code": 1}', "$.code: expected string or nothing, found 1"),
        ('{"task_id": "a", "code": "", "code": ""}', "expected JSON (the key 'code' appears twice in one object)"),
        ("[" * 100_000, "expected JSON that is nested less deeply"),
        ('{"code": "x"}', "$: expected the property 'task_id'"),
    ],
)
def test_a_bad_line_is_named_and_the_good_ones_go_on(bad: str, complaint: str, tmp_path: Path) -> None:
    assert read_places(tmp_path, f"{GOOD}\n{bad}\n{GOOD}\n") == [
        ("rows.jsonl:1", None),
        ("rows.jsonl:2", complaint),
        ("rows.jsonl:3", None),
    ]


def test_bytes_that_are_no_text_spoil_their_own_line_only(tmp_path: Path) -> None:
    bad = b'{"task_id": "\xff"}'
    assert read_places(tmp_path, b"\n".join([GOOD.encode(), bad, GOOD.encode()])) == [
        ("rows.jsonl:1", None),
        ("rows.jsonl:2", "byte 13: expected UTF-8 text"),
        ("rows.jsonl:3", None),
    ]


def test_line_separators_inside_texts_end_no_line(tmp_path: Path) -> None:
    assert read_places(tmp_path, f'{GOOD}\n{{"task_id": "a\u2028\u0085b", "code": ""}}\n') == [
        ("rows.jsonl:1", None),
        ("rows.jsonl:2", None),
    ]


def test_all_problems_of_a_line_are_named(tmp_path: Path) -> None:
    ((_, complaint),) = read_places(tmp_path, '{"task_id": "", "code": 1, "epoch": -1}')
    assert complaint is not None
    assert complaint.count("expected") == 3


@for_each("name", ["none.jsonl", "", "n" * 300])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        list(read_lines(tmp_path / name, "answer"))
    assert [problem.file for problem in caught.value.problems] == [str(tmp_path / name)]


def test_lines_are_read_only_as_they_are_wanted(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(f"{GOOD}\n" * 3)
    lines = read_lines(file, "answer")
    next(lines)
    file.write_text("")
    assert next(lines).row


def test_lines_are_counted_and_none_where_there_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("{}\n\n{")
    assert count_lines(tmp_path / "rows.jsonl") == 3
    assert count_lines(tmp_path / "none.jsonl") == 0
    assert count_lines(tmp_path) == 0


# -- writing ----------------------------------------------------------------------------------------------------------


def test_rows_that_are_written_can_be_read(tmp_path: Path) -> None:
    rows = [{"task_id": str(number), "code": "print('é\\n\u2028😀')"} for number in range(3)]
    assert write_rows(tmp_path / "rows.jsonl", iter(rows)) == 3
    assert [line.row for line in read_lines(tmp_path / "rows.jsonl", "answer")] == rows
    assert (tmp_path / "rows.jsonl").read_bytes().count(b"\n") == 3


def test_half_a_character_survives_the_way_through_a_file(tmp_path: Path) -> None:
    rows = [{"task_id": "a", "code": "print('\ud83d')  # \\ud83d \\\ud83d"}]
    write_rows(tmp_path / "rows.jsonl", rows)
    assert [line.row for line in read_lines(tmp_path / "rows.jsonl", "answer")] == rows


def test_a_row_is_one_line() -> None:
    assert dump_row({"a": "é\n", "b": None}) == '{"a": "é\\n", "b": null}\n'


def stopping(error: BaseException) -> Iterator[dict[str, int]]:
    for number in range(10_000):
        yield {"number": number}
    raise error


@for_each("error", [RuntimeError(), KeyboardInterrupt(), InputError([]), OSError(5, "elsewhere")])
@for_each("before", [None, "old\n"])
def test_what_stops_half_way_leaves_the_old_file_whole_and_no_part(
    error: BaseException, before: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    if before:
        file.write_text(before)
    with pytest.raises((type(error), InputError)):
        write_rows(file, stopping(error))
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == (
        [("rows.jsonl", before)] if before else []
    )


def test_the_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    seen = []

    def rows() -> Iterator[dict[str, int]]:
        for number in range(3):
            seen.append(file.exists())
            yield {"number": number}

    write_rows(file, rows())
    assert seen == [False] * 3
    assert file.exists()


def test_a_file_in_no_folder_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none" / "rows.jsonl") == "a file that can be written (No such file or directory)"


@for_each("length", [250, 300])
def test_a_name_that_no_file_can_have_is_named(length: int, tmp_path: Path) -> None:
    assert refusal(tmp_path / ("n" * length)) == "a file that can be written (File name too long)"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "a file, not a folder or a device"
    assert list(tmp_path.iterdir()) == []


@for_each("path", [".", "/", "..", "/dev/null"])
def test_a_device_or_a_place_without_a_name_is_not_overwritten(path: str) -> None:
    assert refusal(path) == "a file, not a folder or a device"


def test_a_folder_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with ordinary_user():
            assert refusal(tmp_path / "rows.jsonl") == "a file that can be written (Permission denied)"
    finally:
        tmp_path.chmod(0o700)


def test_cycles_are_looked_for_seldom_and_as_before_afterwards() -> None:
    before = gc.get_threshold()
    with seldom_collected(1_000_000):
        assert gc.get_threshold()[0] == 1_000_000
    assert gc.get_threshold() == before


def test_an_error_leaves_the_collector_as_it_was() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="wrong"), seldom_collected(1_000_000):
        raise ValueError("wrong")
    assert gc.get_threshold() == before


@pytest.mark.slow
def test_what_others_froze_stays_frozen_behind_a_stretch_of_seldom_collections() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with seldom_collected(1_000_000):
            pass
        assert gc.get_freeze_count() == frozen > 0
    finally:
        gc.unfreeze()  # else each later stretch counts it all
