"""The files of tests/golden belong to tests."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.golden import FOLDER, file_of, sections


def test_each_section_is_of_a_test() -> None:
    modules = {file_of(module): module for module in FOLDER.parent.rglob("test_*.py")}
    for file in FOLDER.iterdir():
        functions = {node.name for node in ast.walk(_tree(modules[file])) if isinstance(node, ast.FunctionDef)}
        tests = {name.partition("[")[0] for name in sections(file)}
        assert tests <= functions, f"make golden ARGS={modules[file]}"


def _tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text("utf-8"))
