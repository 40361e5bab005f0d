"""Show what this machine offers: versions, and which layers of the sandbox hold here."""

from __future__ import annotations

from typing import Annotated

import typer

from herobench.cli.say import say, say_json


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look at the machine."""
    import os
    import platform
    from importlib.metadata import version

    from herobench.sandbox import Sandbox
    from herobench.sandbox.confine import LAYERS
    from herobench.suites.rpg.worlds.content import load_rules, load_world

    world = load_world()
    with Sandbox(world, load_rules()) as sandbox:
        held = sandbox.layers
    facts = {
        "herobench": version("herobench"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count(),
        "world": f"{world.code} {world.digest}",
    }
    if as_json:
        say_json({**facts, "layers": {layer: layer in held for layer in LAYERS}})
        return
    for name, value in facts.items():
        say(f"{name:18} {value}")
    say("", "The sandbox: a worker process ...")
    for layer, meaning in LAYERS.items():
        say(f"  {'yes' if layer in held else 'NO ':4} {layer:18} {meaning}")
    if len(held) < len(LAYERS):
        say("", "Layers that are missing here leave the others in place: the language, the deadline, the replay.")
