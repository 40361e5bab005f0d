"""Fixtures for all tests: the two worlds, each loaded once. No test is about time."""

import pytest
from hypothesis import settings

from herobench.rpg.content import load_world
from herobench.rpg.world import World
from tests.builders import tiny_world

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def classic() -> World:
    return load_world("classic")


@pytest.fixture(scope="session")
def tiny() -> World:
    return tiny_world()
