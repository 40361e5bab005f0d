"""What all levels share, from world_data/epoch: the domain and the causal rules."""

from __future__ import annotations

import hashlib
import json
from functools import cache

from herobench.documents import shipped
from herobench.pddl import Domain, parse_domain
from herobench.suites.epoch.causal_rules import CausalRule, with_rules

DATASET = "epochs-v1"


@cache
def causal_rules() -> tuple[CausalRule, ...]:
    """Return the causal rules."""
    return tuple(map(CausalRule.of, json.loads(shipped_text("rules.json"))["rules"]))


@cache
def domain() -> Domain:
    """Return the domain, with the causal rules among its actions."""
    return with_rules(parse_domain(shipped_text("domain.pddl")), causal_rules())


def shipped_text(name: str) -> str:
    """Return a file of world_data/epoch."""
    return shipped().joinpath("epoch", *name.split("/")).read_text(encoding="utf-8")


def digest() -> str:
    """Return the digest of what all levels share."""
    return hashlib.sha256("\0".join(map(shipped_text, ("domain.pddl", "rules.json"))).encode()).hexdigest()
