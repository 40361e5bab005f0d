"""The suite autumn: worlds with hidden rules, and the language in which they are written.

world = Program.from_text(source).start(seed=0)
world.act("click 3 4")
rows = world.grid
"""

from herobench.suites.autumn.language.errors import AutumnError, Limits
from herobench.suites.autumn.language.program import Program
from herobench.suites.autumn.language.world import World

__all__ = ["AutumnError", "Limits", "Program", "World"]
