"""The command line: one module a command. Each translates options into one call of the library, and prints."""

import sys

try:
    from herobench.cli.main import main
except KeyboardInterrupt:
    # the imports are a part of what the user sees as the command, and it ends as `main` would end it
    sys.exit(130)

__all__ = ["main"]
