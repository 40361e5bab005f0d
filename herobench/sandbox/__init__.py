"""The sandbox: the only place where plans that models wrote are run.

It has three layers, each built as if the one before had failed: the language (`language`, `guards`), the process
(`worker`, `confine`) and the replay in the parent (`replay`). docs/sandbox.md says what each holds, and what none does.
"""

from herobench.sandbox.limits import Limits
from herobench.sandbox.pool import Sandbox

__all__ = ["Limits", "Sandbox"]
