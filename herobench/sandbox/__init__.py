"""The sandbox: the only place where plans that models wrote are run.

It has three layers of defence. Each layer is built as if the one before it had failed.

1. The language. `language` compiles a plan, and `guards` collects the functions that the compiled plan calls. A plan
   can compute with plain values and call actions. Everything it can use is on a list of allowed names. Every operation
   that can grow or take long is charged to a budget. A task may allow even less: see `straight`.
2. The process. `worker` and `confine` run in the child; `worker_handle` and `pool` run in the parent. The child has no
   privileges, no files, no network and little memory. It is killed at a deadline. It is replaced after 1,000 plans, and
   after any plan that went wrong in an unusual way.
3. The replay. `replay` trusts only the list of attempted actions. The parent applies them in its own game and takes the
   outcome and the events from that game. So even a plan that controls its worker earns only what its actions earn.

Not covered:

- A plan that took over its worker could read the world and the rules, and predict by-rate drops from the seed. It could
  report other actions than it attempted (they would still have to win), and any output or ending. It could not report a
  better outcome.
- Which layers of the process hold depends on the system. Linux has all of them. macOS has no system-call filter, no
  landlock and no memory limit. `herobench doctor` shows which ones hold. The deadline and the replay hold everywhere.
- Timing. A plan has no clock, but an observer of the machine can tell plans apart by how long they take.
- The limits on processor time and wall-clock time depend on the machine. All other limits are reached at the same step
  on every machine, except a memory limit that C code reaches within one operation. No known plan reaches the time
  limits: the most expensive step takes about 10 microseconds of processor time (`tests/bench/dearest.py` searches for
  it), and compiling the largest source takes 1.7 seconds. A plan that is stopped by a time limit, or whose process is
  killed, leaves no events, because it never reported what it attempted.
- Verdicts are the same on Python 3.11 to 3.14. Two things differ, and matter only to a plan that looks at them: the
  wording of Python's own error messages, and what string methods and `repr` say about characters newer than Unicode 14.
  A plan that is nested hundreds of levels deep is rejected by all versions, by some without a line number. Each scored
  row names the Python version that ran its plan.
- A worker that was taken over can make its parent hold about 500 MB for a second: that is the largest answer that a
  plan of 10,000 actions may give, and it is read before it is refused.
- Differences from Python. A generator that reads from an iterator first runs that iterator to its end. Set and dict
  comprehensions make all keys before they make the set or dict. Functions, ranges, numbers beyond 2**61, `...` and
  other values that are not plain cannot be keys. `in` cannot be part of a chain of comparisons. A `finally` clause
  cannot contain another. Loops, `try` and comprehensions can be nested at most 15 deep. Numbers have at most 512 bits,
  and texts for `int` and `float` at most 200 characters. `sum` adds floats from left to right.
"""

from herobench.sandbox.limits import Limits
from herobench.sandbox.pool import Sandbox

__all__ = ["Limits", "Sandbox"]
