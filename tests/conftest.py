"""Fixtures for all tests: the two worlds, each loaded once; how many examples properties are tried on; the marks of
whole folders. No test is about time."""

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_world
from tests.authorities import set_aside
from tests.builders import tiny_world
from tests.golden import RENEWS, golden, renewed
from tests.kept_workers import keeping
from tests.proven import Recorder, plain_name, proven
from tests.sizes import CHANGE, PROOFS, THOROUGH
from tests.turns import TURN, drawn, rare_kind

__all__ = ["golden", "renewed"]

settings.register_profile("quick", deadline=None, max_examples=25, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("thorough" if THOROUGH else "quick")
if not THOROUGH:
    # Hypothesis also tries the constants of all modules that are loaded by then. So examples would depend on the tests
    # before, and in a new clone each process would parse the whole program, which takes 2 s.
    providers._get_local_constants = lambda: providers._local_constants

# No test asks a server with a certificate, and each client would load those of all authorities, which takes 20 ms. The
# environment may name them too, and a file goes before a folder.
set_aside()
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)

FOLDERS = {"conformance": pytest.mark.conformance, "real_server": pytest.mark.slow}
"""The folders under tests/ of which all tests have a mark."""


gc.disable()  # until all tests are collected, none of which is garbage


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Share the work of compiling all tests in a new clone: each process begins with other modules, and finds the rest
    compiled."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    root = Path(__file__).parent
    number = int(worker["workerid"].removeprefix("gw"))
    for file in sorted(root.rglob("test_*.py"))[number :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):  # whoever collects the module tells of it
            import_module(".".join(file.relative_to(root.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Let collections of garbage pass over the tests themselves, of which there are ten thousand, and come seldom:
    tests make many objects and keep few. The tests are made old, not left frozen: the program counts what is frozen at
    the end of each stretch without collections, which took a tenth of the time of all tests."""
    gc.enable()
    gc.freeze()
    gc.unfreeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_sessionfinish() -> None:
    """Look once for what was left open, since pytest looks five times. Some four million objects take 4 s, so only CI
    and `make test-all` go through them."""
    if CHANGE or THOROUGH:
        gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of some folders, and those that look at a page in a browser. Keep those whose turn it is,
    before the quick ones where those run too: some take long. Leave out what is proven already."""
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in FOLDERS:
            item.add_marker(FOLDERS[folder])
        if "driver" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    kept = items[:]
    if PROOFS:
        kept = [item for item in items if item.get_closest_marker("proves")]
    elif RENEWS:
        kept = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
    elif not THOROUGH:
        known = proven(items)
        kept = [item for item in items if plain_name(item.nodeid) not in known]
    if TURN is not None:
        kept = drawn(kept, TURN) + [item for item in kept if CHANGE and not rare_kind(item)]
    staying = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in staying])
    items[:] = kept


def pytest_configure(config: pytest.Config) -> None:
    """Record what is proven."""
    if PROOFS:
        config.pluginmanager.register(Recorder())


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


@pytest.fixture(scope="session")
def classic() -> World:
    return load_world("classic")


@pytest.fixture(scope="session")
def tiny() -> World:
    return tiny_world()
