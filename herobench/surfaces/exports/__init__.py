"""Tasks and runs as files in the forms of other tools. Nothing here needs a package of theirs.

The folder `files` has templates: a folder for each tool, whose files are named as the tool wants them, and `.txt`.
"""

from collections.abc import Mapping
from pathlib import Path

from herobench.data.files import write_text


def write_filled(folder: Path, tool: str, words: Mapping[str, object]) -> None:
    """Write the files of a tool into a folder, with words in their places."""
    templates = Path(__file__).parent / "files" / tool
    for template in templates.rglob("*.txt"):
        path = folder / template.relative_to(templates).with_suffix("")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, template.read_text("utf-8").format(**words))
