"""A run's folder. Sessions, scoring and reports read and write it through this module only.

    run.json        the configuration, the versions and commands of each session, the totals
    tasks.jsonl     the chosen tasks, so that the run stands by itself
    world.json      and such: the suite's own files, for the same reason; run.json names them
    calls.jsonl     every call of the model, written before its reply is used; append-only
    samples.jsonl   one row for each task and epoch, with its replies and its verdict
    lock            held by the process that works on the run

run.json is written last: a folder without it is not a run yet. The operating system frees the lock when its holder
dies. If calls.jsonl and samples.jsonl are large, they are compressed when the run is complete, to calls.jsonl.gz and
samples.jsonl.gz, and unpacked again before anything is added. At each moment one of the two is whole.

run.json keeps the server, the name of the variable with the key, the cache and the model. Whoever sends a folder may
have written all of them: a resumed run would then send any variable of the environment to any server. So each session
leaves a record outside of the run's folder, in the user's own state folder. The record is an empty file, named by the
digest of the run's id and of what the run reaches. Nothing within a run's folder can make one. A run that its owner
moves or copies stays known, and one whose run.json was edited does not. A kept value without a record is used only if a
new run would use the same one, or if the user repeats it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shlex
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.data.documents import read_document, read_text, schema_problems
from herobench.data.errors import HeroBenchError, InputError, Problem, StoreError, SuiteError, UsageError
from herobench.data.files import (
    compressed,
    open_lines,
    open_regular,
    packed_name,
    replacing,
    stored_path,
    unreadable,
)
from herobench.data.rows import SeenAttempts, dump_row
from herobench.models.endpoint import KEY_NAME, SERVED, address, parse_model_name
from herobench.models.secrets import public_url
from herobench.runs.journal import journal_lines, read_journal, refuse_wrong_call, refuse_wrong_sample
from herobench.runs.refusals import RunFault
from herobench.suite.checked import settings_of_files

if TYPE_CHECKING:
    from herobench.runs.options import RunRequest
    from herobench.runs.spec import RunSpec


Key = tuple[str, int]
"""A task and an epoch."""

_LARGE = 8 << 20
"""The bytes from which a file is compressed. Smaller ones stay as they are, for whoever looks into them."""
_PIECE = 1 << 20
"""The bytes that are unpacked at a time: a line has no limit here."""
_JOURNALS = ("calls.jsonl", "samples.jsonl")
_OURS = frozenset({"run.json", "tasks.jsonl", "lock", *_JOURNALS, *(f"{name}.gz" for name in _JOURNALS)})
"""Names that no file of a suite may have."""

_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_PART = re.compile(r"\.part\d+$")
"""The end of the name of a file that was not written to its end."""


def open_run(path: Path) -> RunFolder:
    """Return the folder of a run that has begun. Raise UsageError when there is none."""
    folder = RunFolder(path)
    if not folder.begun:
        raise UsageError(RunFault.NO_RUN, path=path)
    return folder


class RunFolder:
    """The folder of a run. Used in a `with` statement, it is locked for this process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    @property
    def manifest(self) -> Path:
        """The path of run.json."""
        return self.path / "run.json"

    @property
    def tasks(self) -> Path:
        """The path of the chosen tasks."""
        return self.path / "tasks.jsonl"

    @property
    def calls(self) -> Path:
        """The path of the model's calls, which may be compressed."""
        return stored_path(self.path / "calls.jsonl")

    @property
    def samples(self) -> Path:
        """The path of the samples, which may be compressed."""
        return stored_path(self.path / "samples.jsonl")

    @property
    def begun(self) -> bool:
        """True when there is a run in the folder."""
        return self.manifest.is_file()

    def create(
        self,
        manifest: Mapping[str, Any],
        tasks: Iterable[Mapping[str, Any]],
        files: Mapping[str, str],
        samples: Iterable[Mapping[str, Any]] = (),
        calls: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """Begin a run, with what was asked of it elsewhere. Raise UsageError when the folder holds anything else."""
        self.refuse_strangers(files)
        self._put(self.tasks, map(dump_row, tasks))
        for name, text in files.items():
            self._put(self.path / name, [text])
        if samples or calls:
            self._put(self.samples, map(dump_row, samples))
            self._put(self.calls, map(dump_row, calls))
        self.write_manifest(manifest)

    def replace_tasks(self, tasks: Iterable[Mapping[str, Any]], files: Mapping[str, str]) -> None:
        """Replace the chosen tasks, and the suite's own files."""
        _refuse_names(files)
        for name, text in files.items():
            self._put(self.path / name, [text])
        self._put(self.tasks, map(dump_row, tasks))

    def read_files(self, manifest: Mapping[str, Any]) -> dict[str, str]:
        """Return the suite's own files by name. Raise InputError when one cannot be read."""
        _refuse_names(manifest["files"])  # run.json may come from somebody else
        return {name: _text(self.path / name) for name in manifest["files"]}

    def read_manifest(self) -> dict[str, Any]:
        """Return run.json. Raise InputError when it is not one that this version reads."""
        document, problems = read_document(self.manifest, str(self.manifest))
        if isinstance(document, dict) and "lanes" in document:  # as runs called it at first
            document["help"] = document.pop("lanes")
        # the older format first: its schema problems would be many, and none would say what to do
        problems = problems or _foreign(document, self.manifest) or schema_problems(document, "run", str(self.manifest))
        if problems:
            raise InputError(problems)
        return dict(document)

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Replace run.json."""
        self._put(self.manifest, [dump_row(manifest, indent=2)])

    def read_samples(self) -> Iterator[dict[str, Any]]:
        """Yield the samples, one for each task and epoch that has one. Raise InputError at a wrong one."""
        suite = self.read_manifest()["config"]["suite"] if self.begun else None
        attempts = SeenAttempts()

        def refuse(row: Mapping[str, Any], place: str) -> None:
            refuse_wrong_sample(row, place, suite)
            attempts.add(row, place)

        return read_journal(self.samples, refuse)

    def read_calls(self) -> Iterator[dict[str, Any]]:
        """Yield the calls of the model. Raise InputError at a wrong one."""
        return read_journal(self.calls, refuse_wrong_call)

    def read_tasks(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of the chosen tasks, which only the suite can check."""
        return read_journal(self.tasks)

    def sample_lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield the lines of the samples with their places, for whoever checks and parses them in other processes."""
        return journal_lines(self.samples)

    def replace_samples(self, lines: Iterable[str]) -> None:
        """Replace all samples. They are compressed if they were before."""
        plain, before = self.path / "samples.jsonl", self.samples
        self._put(plain, lines)
        if before != plain:  # it may be removed now: the lines were read from it
            before.unlink()
            self.pack()

    def pack(self) -> None:
        """Compress the large files of calls and samples. They stay as they are if the disk has no room for that."""
        for name in _JOURNALS:
            plain = self.path / name
            if plain.is_file() and plain.stat().st_size >= _LARGE:
                with suppress(OSError):
                    self._pack(plain, packed_name(plain))

    def _pack(self, plain: Path, packed: Path) -> None:
        for left in self.path.glob(f"{packed.name}.part*"):  # of a process that was killed meanwhile: we hold the lock
            left.unlink()
        with open_regular(plain) as file:
            self._put(packed, blocks=compressed(file))
        try:
            with open_lines(packed) as file:
                while file.read(_PIECE):
                    pass
        except InputError:  # it is as small as hostile files, which are refused
            packed.unlink()
        else:
            plain.unlink()

    def unpack(self) -> None:
        """Unpack what is compressed, so that something can be added to it."""
        for name in _JOURNALS:
            plain = self.path / name
            packed = packed_name(plain)
            if not packed.exists():
                continue
            if not plain.exists():
                with open_lines(packed) as file:
                    self._put(plain, blocks=iter(partial(file.read, _PIECE), b""))
            packed.unlink()

    def measured(self, look: Callable[[Mapping[str, Any]], None] | None = None) -> dict[Key, bool]:
        """Return the attempts that are done, each with whether it was won. `look` gets the sample of each."""
        done = {}
        for row in self.read_samples():
            if row["status"] == "ok":
                done[row["task_id"], row["epoch"]] = row["won"]
                if look is not None:
                    look(row)
        return done

    def drop_unmeasured(self) -> None:
        """Remove the samples that were not measured, so that they are tried again."""
        # read twice rather than kept: a run may have more samples than memory
        if any(row["status"] != "ok" for row in self.read_samples()):
            self.replace_samples(dump_row(row) for row in self.read_samples() if row["status"] == "ok")

    def _put(self, path: Path, lines: Iterable[str] = (), blocks: Iterable[bytes] = ()) -> None:
        """Write a whole file and put it in place in one step, so that a kill leaves the old or the new one."""
        with replacing(path, durable=True) as file:
            file.writelines(lines)
            for block in blocks:
                file.buffer.write(block)
        # the new name lasts only once the folder is on the disk too
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def refuse_strangers(self, files: Collection[str]) -> None:
        """Raise UsageError when a folder without a run holds anything but what a killed start leaves.

        `files` are the names of the suite's own files. Raise SuiteError when one is not a name for a file here.
        """
        _refuse_names(files)
        if self.begun or not self.path.is_dir():
            return
        own = {"tasks.jsonl", "run.json", "lock", *files}
        names = (entry.name for entry in self.path.iterdir())
        strangers = sorted(name for name in names if own.isdisjoint({name, _PART.sub("", name)}))
        if strangers:
            raise UsageError(RunFault.NOT_EMPTY, path=self.path, names=", ".join(strangers[:3]))

    def __enter__(self) -> RunFolder:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            # not through a link, which could lead out of the folder that the user named
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise StoreError(self.path, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise UsageError(RunFault.IN_USE, path=self.path) from error
        self._lock = lock
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _foreign(document: Any, path: Path) -> list[Problem]:
    """Refuse an imported run, and the format of earlier versions, whose samples have other columns."""
    older = isinstance(document, dict) and document.get("schema") == 1
    if isinstance(document, dict) and "imported" in document:
        expected = "a run of this program; it was imported from a log of another tool, without tasks and replies"
        advice = "analyze, compare, leaderboard, plot, report and export matrix read it"
        return [Problem(str(path), "", expected, advice=advice)]
    advice = "read it with the version of herobench that wrote it, or run it again"
    return [Problem(str(path), "$.schema", "2, the format of this version", 1, advice)] if older else []


def _refuse_names(names: Iterable[str]) -> None:
    """Raise SuiteError when a suite's file would replace one of ours, or would lie outside the folder."""
    for name in names:
        if name in _OURS or not _PLAIN.fullmatch(name):
            raise SuiteError(f"The suite has a file {name!r}, which is not a name for a file in a run's folder.")


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error
    except UnicodeDecodeError as error:
        raise InputError([Problem(str(path), f"byte {error.start}", "UTF-8 text")]) from error


# -- who began a run --------------------------------------------------------------------------------------------------


Manifest = Mapping[str, Any]


def remember(manifest: Manifest) -> None:
    """Leave a record that this user runs what a run.json says. Do nothing without a writable home."""
    folder = _records()
    if folder is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_own(folder):
            (folder / _digest(manifest)).touch(mode=0o600)


def is_known(manifest: Manifest) -> bool:
    """Return whether this user ran what a run.json says."""
    folder = _records()
    try:
        return folder is not None and _is_own(folder) and (folder / _digest(manifest)).is_file()
    except (OSError, HeroBenchError):  # shards are merged without the suite too
        return False


def refuse_foreign_files(run: Path, manifest: Manifest, said: Mapping[str, str]) -> None:
    """Raise UsageError if an unknown run keeps settings of its suite that name files. `said` is what the user gave."""
    files = settings_of_files(manifest["config"]["suite"], manifest["conduct"]["options"])
    unsaid = {name: text for name, text in files.items() if name not in said}
    if unsaid and not is_known(manifest):
        named = " and ".join(unsaid.values())
        raise _refusal(run, [f"read {named}"], [("--set", f"{name}={text}") for name, text in unsaid.items()])


def foreign_reach(run: Path, manifest: Manifest, request: RunRequest, spec: RunSpec) -> UsageError | None:
    """Return why an unknown run is not resumed: it would send or open what neither the user nor a default names.

    None if it may be resumed.
    """
    if spec.is_player or spec.person is not None or is_known(manifest):
        return None
    said = request.get("conduct") or {}
    conduct, model, url = spec.conduct, spec.config.model, spec.config.base_url
    served = parse_model_name(model)[0] == SERVED
    acts, options = [], []
    if request.get("model") is None and not served:
        acts.append(f"ask the model {model}, which may read a file or a server")
        options.append(("--model", model))
    is_kept = request.get("base_url") is None and url is not None
    if is_kept and not (served and url == public_url(address(None))):
        options.append(("--base-url", url or ""))
    if "key_name" not in said and conduct.key_name not in (None, KEY_NAME):
        options.append(("--api-key-env", conduct.key_name or ""))
    if {"--base-url", "--api-key-env"} & dict(options).keys():
        acts.append(f"send its prompts and the key in {conduct.key_name or KEY_NAME} to {url or 'the server'}")
    if "cache" not in said and conduct.cache is not None:
        acts.append(f"read and write the cache {conduct.cache}")
        options.append(("--cache", conduct.cache))
    return _refusal(run, acts, options) if options else None


def _refusal(run: Path, acts: list[str], options: list[tuple[str, str]]) -> UsageError:
    repeated = " ".join(shlex.quote(word) for option in options for word in option)
    return UsageError(
        f"Nothing here says that you began {run}, and to go on it would {', and '.join(acts)}: nothing was sent or "
        f"opened. If you want that, repeat what the run keeps: {repeated}"
    )


def _digest(manifest: Manifest) -> str:
    config, conduct = manifest["config"], manifest["conduct"]
    files = settings_of_files(config["suite"], conduct["options"])
    reach = [config["suite"], config["model"], config["base_url"], conduct["key_name"], conduct["cache"], files]
    return hashlib.sha256(dump_row({"id": manifest["id"], "reach": reach}).encode()).hexdigest()


def _records() -> Path | None:
    """Return the folder of the records; None for a user without a home."""
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    with suppress(RuntimeError):
        # a relative path could lie within a run's folder
        state = state if state.is_absolute() else Path("~/.local/state").expanduser()
    return state / "herobench" / "runs" if state.is_absolute() else None


def _is_own(folder: Path) -> bool:
    """Return whether nobody else can write into a folder: a home may lie in a folder that all users share."""
    status = folder.stat()
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
