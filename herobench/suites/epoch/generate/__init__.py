"""Makes new levels whose shortest solutions are proven. `levels(Wanted(...), numbers)` yields their rows.

The same wish and number give the same level.
"""

from herobench.suites.epoch.generate.drawing import level, levels
from herobench.suites.epoch.generate.wanted import Wanted

__all__ = ["Wanted", "level", "levels"]
