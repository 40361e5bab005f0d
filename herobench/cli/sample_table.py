"""Reads the table of samples that a command analyzes: in one process, in several, or on a cluster."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from herobench.analysis.sources import Source

_MUCH = 50_000_000
"""Bytes of samples that one process takes some seconds to read."""


def sample_table(sources: Sequence[Source], jobs: int | None, on: str | None) -> pd.DataFrame:
    """Return the table of all samples. `on` is a cluster as `--on` names it; None for this machine."""
    from herobench.analysis.frame import frame, frame_from

    if on is None:
        return frame(sources, jobs or _jobs(sources))
    from herobench.cluster.analysis import facts_on
    from herobench.cluster.on_ray import ray_engine

    with ray_engine(on, jobs) as engine:
        return frame_from(facts_on(engine, sources))


def _jobs(sources: Sequence[Source]) -> int:
    """Return the number of processes: all cores for large files, one for small ones."""
    size = sum(source.file.stat().st_size for source in sources if source.file.exists())
    return (os.cpu_count() or 1) if size > _MUCH else 1
