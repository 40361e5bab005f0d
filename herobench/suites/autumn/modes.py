"""The modes of the suite: actions as text in tags, as published, or as calls of tools."""

from __future__ import annotations

from typing import Literal, get_args

Mode = Literal["actions", "tools"]
ACTIONS: Mode = "actions"
TOOLS: Mode = "tools"
MODES: tuple[Mode, ...] = get_args(Mode)
