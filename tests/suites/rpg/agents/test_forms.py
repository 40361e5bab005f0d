"""The forms of sub-agents are such that strict servers take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from herobench.conversation import Form
from herobench.suites.rpg.agents import paper

FORMS = {name: form for name, form in vars(paper).items() if isinstance(form, Form)}
ASKED_BY_A1 = {"SUBTASKS", "JUDGEMENT", "ACTIONS"}


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema and all that it is made of."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from parts(inner)


@pytest.mark.parametrize(
    ("agent", "forms"), [(paper.A1, ASKED_BY_A1), (paper.A2, FORMS.keys() - {"ACTIONS"})], ids=["a1", "a2"]
)
def test_the_identity_of_a_team_covers_its_forms(
    agent: type[paper.A1 | paper.A2], forms: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = agent().identity
    for name in forms:
        with monkeypatch.context() as changed:
            changed.setattr(paper, name, Form("other", {}))
            assert agent().identity != before, name


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_part_of_a_form_has_a_type_and_each_object_all_of_its_properties(form: Form) -> None:
    for part in parts(dict(form.schema)):
        assert "type" in part, part
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False
