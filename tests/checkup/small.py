"""A checkup of a few tasks for tests: `python -m tests.checkup.small checkup ...` is the program with these parts."""

from __future__ import annotations

from dataclasses import replace

from herobench.checkup import parts
from herobench.checkup.parts import Chosen, Drawn, Part, Shipped

_OF = {part.name: part for part in parts.PARTS}

SMALL: tuple[Part, ...] = (
    replace(_OF["horizon"], source=Chosen(("plan", "steps"), "factor=2")),
    replace(
        _OF["questions"], source=Shipped("acpbench-hard-v1", fresh=Drawn(({"task": "all", "domain": "ferry"},), 8))
    ),
    _OF["hero"],
    _OF["plans"],
    replace(_OF["epochs"], source=Drawn(({"length": "6-7", "decay": "on"},), 2)),
    replace(
        _OF["autumn"],
        source=Drawn(({"environment": "dials", "variants": "on"},), 3, thins=False),
        options={"observation": "compact", "steps": "6", "total": "40"},
    ),
)
STEPS = (
    ("horizon/plan", 8), ("questions", 8), ("hero", 16), ("plans", 2), ("epochs", 2), ("autumn", 3), ("horizon/steps", 8),
)  # fmt: skip

TINY = SMALL[1], SMALL[4]
"""Two parts that are asked in seconds."""

if __name__ == "__main__":
    parts.PARTS, parts.STEPS = SMALL, STEPS
    from herobench.cli import main

    main()
