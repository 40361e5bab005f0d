"""Import the public names and the modules of a package when they are first used.

A package that many processes import, most of them for little, calls this in its `__init__`. Type checkers must
not see the call: they would take every attribute for one that exists.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

Names = Mapping[str, tuple[str, ...]]
"""Modules, each with the names that the package has from it."""


def lazy_names(package: str, modules: Names) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package. They find its modules too."""
    space = vars(sys.modules[package])
    homes = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> object:
        if name in homes:
            space[name] = getattr(import_module(homes[name]), name)  # the next use does not come here
            return space[name]
        # `import herobench` is enough to use its modules and rooms, such as herobench.suites.rpg.sandbox
        module = f"{package}.{name}"
        if not name.startswith("__"):
            try:
                return import_module(module)
            except ModuleNotFoundError as error:
                if error.name != module:  # the module is there, and lacks another
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*space, *homes} - {"TYPE_CHECKING"})

    return get, names
