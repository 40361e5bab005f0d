"""Take the pictures of the documentation: python -m tests.pictures

Runs three players that need no key, writes the report, and takes pictures of it in Chromium.
"""

from __future__ import annotations

import base64
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.analysis.report.browser import Page, address, chromium
from tests.program import herobench
from tests.reader import ROOT

PLAYERS = {"oracle": "oracle", "greedy": "greedy", "strongest": "shortcut:strongest"}
PICTURES = {"report": ("", 1080), "replay": (address("oracle", "9/2_Lich_kill", 64), 1300)}
"""By file name: the place in the report, and the height of the picture."""
WIDTH = 1200


def main() -> None:
    with TemporaryDirectory() as name, chromium(Path(name) / "profile") as driver:
        folder = Path(name)
        for run, player in PLAYERS.items():
            herobench("run", "--model", player, "--dataset", "base", "-o", run, cwd=folder).check_returncode()
        herobench("analyze", *PLAYERS, "--format", "html", "-o", "report.html", cwd=folder).check_returncode()
        page = Page(driver, folder / "report.html")
        for picture, (fragment, height) in PICTURES.items():
            page.open(fragment)
            target = ROOT / "docs" / "images" / f"{picture}.png"
            target.write_bytes(taken(driver, height))
            print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


def taken(driver: Any, height: int) -> bytes:
    """Return a picture of the upper part of the page."""
    size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    time.sleep(1)  # a replay moves to its step
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    return base64.b64decode(shot["data"])


if __name__ == "__main__":
    main()
