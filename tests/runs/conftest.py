from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.runs.made import TinySpecs


@pytest.fixture
def tiny_spec(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TinySpecs]:
    with closing(TinySpecs(tmp_path_factory.mktemp("tasks"))) as specs:
        yield specs
