"""A draft: a question that is drawn and proven, before its texts and its number are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from herobench.rpg.events import Action
from herobench.suites.acp.hero.scene import Scene


@dataclass(frozen=True)
class Draft:
    """The scene of a question, its proven answer, and what its text needs."""

    scene: Scene
    answer: Any
    given: tuple[Action, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    """What is put into the words of the question."""
