"""The sandbox: plans that models wrote are run here, and nowhere else.

Three layers, each assuming that the one before has failed.

1. The language (`language`, compiled; `guards` and what it gathers, at run time) lets a plan compute with plain values
   and call actions. Everything is allowed by name, and whatever can grow or take long is counted on a budget.
2. The process (`worker`, `confine`; its parent's side is `workers` and `pool`) owns nothing: no privileges, no files,
   no network, little memory. It is killed at a deadline, and replaced after so many plans or when anything was odd.
3. The replay (`replay`) believes only the list of attempted actions: the parent applies them in a game of its own and
   takes outcome and events from there, so even a worker in a plan's hands wins nothing that its actions do not earn.

What is not covered:

- A plan that took over its worker could read the world and the rules, foresee by-rate drops from the seed, report other
  actions than it attempted (they would still have to win), and claim any output or ending but a better outcome.
- Which layers of the process hold depends on the system: Linux has all of them; macOS has neither system-call filter
  nor landlock, and no memory limit; `herobench doctor` tells. Everywhere the deadline and the replay hold.
- Timing: a plan has no clock, but whoever watches the machine can tell plans apart by how long they take.
- The limits on processor time and wall clock depend on the machine; all others are reached at the same step everywhere,
  apart from a memory limit that C code runs into within one operation. No plan is known that gets to the former: the
  dearest step takes about 10 microseconds of processor time (`tests/bench/dearest.py` searches for it), and compiling
  the largest source 1.7 seconds. A plan that was stopped by them, or whose process was killed, leaves no events: it
  never got to say what it attempted.
- Verdicts are the same on Python 3.11 to 3.14. What differs, and can only matter to a plan that looks at it: the words
  of Python's own error messages, and what the methods and `repr` of texts say of characters that are newer than
  Unicode 14. A plan that is nested hundreds deep is rejected on all, on some without a line. Each scored row says which
  Python ran its plan.
- A taken-over worker can make its parent hold some 500 MB for a second, with an answer of the size that is allowed to a
  plan of 10,000 actions, before the answer is refused.
- Differences from Python: a generator that takes from an iterator runs it to its end first, and set and dict
  comprehensions make their keys before the set or dict; functions, ranges, numbers beyond 2**61, `...` and what else
  has no plain value cannot be keys; `in` does not stand in chains of comparisons; `finally` does not stand in another;
  loops, `try` and comprehensions stand at most 15 deep in each other; numbers have at most 512 bits, and texts for
  `int` and `float` 200 characters; `sum` adds floats from left to right.
"""

from herobench.sandbox.limits import Limits
from herobench.sandbox.pool import Sandbox

__all__ = ["Limits", "Sandbox"]
