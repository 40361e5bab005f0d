"""The toy suite `treasure`, which lies in tests/toy as an installed package would: commands with it on their path."""

from __future__ import annotations

from pathlib import Path

from tests.program import Done, herobench, surroundings

TOY = Path(__file__).parent / "toy"
TREASURES = ("ruby", "pearl", "opal", "amber")


def toy(*args: str | Path, cwd: Path | None = None) -> Done:
    """Run the program with the package on its path."""
    return herobench(*args, cwd=cwd, env=environment())


def environment() -> dict[str, str]:
    return {**surroundings(), "PYTHONPATH": str(TOY), "OPENAI_API_KEY": "none"}
