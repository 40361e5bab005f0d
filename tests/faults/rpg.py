"""Faults in rules, game, combat, scoring, milestones and failures."""

from tests.faults.fault import Fault

_GAME = "herobench/suites/rpg/game/game.py"
_HERO = "herobench/suites/rpg/game/hero.py"
_RULES = "herobench/suites/rpg/game/rules.py"
_COMBAT = "herobench/suites/rpg/game/combat.py"
_SCORING = "herobench/suites/rpg/game/scoring.py"
_MILESTONES = "herobench/suites/rpg/game/milestones.py"
_FAILURE = "herobench/suites/rpg/game/scoring.py"

FAULTS = (
    Fault(
        "rules-window",
        _RULES,
        "own_level > action_level + 10",
        "own_level >= action_level + 10",
        "suites/rpg/game/test_rules.py",
    ),
    Fault(
        "plan-cut-thoughts",
        "herobench/suites/rpg/play/plan.py",
        "_marked_code(said[:unclosed])",
        "_marked_code(said)",
        "suites/rpg/play/test_plan.py",
    ),
    Fault("rules-level-cost", _RULES, "// 50 * 50 + 150", "// 50 * 50 + 100", "suites/rpg/game/test_rules.py"),
    Fault(
        "game-stay",
        _GAME,
        "if place == self.hero.place:",
        "if place == self.world.start:",
        "suites/rpg/game/test_game_moves.py",
    ),
    Fault("game-undecided", _GAME, "elif result.died:", "elif not result.won:", "suites/rpg/game/test_game_fights.py"),
    Fault(
        "game-any-workshop",
        _GAME,
        '(workshop is not None and self.rules.workshop == "any")',
        "workshop is not None",
        "suites/rpg/game/test_game_moves.py",
    ),
    Fault(
        "game-craft-xp",
        _GAME,
        "CRAFTING, quantity)",
        "CRAFTING, 1)",
        "suites/rpg/game/test_game_moves.py suites/rpg/game/test_hero.py",
    ),
    Fault(
        "game-wear-level",
        _GAME,
        "if item.level > self.hero.combat.level:",
        "if item.level > self.hero.combat.level + 1:",
        "suites/rpg/game/test_game_gear.py",
    ),
    Fault(
        "game-budget",
        _GAME,
        "        self._left -= 1\n",
        "        self._left -= event.ok\n",
        "suites/rpg/game/test_budget.py",
    ),
    Fault(
        "game-final",
        _GAME,
        "self.over = not result.won and",
        "self.over = result.died and",
        "suites/rpg/game/test_defeat.py",
    ),
    Fault("game-buy", _GAME, "if code not in self._sold:", "if code not in self.world.items:", "suites/rpg"),
    Fault(
        "game-drop-most",
        _GAME,
        "drop.most - drop.least + 1",
        "drop.most - drop.least",
        "suites/rpg/game/test_game_drops.py",
    ),
    Fault("game-old-duel", _GAME, "self._duels.clear()", "pass", "suites/rpg/game/test_game_fights.py suites/rpg"),
    Fault("hero-practice", _HERO, "gained += gain * stretch", "gained += gain", "suites/rpg/game/test_hero.py"),
    Fault("hero-health", _HERO, "self.hp += rules.hp_per_level", "self.hp += 0", "suites/rpg/game/test_hero.py"),
    Fault(
        "arguments-worn",
        "herobench/suites/rpg/game/arguments.py",
        "number > MOST_WORN",
        "number >= MOST_WORN",
        "suites/rpg/game/test_arguments.py",
    ),
    Fault("combat-rounds", _COMBAT, "range(1, rounds + 1)", "range(1, rounds)", "suites/rpg/game/test_combat.py"),
    Fault(
        "combat-weakness",
        _COMBAT,
        "- attack * (resistance * percent)",
        "- attack * (abs(resistance) * percent)",
        "suites/rpg/game/test_combat.py suites/rpg",
    ),
    Fault("combat-dead", _COMBAT, "if hero_hp <= 0:", "if hero_hp < 0:", "suites/rpg/game/test_combat.py suites/rpg"),
    Fault(
        "scoring-reward",
        _SCORING,
        "reward=earned if episode.counts or won else 0",
        "reward=earned",
        "suites/rpg/game/test_scoring.py",
    ),
    Fault("scoring-left", _SCORING, "self.left * self.reward", "100 * self.reward", "suites/rpg/game/test_defeat.py"),
    Fault(
        "scoring-forfeit",
        _SCORING,
        "rules.failed_craft_is_logged and any(",
        "any(",
        "suites/rpg/game/test_scoring.py suites/rpg/game/test_scoring_by_prose.py",
    ),
    Fault(
        "scoring-lacking",
        _SCORING,
        "*(code for code, _, _ in refusal.lacking)",
        "*()",
        "suites/rpg/game/test_scoring.py suites/rpg/game/test_scoring_by_prose.py",
    ),
    Fault(
        "milestones-starter",
        _MILESTONES,
        "world.everything_in(code) -",
        "world.recipe_tree(code) -",
        "suites/rpg/game/test_milestones.py suites/rpg",
    ),
    Fault("milestones-hunted", _MILESTONES, "hunted - {task.target}", "hunted", "suites/rpg/game/test_milestones.py"),
    Fault(
        "milestones-mention",
        _MILESTONES,
        'rules.equip_credit == "mention" and not task.campaign',
        "not task.campaign",
        "suites/rpg/game/test_milestones.py",
    ),
    Fault(
        "milestones-made",
        _MILESTONES,
        'kind == "equip_missing" and code in made',
        'kind == "equip_missing"',
        "suites/rpg/game/test_scoring.py",
    ),
    Fault(
        "failure-runs", _FAILURE, "event: event.action.name)", "event: event.action)", "suites/rpg/game/test_scoring.py"
    ),
    Fault(
        "failure-unprocessable",
        _FAILURE,
        "if not event.ok and event.refusal is not Refusal.UNPROCESSABLE",
        "if not event.ok",
        "suites/rpg/game/test_scoring.py",
    ),
    Fault(
        "failure-attempted",
        _FAILURE,
        "uncrafted <= attempted",
        "uncrafted & attempted",
        "suites/rpg/game/test_scoring.py",
    ),
)
