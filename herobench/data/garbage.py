"""Looks for unused cycles of objects less often while much is made that has none, such as rows.

A look goes through all parts of all objects that are new, and at times through all there are. For a page of a report
that takes a sixth of the time, for a run of short turns a fortieth.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def seldom_collected(objects: int) -> Iterator[None]:
    """Look for cycles only when this many objects were made and not freed; as before afterwards."""
    before = gc.get_threshold()
    gc.set_threshold(objects)
    try:
        yield
    finally:
        gc.set_threshold(*before)
