"""Epochs: interactive planning in a world of three epochs, where early deeds change what is there later.

from herobench.suites.epoch import load_level

game = load_level("L01").start()
game.turn({"call": {"name": "take", "arguments": {"who": "hester", "what": "lantern", "here": "mill-past"}}})
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from herobench.suites.epoch.game.game import EpochGame
    from herobench.suites.epoch.game.level import Level, load_level
else:
    from herobench.data.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {
            "herobench.suites.epoch.game.game": ("EpochGame",),
            "herobench.suites.epoch.game.level": (
                "Level",
                "load_level",
            ),
        },
    )

__all__ = ["EpochGame", "Level", "load_level"]
