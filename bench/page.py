"""A report on 34,000 samples, as one file and with files beside it: sizes, and what a browser takes to open it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.memory import resident
from herobench.analysis.report import ReportRun, write_report
from herobench.analysis.report.page_text import MOST_IN_A_PAGE, block_folder
from herobench.analysis.samples.sources import Source, read_sources
from tests.analysis.report.browser import CHROMIUM, DRIVER, chromium
from tests.program import PROGRAM

_SAMPLES = 34_000
_LONGEST = 120
_ROWS = "return document.querySelectorAll('table.rows tbody tr').length > 0 && document.readyState === 'complete'"
_SHOWN = "return !document.getElementById('sample').hidden"


def measure() -> dict[str, float]:
    """Seconds, megabytes on disk, and megabytes of the tab, for both forms; nothing where there is no browser."""
    if not (CHROMIUM.is_file() and DRIVER.is_file()):
        return {}
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        run = _run(Path(folder))
        for form, most in (("one file", sys.maxsize), ("files beside", MOST_IN_A_PAGE)):
            page = Path(folder) / f"{form.replace(' ', '_')}.html"
            start = time.perf_counter()
            (source,) = read_sources([run])
            write_report(page, [ReportRun(source.name, source.samples(), _panel_by(source))], most)
            found[f"{form}: seconds to make"] = time.perf_counter() - start
            found[f"{form}: MB of the page"] = page.stat().st_size / 1e6
            found[f"{form}: MB beside"] = sum(file.stat().st_size for file in block_folder(page).glob("*")) / 1e6
            found |= {f"{form}: {name}": value for name, value in _opened(page, source).items()}
    return found


def _panel_by(source: Source) -> Callable[[Any], Any]:
    return lambda reading: reading.panel(source.folder, source.manifest)


def _run(folder: Path) -> Path:
    """The run of a player on the base tasks, its samples again and again, each time as another epoch."""
    run = folder / "run"
    arguments = ["run", "--model", "greedy", "--dataset", "base", "-o", str(run)]
    subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)
    rows = [json.loads(line) for line in (run / "samples.jsonl").read_text("utf-8").splitlines()]
    with (run / "samples.jsonl").open("w", encoding="utf-8") as file:
        for number in range(_SAMPLES):
            file.write(json.dumps({**rows[number % len(rows)], "epoch": number // len(rows)}) + "\n")
    return run


def _opened(page: Path, source: Source) -> dict[str, float]:
    task = quote(next(source.samples())["task_id"], safe="~()*!.'")
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as driver:

        def wait(script: str) -> float:
            start = time.perf_counter()
            while not driver.execute_script(script):
                if time.perf_counter() - start > _LONGEST:
                    raise TimeoutError(script)
                time.sleep(0.01)
            return time.perf_counter() - start

        driver.get("about:blank")
        start = time.perf_counter()
        driver.execute_cdp_cmd("Page.navigate", {"url": page.as_uri()})
        wait(_ROWS)
        opened = time.perf_counter() - start
        memory = _megabytes(profile)
        driver.execute_script("location.hash = arguments[0]", f"#sample/{source.name}/{task}/100")
        return {"seconds to open": opened, "MB of the tab": memory, "seconds to a sample": wait(_SHOWN)}


def _megabytes(profile: str) -> float:
    """The memory of the largest renderer of the browser with a profile."""
    sizes = [0.0]
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it ended meanwhile
            command = (process / "cmdline").read_text("utf-8")
            if profile in command and "--type=renderer" in command:
                sizes.append(resident(process.name))
    return max(sizes)
