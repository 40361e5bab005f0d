"""Runs OpenEnv's own validation of a package with its server as a process here, where there may be no containers.

python openenv_graders.py PACKAGE
"""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from openenv.validation.runner import run_validation
from openenv.validation.types import ProviderCapability

PORT = 8_917


class Running:
    base_url = f"http://127.0.0.1:{PORT}"

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-m", "uvicorn", "server.app:app", "--port", str(PORT), "--log-level", "warning"]
        self.process = subprocess.Popen(command, cwd=root)
        while self.process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.base_url}/health", timeout=1).close()
                return
            except (urllib.error.URLError, TimeoutError):
                time.sleep(0.2)

    def inspect(self) -> dict[str, str]:
        return {}

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


class Here:
    name = "here"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"no-network"})

    def build(self, root: Path, _: object) -> str:
        self.root = root
        return "sha256:" + "0" * 64

    def start(self, _: object) -> Running:
        return Running(self.root)


report = run_validation(Path(sys.argv[1]), provider=Here())
statuses = {result.check_id: [result.status.value, result.evidence] for result in report.results}
print(json.dumps({"verdict": report.verdict.value, "checks": statuses}))
