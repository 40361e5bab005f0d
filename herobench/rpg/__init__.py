"""The RPG suite: its world, its rules, its game, and how an episode of it is scored."""

TYPE_CHECKING = False  # true for type checkers, which know the modules

if not TYPE_CHECKING:
    from herobench.lazy import lazy_names as _lazy_names

    __getattr__, __dir__ = _lazy_names(__name__, {})
