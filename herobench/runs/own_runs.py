"""Knows which runs this user began, so that the folder of somebody else sends nothing and opens nothing.

run.json keeps the server, the name of the variable with the key, the cache and the model. Whoever sends a folder may
have written all of them: a resumed run would then send any variable of the environment to any server. So each session
leaves a record outside of the run's folder, in the user's own state folder. The record is an empty file, named by the
digest of the run's id and of what the run reaches. Nothing within a run's folder can make one. A run that its owner
moves or copies stays known, and one whose run.json was edited does not.

A kept value without a record is used only if a new run would use the same one, or if the user repeats it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.data.errors import HeroBenchError, UsageError
from herobench.data.rows import dump_row
from herobench.models.endpoint import KEY_NAME, SERVED, address, parse_model_name
from herobench.models.secrets import public_url
from herobench.suite.checked import settings_of_files

if TYPE_CHECKING:
    from herobench.runs.options import RunRequest
    from herobench.runs.spec import RunSpec

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
    found = folder.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
