"""Write tasks and runs in the forms of other tools."""

from __future__ import annotations

import typer

from herobench.cli.export import every_eval_ever, harbor, hf, lm_eval, openenv

app = typer.Typer(no_args_is_help=True)
app.command("every-eval-ever", help=every_eval_ever.__doc__)(every_eval_ever.every_eval_ever)
app.command("harbor", help=harbor.__doc__)(harbor.harbor)
app.command("hf", help=hf.__doc__)(hf.hf)
app.command("lm-eval", help=lm_eval.__doc__)(lm_eval.lm_eval)
app.command("openenv", help=openenv.__doc__)(openenv.openenv)
