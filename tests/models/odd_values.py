"""Values as servers may send them: any JSON, and JSON that looks like the protocol with something odd in any place."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
"""Any value."""


def odd(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what is usual, else anything."""
    return usual | usual | usual | JSON


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects that may have these fields, each of which may be odd, as may be the object."""
    return odd(st.fixed_dictionaries({}, optional={name: odd(value) for name, value in fields.items()}))


def lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return odd(st.lists(odd(inner), max_size=3))
