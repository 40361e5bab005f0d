import json
from pathlib import Path
from typing import Any

import pytest
import typer

from herobench.suites.rpg.commands.published import import_published
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.builders import TINY
from tests.golden import Golden
from tests.program import herobench, read_jsonl
from tests.sizes import for_each

SKILL_FIELDS = {
    f"{skill}_{field}": value
    for skill in ("digging", "smithing", "brewing")
    for field, value in (("level", 10), ("xp", 0), ("max_xp", 150))
}
CHARACTER = {
    "level": 10,
    "xp": 0,
    "max_xp": 150,
    "hp": 100,
    "x": 0,
    "y": 0,
    "blade_slot": "twig",
    "attack_heat": 2,
    **SKILL_FIELDS,
}
KILL = {
    "monster_name": "Frost Drake",
    "missing_items": {"blade_slot": "bar_sword"},
    "character": CHARACTER,
    "task_info": {},
}
CRAFT = {"item": "Brick", "character": CHARACTER, "task_info": {"Resources": [{"code": "clay"}]}}
LOG = {"1": {"1_Brick_craft": {"code": "fight('Hero')"}, "2_Frost Drake_kill": {"code": ["a()", None]}}}


def write(path: Path, document: Any) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_a_tasks_file_becomes_tasks_of_the_world(
    tmp_path: Path, tiny: World, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "published.json", {"1": [KILL, CRAFT], "2": [CRAFT]})
    assert import_published(source, tmp_path / "tasks.jsonl", world_name=str(TINY))
    assert capsys.readouterr() == ("", f"3 rows written to {tmp_path / 'tasks.jsonl'}\n")
    tasks = load_tasks(tmp_path / "tasks.jsonl", tiny)
    assert list(tasks) == ["1/1_Frost Drake_kill", "1/2_Brick_craft", "2/1_Brick_craft"]
    assert tasks["1/1_Frost Drake_kill"].target == "drake"


def test_a_log_of_answers_becomes_answers_several_codes_epochs(tmp_path: Path) -> None:
    source = write(tmp_path / "log.json", LOG)
    assert herobench("import", source, "-o", tmp_path / "answers.jsonl").returncode == 0
    rows = [(row["task_id"], row["epoch"], row["code"]) for row in read_jsonl(tmp_path / "answers.jsonl")]
    drake = "1/2_Frost Drake_kill"
    assert rows == [("1/1_Brick_craft", 0, "fight('Hero')"), (drake, 0, "a()"), (drake, 1, None)]


def test_what_cannot_be_read_is_named_and_the_rest_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**CRAFT, "item": "Broom"}
    source = write(tmp_path / "published.json", {"1": [KILL, wrong, CRAFT]})
    with pytest.raises(typer.Exit) as end:
        import_published(source, tmp_path / "tasks.jsonl", world_name=str(TINY))
    assert end.value.exit_code == 1
    assert '["1"][1].item: expected a name or code of the world, found "Broom"' in capsys.readouterr().err
    assert [row["id"] for row in read_jsonl(tmp_path / "tasks.jsonl")] == ["1/1_Frost Drake_kill", "1/3_Brick_craft"]


def test_a_published_file_in_a_wrong_form_is_refused_and_nothing_is_written(tmp_path: Path, golden: Golden) -> None:
    source = write(tmp_path / "published.json", '{"1": [{"item": 7}]}')
    golden(herobench("import", source, "-o", tmp_path / "out.jsonl"))
    assert [path.name for path in tmp_path.iterdir()] == ["published.json"]


@for_each("content", ["", "{", "[]", "{}", '"text"', '{"task": "a"}', "\x00"])
def test_another_file_is_left_to_the_readers_of_logs(tmp_path: Path, content: str) -> None:
    assert not import_published(write(tmp_path / "other.json", content), tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["other.json"]


def test_a_published_file_is_written_where_it_can_be(tmp_path: Path, golden: Golden) -> None:
    source = write(tmp_path / "published.json", LOG)
    golden(
        herobench("import", tmp_path / "nowhere.json", "-o", tmp_path / "out.jsonl"),
        herobench("import", source, "-o", tmp_path / "no" / "out.jsonl"),
    )


def test_options_for_logs_do_not_fit_a_published_file(tmp_path: Path) -> None:
    source = write(tmp_path / "published.json", LOG)
    done = herobench("import", source, "-o", tmp_path / "out.jsonl", "--format", "table", "--item", "x")
    told = f"{source} is of the published benchmark, and no log: leave out --format, --item.\n"
    assert (done.returncode, done.stderr) == (2, told)
    assert not (tmp_path / "out.jsonl").exists()
