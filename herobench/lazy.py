"""Import the public names of a package when they are first used.

A package that many processes import, and of which most need little, calls this in its `__init__`. Type checkers must
not see the call: they would take every attribute for one that exists.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

Names = Mapping[str, tuple[str, ...]]
"""Modules, each with the names that the package has from it."""


def lazy_names(package: str, modules: Names) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package."""
    space = vars(sys.modules[package])
    homes = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> object:
        if name in homes:
            space[name] = getattr(import_module(homes[name]), name)  # the next use does not come here
            return space[name]
        # `import herobench` is enough to use herobench.errors or herobench.rpg.content
        inside = [module for module in modules if f"{module}.".startswith(f"{package}.{name}.")]
        for module in inside:
            import_module(module)
        if inside:
            return space[name]
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*space, *homes} - {"TYPE_CHECKING"})

    return get, names
