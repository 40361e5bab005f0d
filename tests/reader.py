"""Follow a page of documentation as a reader would: run its commands, write its files, compare what it shows.

Blocks of code, by their language:

- `console`: every line is a command. A `herobench` command runs as written; one that would ask a server gets
  `--dry-run`. `# exit code 2` states the exit code.
- `text`: what the commands above it print; a line of dots stands for any lines.
- `python`: runs as written; the blocks of a page share their names. `py`: a sketch, which only has to be Python.
- `lisp`: a program of a suite or PDDL, which is always a file for a command.
- `json` and `toml`: parsed. "Write `FILE`:" before a block of any of these makes a file of it;
  "Let `FILE` say:" replaces it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import tomllib
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.program import herobench, surroundings

ROOT = Path(__file__).parents[1]
PLAYERS = frozenset({"oracle", "greedy", "shortcut", "noop", "refuser", "replay", "sight", "careless"})
"""Models that need no server."""
OTHER_TOOLS = frozenset({"harbor", "inspect", "lm-eval", "vf-eval", "vf-validate"})

_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_ADD = re.compile(r"In `(?P<file>[^`]+)`, add to `(?P<key>\w+)`:")
_SAY = re.compile(r"Let `(?P<file>[^`]+)` say:")
_WRITE = re.compile(r".*\bWrite `(?P<file>[^`]+)`:")
_EXIT = re.compile(r"# exit code (\d)")


class Reader:
    """Someone who does what a page says, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shown: str | None = None
        """What the last commands printed; None when there was nothing to run."""
        self.commands: list[str] = []
        self.edits: list[str] = []
        self._names: dict[str, object] = {}
        self._variables: dict[str, str] = {}
        self._players = set(PLAYERS)

    def follow(self, page: str) -> None:
        """Do everything that a page says, in its order."""
        blocks = list(_BLOCK.finditer(page))
        assert len(blocks) * 2 == len(re.findall(r"^ *```", page, re.MULTILINE)), "a block without a line of its own"
        for block in blocks:
            self._do(*block.groups())

    def _do(self, before: str, kind: str, text: str) -> None:
        if _WRITE.fullmatch(before):
            self._write(before, text)
        if kind == "toml" and (say := _SAY.fullmatch(before)):
            (self.folder / say["file"]).write_text(text, "utf-8")
        if kind == "console":
            shown = [self.run(line) for line in text.splitlines()]
            self.shown = None if None in shown else "".join(filter(None, shown))
        elif kind == "text":
            assert self.shown is not None, f"nothing printed this:\n{text}"
            assert alike(self.shown, text), f"{self.shown}\n--- is not ---\n{text}"
        elif kind == "json":
            if not _WRITE.fullmatch(before):
                self._edit(before, text)
            json.loads(f"[{text}]")
        elif kind == "toml":
            tomllib.loads(text)
        elif kind == "bibtex":
            assert text.count("{") == text.count("}"), text
        elif kind == "py" or (kind == "python" and _WRITE.fullmatch(before)):
            ast.parse(text)
        elif kind == "python":
            with chdir(self.folder):
                exec(compile(text, "<page>", "exec"), self._names)
        else:
            assert kind == "lisp" and _WRITE.fullmatch(before), f"a block of {kind!r}"  # noqa: PT018

    def run(self, line: str) -> str | None:
        """Run a command, and return what it shows; None for one that is only looked at."""
        prompt, program, *args = shlex.split(line, comments=True)
        assert prompt == "$", line
        self.commands.append(line)
        if program == "herobench":
            return self._herobench(line, args)
        if program == "export":
            name, _, value = args[0].partition("=")
            self._variables[name] = value
        elif program == "make":
            subprocess.run(["make", "--dry-run", *args], cwd=ROOT, check=True, capture_output=True)
        elif program in OTHER_TOOLS or (program == "pip" and "herobench[" in args[-1]):
            pass  # tests of the surfaces run these in environments of their own
        elif program == "pip" and args[-1].startswith("./integrations/"):
            assert (ROOT / args[-1] / "pyproject.toml").is_file(), line
        elif program == "pip":
            assert args == ["install", "--editable", "."], line
            self._install()
        else:
            assert program == ".venv/bin/python", line
            assert find_spec(args[1]), line
            assert all((ROOT / arg).exists() for arg in args if "/" in arg), line
        return None

    def _herobench(self, line: str, args: list[str]) -> str | None:
        if self._asks_a_server(args) and "--dry-run" not in args:
            # a model on this machine would be fetched first: tests of the real server run it
            args = [*(re.sub("^local:.*", "some-model", arg) for arg in args), "--dry-run"]
        done = herobench(*args, cwd=self.folder, env={**surroundings(), **self._variables})
        expected = int(found[1]) if (found := _EXIT.search(line)) else 0
        assert done.returncode == expected, (line, done.stdout, done.stderr)
        return done.stdout

    def _asks_a_server(self, args: list[str]) -> bool:
        """Return whether a command is a run of a model that is no player of a suite and in no installed package."""
        if args[0] not in ("run", "checkup") or "--model" not in args or "--suite" in args:
            return False
        return args[args.index("--model") + 1].partition(":")[0] not in self._players

    def _install(self) -> None:
        """Make the entry points of the folder's pyproject.toml known to Python, as an installation would."""
        project: dict[str, Any] = tomllib.loads((self.folder / "pyproject.toml").read_text("utf-8"))["project"]
        metadata = self.folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        metadata.mkdir(exist_ok=True)
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (metadata / "METADATA").write_text(head, "utf-8")
        groups = project["entry-points"].items()
        points = [f"[{group}]\n" + "".join(f"{n} = {v}\n" for n, v in made.items()) for group, made in groups]
        (metadata / "entry_points.txt").write_text("\n".join(points), "utf-8")
        self._players.update(project["entry-points"].get("herobench.models", ()))
        self._variables["PYTHONPATH"] = os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")])

    def _write(self, before: str, text: str) -> None:
        told = _WRITE.fullmatch(before)
        assert told
        file = self.folder / told["file"]
        assert not file.exists(), f"{told['file']} is there already"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")

    def _edit(self, before: str, text: str) -> None:
        """Change a file as told, which has to be there."""
        add, say = _ADD.fullmatch(before), _SAY.fullmatch(before)
        told = add or say
        assert told, before
        file = self.folder / told["file"]
        document = json.loads(file.read_text("utf-8"))
        if add:
            document[add["key"]] += json.loads(f"[{text}]")
        else:
            assert document["$schema"] == json.loads(text)["$schema"]
        file.write_text(json.dumps(document) if add else text, "utf-8")
        self.edits.append(told["file"])


def alike(shown: str, told: str) -> bool:
    """Return whether a text is what was told, apart from blanks at the ends of lines and empty lines around it."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(f"{line}\n") for line in _plain(told))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _plain(shown))) is not None


def _plain(text: str) -> list[str]:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").split("\n")
