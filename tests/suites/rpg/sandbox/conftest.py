from collections.abc import Iterator

import pytest

from herobench.scorer.scorer import close_shared
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.worker_handle import WorkerHandle
from tests.builders import craft_task
from tests.kept_workers import keeping


@pytest.fixture(scope="module", autouse=True)
def own_workers() -> Iterator[None]:
    """These tests are about workers: each sandbox starts and ends its own, and no earlier test has left one."""
    close_shared()
    with keeping(WorkerHandle):
        yield


@pytest.fixture(scope="module")
def task(tiny: World) -> Task:
    return craft_task(tiny, "brick")
