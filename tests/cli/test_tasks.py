from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.options import parse_numbers
from herobench.prompts.rpg.render import prompt_digest, render_prompt
from herobench.suite.checked import closing_suite, open_suite
from herobench.suite.contract import SuiteSetting
from herobench.suite.plugins import SUITES, names
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.options import MODES
from herobench.suites.rpg.suite import Rpg
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.datasets import dataset_path
from tests.builders import TINY, task_row
from tests.golden import Golden
from tests.program import Done, herobench, write_jsonl
from tests.sizes import for_each, some_slow
from tests.task_gen.rpg.made import tasks
from tests.toys import toy


@pytest.fixture(scope="module")
def made(classic: World) -> tuple[Task, ...]:
    return (
        *tasks(classic, 6),
        *tasks(classic, 1, brackets=(7,), kind="kill", leveling=True, stochastic=True, noise=3),
        *tasks(classic, 1, brackets=(1,), kind="craft"),
    )


@pytest.fixture(scope="module")
def file(made: tuple[Task, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_jsonl(tmp_path_factory.mktemp("made") / "tasks.jsonl", (task.as_row() for task in made))


def shown(done: Done, columns: int = 80) -> str:
    """Return the visible text of a command, with single spaces between words."""
    assert (done.returncode, done.stderr) == (0, "")
    assert all(len(line) <= columns for line in done.stdout.splitlines())
    return " ".join(done.stdout.split())


def found(done: Done) -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# -- list -------------------------------------------------------------------------------------------------------------


def test_a_list_has_a_row_a_task(file: Path, made: tuple[Task, ...]) -> None:
    rows = found(herobench("tasks", "list", "--tasks", file, "--json"))
    assert [row["id"] for row in rows] == [task.id for task in made]
    last, craft = made[-2], made[-1]
    assert last.certificate is not None
    assert rows[-2] == {
        "id": last.id,
        "kind": "kill",
        "target": last.target,
        "difficulty": last.difficulty,
        "missing": len(last.missing),
        "knowledge": "exact",
        "mechanics": ["leveling", "drops x10", "noise 3"],
        "actions": last.certificate.actions,
    }
    assert (rows[-1]["kind"], rows[-1]["target"], rows[-1]["mechanics"]) == ("craft", craft.target, [])


def test_a_list_and_a_datasheet_say_which_plans_are_straight(made: tuple[Task, ...], tmp_path: Path) -> None:
    craft = made[-1].as_row()
    straight = {**craft, "id": "straight", "mechanics": {**craft["mechanics"], "plan": "straight"}}
    file = write_jsonl(tmp_path / "both.jsonl", [craft, straight])
    rows = found(herobench("tasks", "list", "--tasks", file, "--json"))
    assert [row["mechanics"] for row in rows] == [[], ["straight plan"]]
    sheet = found(herobench("tasks", "stats", "--tasks", file, "--json"))
    asked = [Task.from_row(craft), Task.from_row(straight)]
    assert (sheet["tracks"], sheet["prompts"]) == ({"program": 1, "straight": 1}, prompt_digest(asked))


@for_each("columns", [20, 40, 80, 120])
def test_a_list_for_people_has_every_id_whole_however_narrow_the_screen_is(
    file: Path, made: tuple[Task, ...], columns: int
) -> None:
    done = herobench("tasks", "list", "--tasks", file, columns=columns)
    lines = done.stdout.splitlines()
    for task in made:
        assert task.certificate is not None
        (line,) = (line for line in lines if line.startswith(f" {task.id} "))
        assert line.split()[-3:] == [str(task.difficulty), str(len(task.missing)), str(task.certificate.actions)]
        assert task.target in done.stdout.split()
    if columns >= 80:
        assert max(map(len, lines)) <= columns


def test_a_list_can_be_of_some_difficulties_and_of_one_kind(file: Path, made: tuple[Task, ...]) -> None:
    rows = found(herobench("tasks", "list", "--tasks", file, "--json", "--difficulty", "3,6-7"))
    assert [row["id"] for row in rows] == [task.id for task in made if task.id[0] in "367"]
    for kind in ("kill", "craft"):
        rows = found(herobench("tasks", "list", "--tasks", file, "--json", "--kind", kind))
        assert [row["id"] for row in rows] == [task.id for task in made if task.kind == kind]
    assert found(herobench("tasks", "list", "--tasks", file, "--json", "--difficulty", "10")) == []


@for_each(
    ("text", "brackets"),
    [("9", (9,)), ("1-9", tuple(range(1, 10))), ("3,5-7", (3, 5, 6, 7)), ("10, 1", (1, 10)), (" 2 - 3 ,3", (2, 3))],
)
def test_difficulties_are_numbers_and_ranges(text: str, brackets: tuple[int, ...]) -> None:
    assert parse_numbers(text) == brackets


@for_each("text", ["", "9-", "-9", "1--3", "a", "3;4", "7-5", "1-99999999", "9" * 9999, "²", "1-2-3", ",", "1.5"])
def test_what_is_no_difficulty_is_said_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(give numbers or ranges|the range 7-5 runs backwards)"):
        parse_numbers(text)


def test_a_bad_difficulty_is_refused(file: Path, golden: Golden) -> None:
    golden(herobench("tasks", "list", "--tasks", file, "--difficulty", "0-3"))


# -- show -------------------------------------------------------------------------------------------------------------


def test_a_task_is_shown_with_everything_about_it(file: Path, made: tuple[Task, ...], classic: World) -> None:
    task = made[-2]
    proof = task.certificate
    assert proof is not None
    done = herobench("tasks", "show", task.id, "--tasks", file)
    assert all(len(line) <= 80 for line in done.stdout.partition("\n\n")[0].splitlines())
    text = shown(done, columns=1000)  # the plan has lines of its own
    assert f"beat {classic.monsters[task.target].name} ({task.target})" in text
    assert f"{task.difficulty}, bracket 7" in text
    assert f"level {task.hero.combat[0]}, at 0, 0" in text
    for slot, code in (*task.missing.items(), *task.hero.worn.items()):
        assert f"{slot} {code}" in text
    assert f"recipes {len(task.knowledge.recipes)}" in text
    assert "leveling, drops x10, noise 3" in text
    assert f"{proof.actions} actions" in text
    assert f"wins under {proof.wins} of 100 seeds" in text
    assert text.endswith(" ".join(proof.plan.split()))


def test_a_craft_task_is_shown_too(file: Path, made: tuple[Task, ...], classic: World) -> None:
    task = made[-1]
    text = shown(herobench("tasks", "show", task.id, "--tasks", file, columns=60), 60)
    assert f"craft {classic.items[task.target].name} ({task.target})" in text
    assert "missing" not in text


def test_a_task_without_a_certificate_is_shown(tiny: World, tmp_path: Path) -> None:
    bare = write_jsonl(tmp_path / "bare.jsonl", [task_row(tiny)])
    text = shown(herobench("tasks", "show", "1/1", "--tasks", bare, "--world", TINY))
    assert text.endswith("certificate none")


def test_as_json_a_task_is_its_row(file: Path, made: tuple[Task, ...]) -> None:
    done = herobench("tasks", "show", made[3].id, "--tasks", file, "--json")
    assert done.stdout == file.read_text("utf-8").splitlines(keepends=True)[3]


def test_a_task_goes_by_how_its_id_begins_if_no_other_does(tiny: World, tmp_path: Path, golden: Golden) -> None:
    ids = ["9/1_Bat_kill", "9/10_Owl_kill", "9/11_Owl_craft", "9/11_Owl_kill", "9/1"]
    some = write_jsonl(tmp_path / "some.jsonl", (task_row(tiny, id=task_id) for task_id in ids[:4]))
    more = write_jsonl(tmp_path / "more.jsonl", (task_row(tiny, id=task_id) for task_id in ids))

    def show(text: str, path: Path = some) -> Done:
        return herobench("tasks", "show", text, "--json", "--tasks", path, "--world", TINY)

    for text, task_id in (("9/1", ids[0]), ("9/10", ids[1]), ("9/11_Owl_c", ids[2]), (ids[3], ids[3])):
        assert found(show(text))["id"] == task_id
    assert found(show("9/1", more))["id"] == "9/1"
    golden(show("9/11"), show("9"))


@for_each("what", ["show", "prompt"])
def test_an_unknown_task_is_refused_with_near_ones(
    what: str, file: Path, made: tuple[Task, ...], golden: Golden
) -> None:
    golden(
        herobench("tasks", what, f"{made[0].id}s", "--tasks", file),
        herobench("tasks", what, "", "--tasks", write_jsonl(file.with_name("none.jsonl"), [])),
    )


# -- prompt and stats -------------------------------------------------------------------------------------------------


@for_each("rules", ["standard", "paper-early"])
def test_the_prompt_is_what_a_model_is_told(rules: str, file: Path, made: tuple[Task, ...], classic: World) -> None:
    done = herobench("tasks", "prompt", made[0].id, "--tasks", file, "--rules", rules)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == render_prompt(classic, made[0], load_rules(rules)) + "\n"


@for_each("mode", MODES)
def test_the_prompt_of_a_mode_is_how_its_attempts_open(
    mode: str, file: Path, made: tuple[Task, ...], classic: World
) -> None:
    done = herobench("tasks", "prompt", made[0].id, "--tasks", file, "--mode", mode)
    assert (done.returncode, done.stderr) == (0, "")
    setting = SuiteSetting(tasks=file, options={"mode": mode})
    with closing(Rpg(setting)) as suite:
        (opening,) = suite.open(made[0].id, 0).messages
    assert done.stdout == opening.text + "\n"


def test_the_datasheet_is_what_its_schema_says_and_has_the_files_digest(file: Path, made: tuple[Task, ...]) -> None:
    sheet = found(herobench("tasks", "stats", "--tasks", file, "--json"))
    assert schema_problems(sheet, "datasheet", "sheet") == []
    assert sheet["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert sheet["prompts"] == prompt_digest()
    assert sheet["tasks"] == len(made)
    assert sheet["targets"] == Counter(task.target for task in made)


@pytest.mark.parametrize("columns", some_slow([60, 80], {80}))
def test_a_datasheet_for_people_has_its_figures(
    columns: int, file: Path, made: tuple[Task, ...], golden: Golden
) -> None:
    done = herobench("tasks", "stats", "--tasks", file, columns=columns)
    golden(done)
    text = " ".join(done.stdout.split())
    assert text.startswith(f"{len(made)} tasks in classic, 0 equal to an earlier one sha256 ")
    kills = sum(task.kind == "kill" for task in made)
    assert f"kind craft: {len(made) - kills} kill: {kills}" in text
    actions = [task.certificate.actions for task in made if task.certificate]
    assert f"actions of the oracle {min(actions)} " in text
    wide = [line for line in done.stdout.splitlines() if len(line) > columns and " " in line.strip()]
    assert wide == []


# -- files ------------------------------------------------------------------------------------------------------------


READERS = [
    *("validate FILE", "audit FILE", "tasks list --tasks FILE", "tasks stats --tasks FILE"),
    *("score FILE answers.jsonl -o out.jsonl", "run --model noop -o run --tasks FILE"),
]


@for_each("words", READERS)
def test_a_torn_file_and_one_of_another_suite_are_a_sentence_and_one_exit_code(
    words: str, file: Path, tmp_path: Path
) -> None:
    lines = file.read_text("utf-8").splitlines()
    (tmp_path / "torn.jsonl").write_text(f"{lines[0]}\n{lines[1][:-9]}", "utf-8")
    write_jsonl(tmp_path / "foreign.jsonl", [{"id": "t0", "treasure": "ruby"}])
    write_jsonl(tmp_path / "answers.jsonl", [])
    torn, foreign = (toy(*words.replace("FILE", f"{name}.jsonl").split(), cwd=tmp_path) for name in ("torn", "foreign"))
    assert (torn.returncode, foreign.returncode) == (2, 2)
    assert torn.stderr.startswith("torn.jsonl:2: column")
    advice = "they are of the suite treasure: add --suite treasure"
    assert foreign.stderr == f"foreign.jsonl: expected tasks of the suite journey; {advice}\n"
    assert {path.name for path in tmp_path.iterdir()} == {"torn.jsonl", "foreign.jsonl", "answers.jsonl"}


@for_each("name", names(SUITES))
def test_the_rows_of_a_suite_say_whose_they_are_also_in_a_torn_file(name: str, tmp_path: Path) -> None:
    with closing_suite(open_suite(name, SuiteSetting())) as suite:
        row = json.dumps(next(iter(suite.tasks())).row)
    (torn := tmp_path / "torn.jsonl").write_text(f'{row}\n{{"id": tru', "utf-8")
    other = next(each for each in names(SUITES) if each != name)
    implied, named = (herobench("tasks", "list", "--tasks", torn, *more) for more in ([], ["--suite", other]))
    cause = "column 8: expected JSON (Expecting value); it ends in the middle: was it cut off?"
    assert (implied.returncode, implied.stderr) == (2, f"{torn}:2: {cause}\n")
    told = f"expected tasks of the suite {other}; they are of the suite {name}: add --suite {name}"
    assert (named.returncode, named.stderr) == (2, f"{torn}: {told}\n")


@for_each("options", [[], ["--difficulty", "1-10"]])
def test_without_a_file_it_is_the_default_dataset(options: list[str]) -> None:
    rows = found(herobench("tasks", "list", "--suite", "rpg", "--json", *options))
    assert [row["id"] for row in rows] == [
        json.loads(line)["id"] for line in dataset_path("base").read_text("utf-8").splitlines()
    ]


@for_each("name", ["base-v2", "noise", "leveling-v1"])
def test_a_shipped_dataset_is_read_by_its_name(name: str) -> None:
    rows = found(herobench("tasks", "list", "--json", "--tasks", name))
    lines = dataset_path(name).read_text("utf-8").splitlines()
    assert [row["actions"] for row in rows] == [json.loads(line)["certificate"]["actions"] for line in lines]


@pytest.mark.parametrize(
    "words", some_slow(["tasks list --json --tasks base", "validate base --jobs 1"], ["validate base --jobs 1"])
)
def test_a_shipped_name_wins_over_what_has_it_in_the_folder(words: str, tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    assert herobench(*words.split(), cwd=tmp_path).returncode == 0


def test_a_plan_that_meets_its_bound_is_said_to_be_proven_optimal() -> None:
    assert "78 actions, at least 77 are needed" in herobench("tasks", "show", "6/16", "--tasks", "base").stdout
    assert "86 actions, proven optimal" in herobench("tasks", "show", "6/12", "--tasks", "base").stdout
