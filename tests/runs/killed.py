"""A run that kills itself while it waits for a reply: `python -m tests.runs.killed FOLDER TURNS CALL`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from herobench.conversation import Reply
from herobench.runs.folder import Key
from tests.runs.trial import LOOK, Numbers, Player, Trial, looking


def seen(key: Key, turn: int) -> Reply:
    """The same reply in every turn and session."""
    return looking(key, 0)


def main(folder: Path, turns: int, last: int) -> None:
    def say(key: Key, turn: int) -> Reply:
        if player.ended == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return seen(key, turn)

    player = Player(say)
    Trial(folder, Numbers(2, turns, [LOOK]), player, connections=1).work()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
