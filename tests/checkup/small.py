"""Checkups of a few tasks: `python -m tests.checkup.small checkup ...` is the program with three small parts."""

from __future__ import annotations

from dataclasses import replace

from herobench.checkup import parts
from herobench.checkup.parts import Drawn, Part, Shipped

_OF = {part.name: part for part in parts.PARTS}

QUESTIONS = replace(
    _OF["questions"], source=Shipped("acpbench-hard-v1", fresh=Drawn(({"task": "all", "domain": "ferry"},), 8))
)
EPOCHS = replace(_OF["epochs"], source=Drawn(({"length": "6-7", "decay": "on"},), 2))
TINY: tuple[Part, ...] = (QUESTIONS, EPOCHS)
"""Two parts that are asked in seconds."""
AUTUMN = replace(
    _OF["autumn"],
    source=Drawn(({"environment": "dials", "variants": "on"},), 3, thins=False),
    options={"observation": "compact", "steps": "6", "total": "40"},
)
SMALL: tuple[Part, ...] = (QUESTIONS, EPOCHS, AUTUMN)
STEPS = (("questions", 8), ("epochs", 2), ("autumn", 3))

if __name__ == "__main__":
    parts.PARTS, parts.STEPS = SMALL, STEPS
    from herobench.cli import main

    main()
