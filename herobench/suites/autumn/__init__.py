"""Autumn: a language for small grid worlds with hidden rules, and an interpreter for it.

    world = Program.from_text(source).start(seed=0)
    world.act("click 3 4")
    rows = world.grid

docs/autumn.md describes the language.
"""

from herobench.suites.autumn.autumn_error import AutumnError
from herobench.suites.autumn.limits import Limits
from herobench.suites.autumn.program import Program
from herobench.suites.autumn.world import World

__all__ = ["AutumnError", "Limits", "Program", "World"]
