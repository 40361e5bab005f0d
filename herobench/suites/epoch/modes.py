"""The modes of the suite: a game with feedback after each call, or one plan without any."""

from __future__ import annotations

from typing import Literal, get_args

Mode = Literal["tools", "plan"]
TOOLS: Mode = "tools"
PLAN: Mode = "plan"
MODES: tuple[Mode, ...] = get_args(Mode)
