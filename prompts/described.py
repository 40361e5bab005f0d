"""Descriptions of the things that a part of a plan involves, from what the task tells.

Agents give them to sub-agents that work on one part and need not read all that is told. A thing brings along what goes
into it, where that comes from, and where all of it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from herobench.prompts.records import Record
from herobench.prompts.templates import fill

_NOTHING = Record()
Records = Mapping[str, list[Record]]
"""The told records by section, as `records.section_records` returns them."""


def describe(told: Records, codes: Iterable[str]) -> str:
    """Return the told records of some things and of all that they lead to, in the sections of the prompt."""
    return _sections(_chosen(told, _involved(told, codes)))


def describe_only(told: Records, codes: Iterable[str]) -> str:
    """Return the told records of some things alone."""
    return _sections(_chosen(told, set(codes)))


def describe_section(told: Records, *headings: str) -> str:
    """Return all told records of some sections, such as `places`."""
    return _sections({heading: told[heading] for heading in headings})


def _chosen(told: Mapping[str, Iterable[Record]], wanted: set[str]) -> Mapping[str, Iterable[Record]]:
    return {heading: [record for record in records if wanted & _names(record)] for heading, records in told.items()}


def _sections(records: Mapping[str, Iterable[Record]]) -> str:
    lines = {heading: [record.line for record in some] for heading, some in records.items()}
    return "\n\n".join("\n".join([fill(heading), "", *some]) for heading, some in lines.items() if some)


def _names(record: Record) -> set[str]:
    """Return the codes that a record is found by: its own, or for a place that of what stands there."""
    return {record["content"]["code"]} if "content" in record else {record["code"]} if "code" in record else set()


def _involved(told: Mapping[str, Iterable[Record]], codes: Iterable[str]) -> set[str]:
    """Return codes with all that they lead to: ingredients, sources, and what drops them."""
    items = {record["code"]: record for heading in ("recipes", "materials", "stats") for record in told[heading]}
    found: set[str] = set()
    ahead = list(codes)
    while ahead:
        code = ahead.pop()
        if code not in found:
            found.add(code)
            ahead += _leads(items.get(code, _NOTHING))
            ahead += [who["code"] for who in told["monsters"] if _drops(who, code)]
    return found


def _drops(monster: Record, code: str) -> bool:
    return any(drop["code"] == code for drop in monster.get("drops", ()))


def _leads(item: Record) -> Iterator[str]:
    """Yield what an item leads to: its workshop and ingredients, the nodes and the exchange that give it."""
    if craft := item.get("craft"):
        yield craft["skill"]
        yield from (part["code"] for part in craft["items"])
    yield from (node["code"] for node in item.get("gathered_from", ()))
    if seller := item.get("for_sale_at"):
        yield seller
