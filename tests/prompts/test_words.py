"""The templates of a folder: how facts are put into them."""

from __future__ import annotations

from string import Template

import pytest

from herobench.prompts.words import Words


def words(**parts: str) -> Words:
    made = Words("herobench.prompts", "none")
    made.__dict__["templates"] = {name: Template(text) for name, text in parts.items()}
    return made


def test_a_part_is_filled_as_the_template_says() -> None:
    text = 'Cost: $$$price, {"cells": ${cells}s} and {braces} of $who.\n'
    facts = {"price": 2.5, "cells": [1, "{x}"], "who": "$who"}
    assert words(part=text).fill("part", **facts) == Template(text).substitute(facts)
    assert words(part="{nothing} to $$fill").fill("part") == "{nothing} to $fill"


def test_a_fact_that_is_not_told_is_an_error() -> None:
    with pytest.raises(KeyError, match="who"):
        words(part="$who goes").fill("part", what=1)


def test_a_sign_before_no_name_is_an_error() -> None:
    with pytest.raises(ValueError, match="a lone"):
        words(part="It costs 5 $.").fill("part", price=1)
