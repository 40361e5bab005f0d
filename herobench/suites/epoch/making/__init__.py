"""Makes new levels whose shortest solutions are proven. `levels(Wanted(...), numbers)` yields their rows.

The same wish and number give the same level.
"""

from herobench.suites.epoch.making.generator import LevelQuery, level, levels

__all__ = ["LevelQuery", "level", "levels"]
