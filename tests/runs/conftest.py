from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.runs.made import TinyOrders


@pytest.fixture
def tiny_order(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TinyOrders]:
    with closing(TinyOrders(tmp_path_factory.mktemp("tasks"))) as orders:
        yield orders
