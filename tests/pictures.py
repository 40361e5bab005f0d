"""Take the pictures of the documentation: python -m tests.pictures

Runs players that need no key, writes the reports, and takes pictures of them in Chromium. The tests of a suite have
its own: python -m tests.suites.NAME.pictures
"""

from __future__ import annotations

import base64
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from herobench.checkup.page import page_text
from tests.analysis.report.browser import Page, address, chromium
from tests.checkup.simulated import index
from tests.program import herobench
from tests.reader import ROOT

WIDTH, PHONE = 1200, 400


class Album(NamedTuple):
    """Pictures of one report."""

    runs: dict[str, tuple[str, ...]]
    """What is run for it: the options of each run, by its name."""
    pictures: dict[str, tuple[str, int]]
    """By file name: the place in the report, and the height of the picture."""


BASE = Album(
    {
        "oracle": ("--model", "oracle", "--dataset", "base"),
        "greedy": ("--model", "greedy", "--dataset", "base"),
        "strongest": ("--model", "shortcut:strongest", "--dataset", "base"),
    },
    {"report": ("", 1080), "replay": (address("oracle", "9/2_Lich_kill", 64), 1300)},
)


def main() -> None:
    take(BASE)
    with TemporaryDirectory() as name, chromium(Path(name) / "profile") as driver:
        take_checkup(driver, Path(name))


def take_checkup(driver: Any, folder: Path) -> None:
    """Take pictures of the page of a checkup, of a simulated model: on a desktop, and on a phone at night."""
    path = folder / "checkup.html"
    path.write_text(page_text(index([98.0])), "utf-8")
    page = Page(driver, path).open()
    store("checkup", taken(driver, 1240))
    page.emulate(prefers_color_scheme="dark")
    page.open()
    store("checkup-phone", taken(driver, 1600, PHONE))


def take(album: Album) -> None:
    """Make the report of an album, and take its pictures."""
    with TemporaryDirectory() as name, chromium(Path(name) / "profile") as driver:
        folder = Path(name)
        for run, options in album.runs.items():
            herobench("run", *options, "-o", run, cwd=folder).check_returncode()
        herobench("analyze", *album.runs, "--format", "html", "-o", "report.html", cwd=folder).check_returncode()
        page = Page(driver, folder / "report.html")
        for picture, (fragment, height) in album.pictures.items():
            page.open(fragment)
            store(picture, taken(driver, height))


def store(picture: str, content: bytes) -> None:
    target = ROOT / "docs" / "images" / f"{picture}.png"
    target.write_bytes(content)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


def taken(driver: Any, height: int, width: int = WIDTH) -> bytes:
    """Return a picture of the upper part of the page."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    time.sleep(1)  # a replay moves to its step
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    return base64.b64decode(shot["data"])


if __name__ == "__main__":
    main()
