"""Build a model by its name.

The name of an entry point, alone or before a colon (`replay:FILE`), makes that model; any other name is a served model.
`openai:NAME` is always served, for models that share a name with a player or an entry point. A run calls this after it
has asked the suite for a player of that name: this module knows the suite's players only as spellings to suggest.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from difflib import get_close_matches
from typing import cast

from herobench.conversation import Model
from herobench.data.errors import UsageError
from herobench.models.endpoint import address, is_openai
from herobench.models.model import ModelSpec
from herobench.suite import plugins

SERVED = "openai"


def maker_of(name: str) -> tuple[str, str]:
    """Return the entry point that makes a model, and its argument: `replay:a.jsonl` gives `replay` and `a.jsonl`."""
    first, colon, rest = name.partition(":")
    known = plugins.names(plugins.MODELS)
    if first in known and (colon or first != SERVED):
        return first, rest
    return SERVED, name


def build_model(setting: ModelSpec, players: Collection[str] = ()) -> Model:
    """Build the model that the setting names; `players` are the suite's own. Raises UsageError where it cannot."""
    maker, argument = maker_of(setting.name)
    if maker == SERVED and argument == setting.name:
        _refuse_misspelled(setting, players)
    made = plugins.build(plugins.MODELS, maker, replace(setting, argument=argument), calls=["reply", "close"])
    return cast("Model", made)


def _refuse_misspelled(setting: ModelSpec, players: Collection[str]) -> None:
    """Refuse a name that is nearly one of ours."""
    # Only for OpenAI itself: there `orcale` would cost a request and a puzzling 404. On a server of their own, people
    # name models as they like.
    if not is_openai(address(setting.endpoint.base_url)):
        return
    known = [*players, *plugins.names(plugins.MODELS)]
    if near := get_close_matches(setting.name.partition(":")[0], known, 1, cutoff=0.75):
        raise UsageError(
            f"There is no model {setting.name!r}: is {near[0]} meant? "
            f"To ask the server for a model of this name, write openai:{setting.name}."
        )
