"""Fixtures for all tests: the two worlds, each loaded once; how many examples properties are tried on; the marks of
whole folders. No test is about time."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules, load_world
from tests.analysis.report.browser import chromium
from tests.authorities import set_aside
from tests.builders import SHARED, tiny_world
from tests.golden import RENEWS, golden, renewed
from tests.kept_workers import keeping
from tests.program import modules_on
from tests.sizes import CHANGE, THOROUGH
from tests.toys import TOY
from tests.turns import TURN, drawn, rare_kind

__all__ = ["golden", "renewed"]

settings.register_profile("quick", deadline=None, max_examples=15, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("thorough" if THOROUGH else "quick")

# No test asks a server with a certificate, and each client would load those of all authorities, which takes 20 ms. The
# environment may name them too, and a file goes before a folder.
set_aside()
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

FOLDERS = {"conformance": pytest.mark.conformance, "real_server": pytest.mark.slow}
"""The folders under tests/ of which all tests have a mark."""


# Collections of garbage come seldom, also while tests are loaded: none of that is garbage.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_finish() -> None:
    """Let collections of garbage pass over the tests themselves, of which there are thousands. The tests are made old,
    not left frozen: the program counts what is frozen."""
    gc.freeze()
    gc.unfreeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect garbage once, so that a file that nobody closed is an error, and let no later collection look again: at
    its end pytest collects five times."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of some folders, and those that look at a page in a browser. Keep those whose turn it is,
    before the quick ones where those run too: some take long. Tests against the published benchmark are skipped, saying
    so, where that does not lie beside the project."""
    absent = pytest.mark.skip(reason=f"the published benchmark is not at {SHARED}")
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in FOLDERS:
            item.add_marker(FOLDERS[folder])
        if not SHARED.is_dir() and item.get_closest_marker("conformance"):
            item.add_marker(absent, append=False)
        if "driver" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    if RENEWS:
        items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
    if TURN is not None:
        kept = drawn(items, TURN) + [item for item in items if CHANGE and not rare_kind(item)]
        staying = set(kept)
        config.hook.pytest_deselected(items=[item for item in items if item not in staying])
        items[:] = kept


@pytest.fixture(scope="session", autouse=True)
def kept_workers() -> Iterator[None]:
    """Sandboxes of this process share their workers, one after another."""
    with keeping():
        yield


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep what the program stores for its user in a folder of this test process. No test asks the user's server."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        os.environ.pop(name, None)


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy suite is installed, in this process and in those that it starts."""
    monkeypatch.setenv("PYTHONPATH", str(TOY))
    with modules_on(str(TOY)):
        yield


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all tests of pages."""
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="session")
def classic() -> World:
    return load_world("classic")


@pytest.fixture(scope="session")
def tiny() -> World:
    return tiny_world()


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    """A sandbox for plans in the tiny world by the standard rules."""
    with Sandbox(tiny, load_rules()) as opened:
        yield opened
