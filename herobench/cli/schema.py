"""Print the JSON Schema of a format; without a name, list the formats."""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli.say import say, say_json
from herobench.data.errors import UsageError


def schema(
    name: Annotated[str | None, typer.Argument(help="A format, such as task, answer or scored.")] = None,
) -> None:
    """Print a schema."""
    from herobench.data.documents import load_schema, schema_names

    names = schema_names()
    if name is None:
        say(*names)
    elif name in names:
        say_json(load_schema(name))
    else:
        raise UsageError(f"There is no format {name!r}: give one of {', '.join(names)}.")
