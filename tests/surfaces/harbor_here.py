"""An environment of harbor without containers, for tests alone: folders in place of the root of each container.

Paths such as /app in commands and scripts are rewritten to the folder. Both environments share one Python.
"""

import asyncio
import os
import re
import shutil
from pathlib import Path
from typing import Any, override

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

_PATHS = re.compile(r"(?<![\w./-])/(app|logs|tests|solution)\b")


class HereEnvironment(BaseEnvironment):
    @staticmethod
    @override
    def type() -> str:
        return "here"

    @property
    @override
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    @property
    def root(self) -> Path:
        return Path(self.trial_paths.trial_dir).resolve() / "roots" / self.session_id.replace("/", "_")

    @override
    def _validate_definition(self) -> None:
        assert (self.environment_dir / "Dockerfile").is_file()

    def here(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    @override
    async def start(self, force_build: bool) -> None:
        for name in ("app", "logs/verifier", "logs/agent", "logs/artifacts", "tests", "solution"):
            self.here(name).mkdir(parents=True, exist_ok=True)
        if "COPY . /tests" in (self.environment_dir / "Dockerfile").read_text():
            shutil.copytree(self.environment_dir, self.here("tests"), dirs_exist_ok=True)

    @override
    async def stop(self, delete: bool) -> None:
        pass

    @override
    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self.here(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, self.here(target_path))

    @override
    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, self.here(target_dir), dirs_exist_ok=True)

    @override
    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.here(source_path), target_path)

    @override
    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(self.here(source_dir), target_dir, dirs_exist_ok=True)

    @override
    async def exec(
        self, command: str, cwd: str | None = None, env: dict[str, str] | None = None, **_: Any
    ) -> ExecResult:
        command = _PATHS.sub(lambda found: str(self.here(found[0])), command)
        for script in re.findall(r"[\w./-]+/(?:solve|test)\.sh", command):
            text = Path(script).read_text()
            Path(script).write_text(_PATHS.sub(lambda found: str(self.here(found[0])), text))
        environment = {**os.environ, **(env or {})}
        process = await asyncio.create_subprocess_shell(
            command,
            cwd=self.here(cwd or "/app"),
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _err = await process.communicate()
        return ExecResult(stdout=out.decode(), return_code=process.returncode or 0)
