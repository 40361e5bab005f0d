"""Distributions of other people, installed as far as Python can tell: metadata in a folder on the path."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent


def install(folder: Path, package: str, code: str, points: dict[str, dict[str, str]], module: str) -> None:
    """A distribution with one module and its entry points."""
    metadata = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8")
    lines = (
        f"[{group}]\n" + "".join(f"{n} = {value}\n" for n, value in made.items()) for group, made in points.items()
    )
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    (folder / f"{module}.py").write_text(dedent(code), "utf-8")
