"""A real browser without a window, and a page in it: what it shows, asks of the network, and complains of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.analysis.report.made import HOSTILE

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,1000",
)


def address(name: str, task_id: str, *step: int) -> str:
    """Where a sample, or a step of its replay, is found."""
    parts = [quote(text.replace("\ud800", "\ufffd"), safe="~()*!.'") for text in (name, task_id)]
    return "/".join(["#sample", *parts, "0", *map(str, step)])


def strange(number: int, *step: int) -> str:
    """A sample of the strange run."""
    return address(f"strange {HOSTILE}", f"9/{number}_Frost Drake_kill", *step)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Debian's Chromium with a profile of its own. Skips where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    for program in (CHROMIUM, DRIVER):
        if not program.is_file():
            pytest.skip(f"there is no {program}")
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))
    try:
        driver.set_script_timeout(30)
        yield driver
    finally:
        driver.quit()


Shown = Callable[..., "Page"]
"""Has a report on some runs in the browser."""


class Page:
    """A report in the browser."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        self.url = path.as_uri()

    def open(self, fragment: str = "") -> Page:
        """Load it anew, with a clean record of what it does."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(self.url + fragment)
        self.wait("return document.querySelector('h1') !== null")
        return self

    def open_sample(self, fragment: str) -> Page:
        """Load it where a sample is shown."""
        self.open(fragment)
        self.wait("return !document.getElementById('sample').hidden")
        return self

    def run(self, script: str, *args: Any) -> Any:
        """What a piece of JavaScript returns."""
        return self.driver.execute_script(script, *args)

    def wait(self, script: str, *args: Any) -> Any:
        """Wait until a piece of JavaScript returns something that is true."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.driver, 20, 0.02).until(lambda _: self.run(script, *args), script)

    def click(self, selector: str) -> None:
        """Click as a person does."""
        self.one(selector).click()

    def keys(self, *keys: str) -> None:
        """Type to whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver, duration=0).send_keys(key).perform()

    def one(self, selector: str) -> Any:
        """An element."""
        return self.driver.find_element("css selector", selector)

    def focus(self, selector: str) -> None:
        """Have the focus somewhere."""
        self.run("document.querySelector(arguments[0]).focus()", selector)

    def choose(self, selector: str, value: str) -> None:
        """Choose in a select."""
        from selenium.webdriver.support.select import Select

        Select(self.one(selector)).select_by_value(value)

    def text(self, selector: str) -> str:
        """What an element says."""
        return self.texts(selector)[0]

    def texts(self, selector: str) -> list[str]:
        """What elements say. Half a surrogate pair does not come through the driver: it is replaced."""
        script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent.toWellFormed())"
        return list(self.run(script, selector))

    def emulate(self, **features: str) -> None:
        """Have the browser prefer things: a colour scheme, less motion."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def size(self, width: int, height: int) -> None:
        """Have a screen of a size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def complaints(self) -> list[str]:
        """What stands in the console since it was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """What was asked for since it was opened."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        asked = (message["params"] for message in messages if message["method"] == "Network.requestWillBeSent")
        return [params["request"]["url"] for params in asked]
