"""The options of `herobench run` with their help. None stands for an option that was not given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_MODEL, _ASK, _PACE = "What is asked", "How it is asked", "How fast, and for how much"

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="A served model, a player such as oracle or greedy (`herobench suites` lists those of each suite), or "
        "replay:ANSWERS.jsonl.",
    ),
]
Suite = Annotated[
    str | None,
    typer.Option(help="The benchmark suite; `herobench suites` lists them. \\[default: rpg]", rich_help_panel=_MODEL),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting of the suite, which `--suite NAME --help` shows too; repeat as needed.",
        rich_help_panel=_MODEL,
    ),
]
Tasks = Annotated[
    Path | None, typer.Option("--tasks", help="A tasks file, in place of a shipped set.", rich_help_panel=_MODEL)
]
Dataset = Annotated[
    str | None,
    typer.Option(
        help="A shipped set of the suite. Of rpg: horizon (the default), base, leveling, noise, decoys, or a version "
        "such as base-v2.",
        rich_help_panel=_MODEL,
    ),
]
Difficulty = Annotated[
    str | None,
    typer.Option(
        help="Only these brackets, such as 9, 1-9 or 3,5-7. Of rpg, the default dataset is then base: horizon has no "
        "brackets.",
        rich_help_panel=_MODEL,
    ),
]
TaskId = Annotated[
    list[str] | None,
    typer.Option(
        "--task-id", metavar="GLOB", help="Only tasks whose id matches, such as '9/*'.", rich_help_panel=_MODEL
    ),
]
Shuffle = Annotated[
    int | None, typer.Option(metavar="SEED", help="Shuffle the tasks by this seed.", rich_help_panel=_MODEL)
]
Limit = Annotated[
    str | None,
    typer.Option(metavar="N", help="Only the first N of them, or a part such as 5-15.", rich_help_panel=_MODEL),
]
Fresh = Annotated[
    str | None,
    typer.Option(
        metavar="[SEED]",
        help="Ask private twins of them, which nobody has seen; random ones without SEED.",
        rich_help_panel=_MODEL,
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Only part I of N, for one of N machines; herobench merge puts the parts together.",
        rich_help_panel=_MODEL,
    ),
]
Epochs = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="How often each task is asked. \\[default: 1]", rich_help_panel=_MODEL),
]
Rules = Annotated[
    str | None, typer.Option(help="The edition of the rules. \\[default: standard]", rich_help_panel=_MODEL)
]
World = Annotated[
    str | None,
    typer.Option(
        help="A shipped world, or the folder of one. \\[default: that of the set, or classic]", rich_help_panel=_MODEL
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(help="The server. \\[default: OPENAI_BASE_URL, or OpenAI]", rich_help_panel=_ASK),
]
ApiKeyEnv = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The variable that holds the key. \\[default: OPENAI_API_KEY]", rich_help_panel=_ASK
    ),
]
Api = Annotated[str | None, typer.Option(help="chat or responses. \\[default: chat]", rich_help_panel=_ASK)]
Agent = Annotated[
    str | None,
    typer.Option(help="one-shot, tools, best-of:N, a1, a2, or a plugin. \\[default: one-shot]", rich_help_panel=_ASK),
]
Feedback = Annotated[
    str | None,
    typer.Option(
        metavar="on|off",
        help="Run the plan in parts, and tell what came of each. \\[default: off]",
        rich_help_panel=_ASK,
    ),
]
MaxTokens = Annotated[
    int | None, typer.Option(min=1, help="The most tokens of a reply, thoughts included.", rich_help_panel=_ASK)
]
Temperature = Annotated[
    float | None,
    typer.Option(min=0, help="The temperature of sampling; 0 for the likeliest token.", rich_help_panel=_ASK),
]
TopP = Annotated[
    float | None,
    typer.Option(
        "--top-p",
        min=0,
        max=1,
        help="Sample from the likeliest tokens of this total probability.",
        rich_help_panel=_ASK,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        help="Sent to the model's server for sampling; each epoch adds 1. Tasks stay the same: see --fresh.",
        rich_help_panel=_ASK,
    ),
]
ReasoningEffort = Annotated[
    str | None, typer.Option(help="How much the model thinks, such as low, medium or high.", rich_help_panel=_ASK)
]
ExtraBody = Annotated[
    str | None,
    typer.Option(metavar="JSON", help="More fields of each request, such as '{\"top_k\": 20}'.", rich_help_panel=_ASK),
]
Stream = Annotated[
    bool | None,
    typer.Option("--stream/--no-stream", help="Let replies come bit by bit. \\[default: stream]", rich_help_panel=_ASK),
]
Timeout = Annotated[
    float | None,
    typer.Option(min=0.1, help="Seconds without a byte from the server. \\[default: 600]", rich_help_panel=_ASK),
]
MaxConnections = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Requests in flight at once. \\[default: 10]", rich_help_panel=_PACE),
]
Adaptive = Annotated[
    bool | None,
    typer.Option(
        "--adaptive/--no-adaptive",
        help="Begin with 2 requests at once, and send more while the server keeps up. \\[default: no-adaptive]",
        rich_help_panel=_PACE,
    ),
]
Rpm = Annotated[int | None, typer.Option(min=1, help="Requests in any minute.", rich_help_panel=_PACE)]
Tpm = Annotated[int | None, typer.Option(min=1, help="Tokens in any minute.", rich_help_panel=_PACE)]
MaxRetries = Annotated[
    int | None,
    typer.Option(min=0, max=100, help="Retries after a failure that may pass. \\[default: 5]", rich_help_panel=_PACE),
]
CostLimit = Annotated[
    float | None, typer.Option(min=0, help="Stop before the run costs more than this.", rich_help_panel=_PACE)
]
AttemptCalls = Annotated[
    int | None, typer.Option(min=1, help="The most calls of the model in an attempt.", rich_help_panel=_PACE)
]
AttemptTokens = Annotated[
    int | None, typer.Option(min=1, help="The most tokens in an attempt, in and out.", rich_help_panel=_PACE)
]
AttemptCost = Annotated[
    float | None, typer.Option(min=0, help="The most that an attempt may cost.", rich_help_panel=_PACE)
]
AttemptTimeout = Annotated[
    float | None,
    typer.Option(
        min=0.1, metavar="SECONDS", help="The most time that an attempt may wait for replies.", rich_help_panel=_PACE
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Prices per million tokens, by model, as JSON.", rich_help_panel=_PACE),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Reuse the replies that this file keeps, and add new ones.", rich_help_panel=_PACE
    ),
]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Sandbox workers; all cores when left out.", rich_help_panel=_PACE)
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="DIR", help="The run's folder. \\[default: runs/...]")
]
Resume = Annotated[Path | None, typer.Option(metavar="RUN", help="Resume a run, and try again what failed.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show the plan of the run and its first prompt, and ask nothing.")
]
Json = Annotated[bool, typer.Option("--json", help="Print events as JSON lines.")]
FailUnder = Annotated[
    float | None,
    typer.Option(min=0, max=100, metavar="PERCENT", help="Exit with 3 when fewer of the attempts are won."),
]
