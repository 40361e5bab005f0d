"""Items are read, stored, deleted and augmented as in Python."""

from __future__ import annotations

from typing import Any

import pytest

from herobench.sandbox.budget import Budget
from herobench.sandbox.items import Items
from herobench.sandbox.operators import Operators
from herobench.sandbox.tables import Tables
from herobench.sandbox.text import Text
from herobench.sandbox.values import Scale
from tests.sandbox.plans import HUGE


def items() -> Items:
    scale = Scale(Budget(HUGE))
    tables = Tables(scale)
    return Items(scale, tables, Operators(scale, tables, Text(scale)))


def test_an_item_is_read_before_and_written_after_the_right_side() -> None:
    holder: dict[str, Any] = {"a": 1}
    assign = items().augment(holder, "a", "+")
    holder["a"] = 100
    assign(2)
    assert holder == {"a": 3}
    with pytest.raises(KeyError):
        items().augment(holder, "b", "+")
