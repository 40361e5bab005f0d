"""What a run's folder keeps is used only for the user who began the run: others are told what would be sent where."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.errors import UsageError
from herobench.runs.merge import merge
from tests.builders import TINY
from tests.cli.running import KEY, TASKS, some_win
from tests.golden import Golden
from tests.loopback import Loopback
from tests.program import herobench, write_jsonl
from tests.runs.made import contents, manifest, rows
from tests.sizes import for_each

SECRET = "sk-" + "secret" * 5
Manifest = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(None, some_win, KEY) as loopback:
        yield loopback


@pytest.fixture(autouse=True)
def somebody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Loopback) -> None:
    """A user who never ran anything, with a key that is not for this server."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("MY_SECRET", SECRET)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    server.reset()


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory, server: Loopback) -> Path:
    """A run that somebody else began."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        return own(server, folder / "run")


@pytest.fixture
def foreign(begun: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(begun, tmp_path / "foreign"))


def own(server: Loopback, path: Path, **request: Any) -> Path:
    """A run of this user's, which is owed."""
    library.run("m", base_url=server.url, tasks=TASKS, output=path, **{"limit": 1, **request})
    server.reset()
    return owing(path)


def owing(path: Path) -> Path:
    """The run without its samples and calls, so that there is something to ask."""
    for name in ("samples.jsonl", "calls.jsonl"):
        (path / name).write_bytes(b"")
    return path


def edit(path: Path, change: Callable[[Manifest], None]) -> None:
    row = manifest(path)
    change(row)
    (path / "run.json").write_text(json.dumps(row), "utf-8")


def refusal(path: Path, **request: Any) -> str:
    """The sentence with which a run is not resumed; empty if it is."""
    try:
        library.run(resume=path, **request)
    except UsageError as error:
        return str(error)
    return ""


def sent(server: Loopback) -> list[str]:
    """The keys of the requests that arrived."""
    return [str(record.authorization) for record in server.records()]


# -- a folder of somebody else ----------------------------------------------------------------------------------------


def test_a_run_of_somebody_else_sends_nothing_and_says_what_would_be_sent_where(
    foreign: Path, server: Loopback, tmp_path: Path
) -> None:
    cache = tmp_path / "deep" / "replies.sqlite"
    edit(foreign, lambda manifest: manifest["conduct"].update(key_name="MY_SECRET", cache=str(cache)))
    before = contents(foreign)
    told = refusal(foreign)
    does = f"send its prompts and the key in MY_SECRET to {server.url}, and read and write the cache {cache}"
    again = f"--base-url {server.url} --api-key-env MY_SECRET --cache {cache}"
    assert told == (
        f"Nothing here says that you began {foreign}, and to go on it would {does}: nothing was sent or opened. "
        f"If you want that, repeat what the run keeps: {again}"
    )
    shown = herobench("run", "--resume", foreign, "--dry-run")
    assert (shown.returncode, shown.stderr) == (0, f"{told}\n")
    assert (sent(server), cache.parent.exists(), contents(foreign)) == ([], False, before)


def test_all_that_is_kept_has_to_be_repeated_and_is_known_from_then_on(foreign: Path, server: Loopback) -> None:
    edit(foreign, lambda manifest: manifest["conduct"].update(key_name="MY_SECRET"))
    key = {"key_name": "MY_SECRET"}
    assert refusal(foreign, base_url=server.url).endswith("the run keeps: --api-key-env MY_SECRET")
    assert refusal(foreign, conduct=key).endswith(f"keeps: --base-url {server.url}")
    assert sent(server) == []
    assert refusal(foreign, base_url=server.url, conduct=key) == ""
    assert refusal(owing(foreign)) == ""
    assert sent(server) == [f"Bearer {SECRET}"] * 2


def test_the_usual_server_and_key_of_the_user_need_no_word(
    foreign: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    edit(foreign, lambda manifest: manifest["conduct"].update(key_name="MY_SECRET"))
    assert refusal(foreign).endswith("keeps: --api-key-env MY_SECRET")
    edit(foreign, lambda manifest: manifest["conduct"].update(key_name="OPENAI_API_KEY"))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert refusal(foreign) == ""
    assert sent(server) == [f"Bearer {SECRET}"]


def test_a_model_that_may_read_a_file_has_to_be_repeated(foreign: Path, tmp_path: Path) -> None:
    (task,) = rows(foreign, "tasks")
    answers = write_jsonl(tmp_path / "private.jsonl", [{"task_id": task["id"], "answer": "private"}])
    edit(foreign, lambda manifest: manifest["config"].update(model=f"replay:{answers}", base_url=None))
    before = contents(foreign)
    assert refusal(foreign).endswith(f"repeat what the run keeps: --model replay:{answers}")
    assert contents(foreign) == before
    assert refusal(foreign, model=f"replay:{answers}") == ""


@for_each("words", [["run", "--resume"], ["run", "--dry-run", "--resume"], ["score"]])
def test_a_setting_that_names_files_is_not_read(words: list[str], foreign: Path, golden: Golden) -> None:
    edit(foreign, lambda manifest: manifest["conduct"]["options"].update(world=str(TINY)))
    golden(herobench(*words, foreign))


# -- an own run -------------------------------------------------------------------------------------------------------


def test_an_own_run_resumes_wherever_it_lies_and_whatever_copy_it_is(server: Loopback, tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    path = own(server, tmp_path / "run", conduct={"key_name": "MY_SECRET", "cache": str(cache)})
    copy = Path(shutil.copytree(path, tmp_path / "elsewhere" / "copy"))
    for folder in (copy, path.rename(tmp_path / "moved")):
        cache.unlink()
        assert refusal(folder) == ""
    assert sent(server) == [f"Bearer {SECRET}"] * 2


@for_each(
    "change",
    [
        lambda manifest: manifest["conduct"].update(key_name="HOME"),
        lambda manifest: manifest["config"].update(base_url=manifest["config"]["base_url"] + "/other"),
        lambda manifest: manifest["conduct"].update(cache="/nowhere/cache.sqlite"),
        lambda manifest: manifest.update(id="01234567"),
    ],
)
def test_an_own_run_that_somebody_edited_is_not_known(
    change: Callable[[Manifest], None], server: Loopback, tmp_path: Path
) -> None:
    path = own(server, tmp_path / "run")
    edit(path, change)
    assert "Nothing here says that you began" in refusal(path)
    assert sent(server) == []


@for_each("state", ["file/no folder", "a/relative/path"])
def test_a_run_that_is_known_nowhere_begins_and_ends_all_the_same(
    state: str, server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / state) if "file" in state else state)
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert refusal(own(server, tmp_path / "run")).endswith(f"--base-url {server.url}")
    assert not Path("a").exists()


def test_records_lie_in_a_folder_of_the_user_alone(server: Loopback, tmp_path: Path) -> None:
    path = own(server, tmp_path / "run")
    records = tmp_path / "state" / "herobench" / "runs"
    assert oct(records.stat().st_mode)[-3:] == "700"
    (record,) = records.iterdir()
    assert record.read_bytes() == b""
    records.chmod(0o777)  # anybody could have put the record there
    assert "Nothing here says" in refusal(path)
    assert sent(server) == []


def test_a_player_leaves_no_record(tmp_path: Path) -> None:
    library.run("noop", tasks=TASKS, limit=1, output=tmp_path / "run")
    assert not (tmp_path / "state").exists()
    assert refusal(tmp_path / "run") == ""


def test_merged_shards_are_known_if_all_of_them_are(server: Loopback, tmp_path: Path) -> None:
    parts = [tmp_path / "1", tmp_path / "2"]
    for number, part in enumerate(parts, 1):
        library.run("m", base_url=server.url, tasks=TASKS, limit=2, shard=f"{number}/2", output=part)
    merge(parts, tmp_path / "own")
    assert refusal(owing(tmp_path / "own")) == ""
    assert len(rows(tmp_path / "own")) == 2
    edit(tmp_path / "2", lambda manifest: manifest.update(id="01234567"))
    merge(parts, tmp_path / "foreign")
    assert "Nothing here says" in refusal(owing(tmp_path / "foreign"))
