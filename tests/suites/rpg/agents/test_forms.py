"""The forms of sub-agents are such that strict servers take them."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from herobench.conversation import Form
from herobench.suites.rpg.agents import a1, a2, forms

FORMS = [form for form in vars(forms).values() if isinstance(form, Form)]


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that it is made of."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from parts(inner)


@pytest.mark.parametrize("agent", [a1, a2], ids=["a1", "a2"])
def test_the_identity_of_a_team_covers_its_forms(agent: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    made = agent.A1 if agent is a1 else agent.A2
    names = [name for name, value in vars(agent).items() if isinstance(value, Form)]
    assert {"SUBTASKS", "JUDGEMENT"} < set(names)
    for name in names:
        with monkeypatch.context() as changed:
            changed.setattr(agent, name, Form("other", {}))
            other = made().identity
        assert other != made().identity, name


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_each_part_of_a_form_has_a_type_and_each_object_all_of_its_properties(form: Form) -> None:
    for part in parts(dict(form.schema)):
        assert "type" in part, part
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
