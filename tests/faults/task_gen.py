"""Faults in the generator, the gear search, the oracle and the audit."""

from tests.faults.fault import Fault

_GENERATOR = "task_gen/generator.py"
_SEARCH = "task_gen/gear/search.py"
_CANDIDATES = "task_gen/gear/candidates.py"
_BOUND = "task_gen/oracle/lower_bound.py"
_GATHERING = "task_gen/oracle/gathering.py"
_JOURNEY = "task_gen/audit/journey.py"

FAULTS = (
    Fault(
        "hiding-survivors",
        "task_gen/campaigns/hiding.py",
        "if not survivors and max(luck) <= MOST_LUCK:",
        "if max(luck) <= 1:",
        "task_gen/test_hidden_campaigns.py",
    ),
    Fault(
        "bag-milestones",
        "herobench/rpg/milestones.py",
        "missing -= {*task.hero.inventory, *task.hero.worn.values()}",
        "pass",
        "task_gen/test_hidden_campaigns.py",
    ),
    Fault(
        "campaign-repeats",
        "task_gen/campaigns/draw.py",
        "for end in ends if 2 * end >= last - 1)",
        "for end in ends if 2 * end > last)",
        "task_gen/test_hidden_campaigns.py",
    ),
    Fault(
        "search-without",
        "task_gen/gear/search.py",
        "for choice in slot.choices if choice.item not in codes)",
        "for choice in slot.choices)",
        "task_gen/test_hidden_campaigns.py",
    ),
    Fault(
        "reach-levels",
        "task_gen/unsolvable/reach.py",
        "if overfull or gain >= next_level(level + 1):",
        "if overfull:",
        "task_gen/unsolvable/test_reach.py",
    ),
    Fault(
        "reach-food",
        "task_gen/unsolvable/strength.py",
        "max(0, item.eaten.restore)",
        "0",
        "task_gen/unsolvable/test_reach.py",
    ),
    Fault(
        "proof-drops",
        "task_gen/unsolvable/proof.py",
        "yield from self._leads_to(monster.code, (drop.item for drop in monster.drops))",
        "pass",
        "task_gen/unsolvable/test_reach.py",
    ),
    Fault(
        "proof-skills",
        "task_gen/unsolvable/proof.py",
        "self.lessons[node.skill].append((node.level, GATHERING))",
        "pass",
        "task_gen/unsolvable/test_reach.py",
    ),
    Fault(
        "closing-alike",
        "task_gen/unsolvable/closing.py",
        "return is_same and abs(_level(world, one) - _level(world, other)) <= _NEAR",
        "return True",
        "task_gen/unsolvable/test_closing.py",
    ),
    Fault(
        "closing-swapped",
        "task_gen/unsolvable/closing.py",
        "_places(world, [foreign, *common]), reach)",
        "_places(world, common), reach)",
        "task_gen/unsolvable/test_closing.py",
    ),
    Fault(
        "audit-closed-places",
        "task_gen/audit/told.py",
        "if place not in task.mechanics.closed",
        "if place",
        "task_gen/audit/test_told.py",
    ),
    Fault(
        "generator-share",
        _GENERATOR,
        "rng.random() < spec.craft_share",
        "rng.random() > spec.craft_share",
        "task_gen/test_generator.py",
    ),
    Fault(
        "generator-leveling",
        _GENERATOR,
        "if leveling and not needs_leveling(self.world, task):",
        "if not spec:",
        "task_gen/test_leveling.py task_gen/test_generator.py task_gen",
    ),
    Fault(
        "difficulty-bracket",
        "task_gen/difficulty.py",
        "(difficulty - LEAST) // STEPS",
        "difficulty // STEPS",
        "task_gen/test_difficulty.py task_gen/test_generator.py task_gen/test_datasets.py cli/test_tasks.py",
    ),
    Fault(
        "gear-minimal",
        _SEARCH,
        "any(self.beats(self._with(part)) for part in self._parts(chosen))",
        "not chosen and False",
        "task_gen/gear/test_search.py",
    ),
    Fault(
        "gear-harm",
        _SEARCH,
        "adds.hp < 0 or min(adds.attack) < 0 or min(adds.damage) < 0",
        "adds.hp < 0",
        "task_gen/gear/test_search.py",
    ),
    Fault(
        "gear-taken-off",
        _SEARCH,
        "subtract(item.worn, taken_off) if taken_off else item.worn",
        "item.worn",
        "task_gen/gear/test_search.py",
    ),
    Fault("gear-target-drop", _CANDIDATES, "monster is target or ", "", "task_gen/gear/test_candidates.py"),
    Fault("gear-margin", "task_gen/gear/prospects.py", "enough - _MARGIN", "enough + 1e5 * _MARGIN", "task_gen/gear"),
    Fault(
        "a-star-first",
        "task_gen/oracle/a_star.py",
        "if then not in cheapest or reached < cheapest[then]:",
        "if then not in cheapest:",
        "task_gen/oracle/test_a_star.py",
    ),
    Fault(
        "bound-wins",
        _BOUND,
        "-(-work.hunted[leaf] // most)",
        "work.hunted[leaf] // most",
        "task_gen/oracle/test_lower_bound.py",
    ),
    Fault(
        "planner-quick",
        "task_gen/oracle/planner.py",
        "return found if found is not None and length(found) < length(quick) else quick",
        "return quick",
        "task_gen/oracle/test_planner.py task_gen/oracle",
    ),
    Fault(
        "gathering-swings",
        _GATHERING,
        "-(-wanted[drop.item] // drop.least)",
        "wanted[drop.item] // drop.least",
        "task_gen/oracle/test_gathering.py",
    ),
    Fault(
        "gathering-nodes",
        _GATHERING,
        "sizes = range(len(choices) + 1)",
        "sizes = range(len(choices), len(choices) + 1)",
        "task_gen/oracle/test_gathering.py",
    ),
    Fault(
        "audit-track",
        "task_gen/audit/table.py",
        "[name for name in self._families if group.track in FAMILIES[name].tracks]",
        "list(self._families)",
        "task_gen/audit/test_audit.py",
    ),
    Fault(
        "budget-plan",
        "task_gen/budget.py",
        "return max(math.ceil(Fraction(str(factor)) * certificate.lower_bound), certificate.actions)",
        "return math.ceil(factor * certificate.lower_bound)",
        "task_gen/test_budget.py",
    ),
    Fault(
        "audit-budget",
        _JOURNEY,
        "if len(self.game.events) > before else None",
        "if self.game.events else None",
        "task_gen/audit/test_journey.py",
    ),
    Fault("audit-final", _JOURNEY, "if not self.game.over:", "if True:", "task_gen/audit/test_journey.py"),
    Fault("audit-start-gear", _JOURNEY, "**self.told.task.hero.worn, ", "", "task_gen/audit/test_journey.py"),
    Fault(
        "audit-invented",
        "task_gen/audit/told.py",
        "(made and code in self.world.items)",
        "made",
        "task_gen/audit/test_told.py",
    ),
)
