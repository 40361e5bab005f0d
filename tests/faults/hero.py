"""Faults in the questions about the hero's world: reading answers, judging them, and the closures that prove them."""

from tests.faults.fault import Fault

_CLOSURE = "herobench/suites/acp/hero/closure.py"
_JUDGE = "herobench/suites/acp/hero/judge.py"
_PROVE = "task_gen/acp/hero/proof.py"
_PROOF = "suites/acp/test_proof.py"
_NEAR = "task_gen/acp/hero/test_hero_truth.py suites/acp/hero/test_hero_judge.py suites/acp/hero/test_hero_suite.py"

FAULTS = (
    Fault("hero-skill", _CLOSURE, "self._skill(item.recipe.skill) >= item.recipe.level", "True", _NEAR),
    Fault("hero-strict", _CLOSURE, "self.had if self.generous else self.endless", "self.had", _NEAR),
    Fault("hero-level", _CLOSURE, "item.level <= self.scene.task.hero.combat[0]", "True", _NEAR),
    Fault("hero-none", _JUDGE, 'return "false_none" if question.answer else None', "return None", _NEAR),
    Fault("hero-length", _JUDGE, 'value["length"] == question.answer["length"]', "value", _NEAR),
    Fault("hero-last", "herobench/suites/acp/hero/response.py", "marks[-1].end()", "marks[0].end()", _NEAR),
    Fault(
        "hero-digest",
        "herobench/suites/acp/hero/question.py",
        "if _sealed(row)[_DIGEST] != row[_DIGEST]:",
        "if _DIGEST not in row:",
        _NEAR,
    ),
    Fault("hero-text", _PROVE, "faults = [] if told == right else", "faults = [] if told else", _PROOF),
    Fault("hero-spare", _PROVE, "and is_clean(scene, kept) else", "else", _PROOF),
    Fault(
        "acp-label",
        "task_gen/acp/proof.py",
        "_set_free(proven.label) == _set_free(question.answer)",
        "bool(proven.label)",
        _PROOF,
    ),
    Fault(
        "hero-frozen",
        "herobench/suites/rpg/game/rules.py",
        'if self.experience == "none":',
        "if not self.xp:",
        "suites/rpg/game/test_rules.py",
    ),
)
