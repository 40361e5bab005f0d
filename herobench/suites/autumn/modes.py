"""The modes of the suite: actions as text in tags, as published, as calls of tools, or by a person at a page."""

from __future__ import annotations

from typing import Literal, get_args

Mode = Literal["actions", "tools", "page"]
ACTIONS: Mode = "actions"
TOOLS: Mode = "tools"
PAGE: Mode = "page"
MODES: tuple[Mode, ...] = get_args(Mode)
