"""The sandbox: the only place where plans that models wrote are run.

It has three layers, each built as if the one before had failed: the language (`language`, `guards`), the process
(`worker`, `confine`) and the replay in the parent (`wire`). docs/sandbox.md says what each holds, and what none does.

The names are imported when they are first used, since a worker imports this package and needs neither.
"""

TYPE_CHECKING = False  # true for type checkers; the one of `typing` takes longer than this module

if TYPE_CHECKING:
    from herobench.suites.rpg.sandbox.bounds import Limits
    from herobench.suites.rpg.sandbox.pool import Sandbox
else:
    from herobench.data.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(
        __name__,
        {"herobench.suites.rpg.sandbox.bounds": ("Limits",), "herobench.suites.rpg.sandbox.pool": ("Sandbox",)},
    )

__all__ = ["Limits", "Sandbox"]
