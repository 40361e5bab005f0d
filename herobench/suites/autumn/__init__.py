"""The suite autumn: worlds with hidden rules, and the language in which they are written.

world = Program.from_text(source).start(seed=0)
world.act("click 3 4")
rows = world.grid
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from herobench.suites.autumn.language.errors import AutumnError, Limits
    from herobench.suites.autumn.language.program import Program
    from herobench.suites.autumn.language.world import AutumnWorld
else:
    from herobench.data.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {
            "herobench.suites.autumn.language.errors": (
                "AutumnError",
                "Limits",
            ),
            "herobench.suites.autumn.language.program": ("Program",),
            "herobench.suites.autumn.language.world": ("AutumnWorld",),
        },
    )

__all__ = ["AutumnError", "Limits", "Program", "AutumnWorld"]
