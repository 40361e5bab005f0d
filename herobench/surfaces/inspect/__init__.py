"""Inspect AI runs every suite: `inspect eval herobench/rpg -T difficulty=1-3 --model ...`.

Inspect finds the tasks by the entry point `herobench` of the group `inspect_ai`. It must have the name of the import
package, or Inspect does not list them.
"""

from herobench.surfaces.inspect.tasks import TASKS, average, oracle, play, verdict

__all__ = ["TASKS", "average", "oracle", "play", "verdict"]
