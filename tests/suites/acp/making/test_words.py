"""The words of the 13 domains: all that a domain has is told, and told in full."""

import json
from importlib import resources
from random import Random

from herobench.data.documents import schema_problems
from herobench.pddl.parser import parse_domain, read_task
from herobench.suites.acp.making.makers import MAKERS
from herobench.suites.acp.making.words import DomainWords, Voice, checked_words
from herobench.suites.acp.questions.questions import published
from tests.suites.acp.making.small import small


def test_the_words_tell_all_predicates_and_actions() -> None:
    files = resources.files("herobench.suites.acp").joinpath("prompts", "domains")
    assert {file.name.removesuffix(".json") for file in files.iterdir()} == set(MAKERS)
    for name in MAKERS:
        text = next(question.pddl_domain for question in published().values() if question.domain == name)
        document, domain = json.loads(files.joinpath(f"{name}.json").read_text("utf-8")), parse_domain(text)
        checked_words(document, domain, name)
        assert domain.predicates.keys() <= document["predicates"].keys()
        assert domain.actions.keys() == document["actions"].keys()
        assert len(document["domain"]) > 1


def test_facts_that_differ_in_one_object_are_told_together() -> None:
    question = next(small("ferry", "land", 1))
    domain = parse_domain(question.pddl_domain)
    words = {"predicates": {"on": {"one": ["car {c} sails"]}}, "actions": {"sail": ["go from {from} to {to}"]}}
    voice = Voice(DomainWords(domain, words), Random(0))
    assert "(sail ?from ?to) - go from ?from to ?to" in voice._actions()
    assert "(on ?c) - car ?c sails" in voice._propositions()
    assert "(at ?c ?l) - 'at' holds for c ?c and l ?l" in voice._propositions()
    together = {**words, "predicates": {"at": {"one": ["{c}: {l}"], "many": ["{c} in {l}"], "over": "c"}}}
    situation = read_task(
        question.pddl_domain,
        "(define (problem p) (:domain ferry) (:objects a b c d - car x y - location)"
        "(:init (at a x) (at b x) (at c x) (at d y)) (:goal (on a)))",
    )
    facts = Voice(DomainWords(domain, together), Random(1))._facts(situation.problem.initial)
    assert len(facts) == 2
    assert "d: y" in facts
    assert sorted(next(fact for fact in facts if fact != "d: y").replace(",", "").split()) == sorted(
        "a b and c in x".split()
    )


def test_wordings_of_several_facts_say_where_the_facts_differ() -> None:
    for lacking in ({"many": ["lamps {l}"]}, {"over": "l"}):
        row = {"predicates": {"lit": {"one": ["lamp {l}"], **lacking}}}
        problem, *_ = schema_problems(row, "acp-words", "nl.json")
        assert problem.path.startswith("$.predicates.lit")
