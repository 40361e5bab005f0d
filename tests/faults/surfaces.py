"""Faults in prompts, models and commands."""

from tests.faults.fault import Fault

_RENDER = "prompts/rpg/render.py"
_TOLD = "prompts/rpg/records.py"
_PATIENCE = "herobench/models/retry.py"
_STREAMED = "herobench/models/responses_api.py"
_CHAT = "herobench/models/chat_api.py"
_MAIN = "herobench/cli/main.py"
_OPTIONS = "herobench/cli/options.py"

FAULTS = (
    Fault("prompt-forfeit", _RENDER, " and rules.failed_craft_is_logged:", ":", "prompts"),
    Fault("prompt-noise", _RENDER, " and not task.knowledge.noise", "", "prompts"),
    Fault(
        "prompt-closed",
        "prompts/rpg/render.py",
        '"closed_": lambda task: bool(task.mechanics.closed)',
        '"closed_": lambda task: True',
        "prompts",
    ),
    Fault(
        "rank-refuser",
        "analysis/statistics/ranking.py",
        '("not determined", "below the range")',
        '("not determined",)',
        "analysis/suites/rpg/test_refusals.py",
    ),
    Fault(
        "count-impossible",
        "analysis/suites/rpg/reading.py",
        'return (sample["details"] or {}).get("solvable") is not False',
        "return True",
        "analysis/suites/rpg/test_refusals.py",
    ),
    Fault(
        "setting-twice",
        _OPTIONS,
        "        if name in found:",
        "        if found.get(name, value) != value:",
        "cli/test_options.py",
    ),
    Fault(
        "setting-declared",
        "herobench/suite/checked.py",
        "if foreign := sorted(given.keys() - allowed):",
        "if foreign := sorted(given.keys() - allowed - given.keys()):",
        "suite/test_seam.py",
    ),
    Fault("told-sale", _TOLD, "item.code in knows.sold,", "item.code in world.exchange_sells,", "prompts"),
    Fault("patience-told", _PATIENCE, "error.retry_after + drawn * _SPREAD", "drawn", "models/test_patience.py"),
    Fault("patience-hopeless", _PATIENCE, "not error.passing or ", "", "models/test_patience.py"),
    Fault(
        "stream-incomplete",
        _STREAMED,
        "and items_done and not incomplete",
        "and items_done",
        "models/test_streamed_parts.py models/test_responses_api.py",
    ),
    Fault(
        "chat-torn",
        _CHAT,
        "if self._stream and stop is None:",
        "if not self:",
        "models/test_chat_api.py models/test_misbehaviour.py",
    ),
    Fault(
        "chat-seed",
        "herobench/models/model.py",
        "self.seed + request.epoch + _EPOCHS * request.repeat",
        "self.seed",
        "models/test_chat_api.py models",
    ),
    Fault(
        "refusal-wait",
        "herobench/models/server_errors.py",
        "return milliseconds / 1000",
        "return milliseconds",
        "models/test_refusals.py",
    ),
    Fault(
        "history-arguments",
        "herobench/models/history.py",
        "return arguments if isinstance(read, dict) and",
        "return arguments if",
        "models/test_history.py",
    ),
    Fault("history-ids", "herobench/models/history.py", "taken.add(own)", "pass", "models/test_history.py"),
    Fault(
        "thoughts-lost",
        "herobench/models/messages.py",
        'if message.role == "assistant" and thoughts != "none":',
        "if not row:",
        "models/test_server_fields.py models/test_dialect.py",
    ),
    Fault(
        "learner-crowd",
        "herobench/models/negotiation.py",
        "return await self._door.acquire()",
        "return False",
        "models/test_dialect.py",
    ),
    Fault(
        "pace-left",
        "herobench/models/pace.py",
        "turn.begun, turn.left = arrives, True",
        "turn.left = True",
        "models/test_pace.py",
    ),
    Fault("pace-minute", "herobench/models/pace.py", "<= now - MINUTE", "<= now - MINUTE / 2", "models/test_pace.py"),
    Fault("cache-epoch", "herobench/models/reply_cache.py", "request.epoch,", "0,", "models/test_reply_cache.py"),
    Fault(
        "cli-refusal",
        _MAIN,
        "say(*error.lines, err=True)\n        sys.exit(2)",
        "say(*error.lines, err=True)\n        sys.exit(1)",
        "cli/test_input.py cli/test_main.py cli",
    ),
    Fault(
        "run-success",
        "herobench/cli/run_summary.py",
        "100 * sum(won) < percent",
        "100 * sum(won) <= percent",
        "cli/test_run.py",
    ),
    Fault(
        "run-owed",
        "herobench/cli/run.py",
        "if standing.owed:\n        raise typer.Exit(1)",
        "if not ending:\n        raise typer.Exit(1)",
        "cli/test_run_faults.py cli/test_run.py",
    ),
    Fault(
        "run-interrupted",
        "herobench/cli/run.py",
        "raise typer.Exit(INTERRUPTED)",
        "raise typer.Exit(1)",
        "cli/test_run_interrupts.py",
    ),
    Fault(
        "score-bad-rows",
        "herobench/cli/score.py",
        "if wrong:\n        raise typer.Exit(1)",
        "if not tally:\n        raise typer.Exit(1)",
        "cli/test_score.py",
    ),
    Fault(
        "options-span", "herobench/data/ranges.py", "slice(first - 1, last)", "slice(first, last)", "cli/test_run.py"
    ),
    Fault(
        "say-terminal",
        "herobench/cli/say.py",
        "fit(data) if sys.stdout.isatty() else data",
        "data",
        "cli/test_run_terminal.py cli/test_hostile_names.py cli",
    ),
)
