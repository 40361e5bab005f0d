"""Checkups of a few tasks: `python -m tests.checkup.small checkup ...` is the program with three small parts."""

from __future__ import annotations

from dataclasses import replace

from herobench.checkup import parts
from herobench.checkup.parts import Chosen, Drawn, Part, Shipped

_OF = {part.name: part for part in parts.PARTS}

HORIZON = replace(_OF["horizon"], source=Chosen(("plan",), "factor=2"))
QUESTIONS = replace(
    _OF["questions"], source=Shipped("acpbench-hard-v1", fresh=Drawn(({"task": "all", "domain": "ferry"},), 8))
)
EPOCHS = replace(_OF["epochs"], source=Drawn(({"length": "6-7", "decay": "on"},), 2))
TINY: tuple[Part, ...] = (QUESTIONS, EPOCHS)
"""Two parts that are asked in seconds."""
SMALL: tuple[Part, ...] = (HORIZON, QUESTIONS, EPOCHS)
STEPS = (("horizon/plan", 8), ("questions", 8), ("epochs", 2))

if __name__ == "__main__":
    parts.PARTS, parts.STEPS = SMALL, STEPS
    from herobench.cli import main

    main()
