"""From the name of a model to the model.

A name that begins with that of an entry point (`oracle`, `replay:FILE`) is made by it; any other is a model that is
served. `openai:NAME` is always served, for models that are called like one of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import cast

from herobench import plugins
from herobench.errors import UsageError
from herobench.models.endpoint import address, is_openai
from herobench.models.model import Model, Setting

SERVED = "openai"


def maker_of(name: str) -> tuple[str, str]:
    """Which entry point makes a model, and with which argument."""
    first, colon, rest = name.partition(":")
    known = plugins.names(plugins.MODELS)
    if first in known and (colon or first != SERVED):
        return first, rest
    return SERVED, name


def build_model(setting: Setting, players: Sequence[str] = ()) -> Model:
    """The model of a setting, by its name. Raises UsageError where it cannot be made."""
    maker, argument = maker_of(setting.name)
    near = get_close_matches(setting.name.partition(":")[0], [*players, *plugins.names(plugins.MODELS)], 1, cutoff=0.75)
    if near and maker == SERVED and argument == setting.name and is_openai(address(setting.endpoint.base_url)):
        raise UsageError(f"There is no {setting.name!r}: is {near[0]} meant? A served model is openai:{setting.name}.")
    build = cast("Callable[[Setting], Model]", plugins.load(plugins.MODELS, maker))
    return build(replace(setting, argument=argument))
