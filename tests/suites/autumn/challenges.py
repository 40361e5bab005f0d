"""Small challenges of the suite autumn, made by hand: one environment, with a test of each family."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.episode.challenge import Challenge

BEAD = """(program
  (= GRID_SIZE 4)
  (object Bead (Cell 0 0 "red"))
  (object Wall (Cell 0 0 "gray"))
  (= bead (initnext (Bead (Position 0 0)) (prev bead)))
  (= walls (initnext (list) (prev walls)))
  (= moves (initnext 0 (prev moves)))
  (on right (let (= moves (+ moves 1)) (= bead (moveRightNoCollision bead))))
  (on left (= bead (moveLeftNoCollision bead)))
  (on down (= bead (moveDownNoCollision bead)))
  (on (& clicked (isFreePos click)) (= walls (addObj walls (Wall click))))
)"""
"""A bead that goes right, left and down, and walls where one clicks."""

CHANGED = BEAD.replace(
    "(moveRightNoCollision bead)", "(if (> moves 2) then (moveDown bead) else (moveRightNoCollision bead))"
)
"""The third move to the right goes down."""

CONDITION = "> moves 2"


def grid(*rows: str) -> list[list[str]]:
    """A frame from rows of letters: r for red, g for gray, m for masked, anything else for black."""
    names = {"r": "red", "g": "gray", "m": "mask"}
    return [[names.get(letter, "black") for letter in row] for row in rows]


_TESTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "prediction": (
        {
            "actions": ["noop", "right", "click 3 0", "right"],
            "mask": {"column": 1, "row": 0, "width": 3, "height": 1, "from": 2},
            "choices": [grid(text) for text in ("r.g", ".r.", ".rg", "..r", "r..", "...")],
        },
        {"choice": 2},
    ),
    "planning": (
        {"goal": grid("....", "..r.", "....", "...."), "mask": [[1, 1, 1, 1], [1, 1, 1, 1], [0] * 4, [0] * 4]},
        {"actions": ["right", "right", "down"]},
    ),
    "detection": (
        {"changed": CHANGED, "condition": CONDITION},
        {"actions": ["right", "right", "right"], "frame": 3},
    ),
}


LED: dict[str, Any] = {
    "challenge": {"changed": CHANGED, "condition": CONDITION, "start": {"seed": 9, "actions": ["right", "down"]}},
    "answer": {"actions": ["right", "right"], "frame": 2},
}
"""A detection whose test starts one move to the right and one down."""


def row(family: str, **changes: Any) -> dict[str, Any]:
    """The row of a challenge."""
    asked, answer = _TESTS[family]
    about = {"schema": 1, "id": f"bead-{family}", "family": family, "environment": "bead", "title": "A bead"}
    more = {"category": "logic", "stochastic": False, "hints": ["Try each key."], "program": BEAD, "seed": 7}
    return {**about, **more, "challenge": asked, "answer": answer, "certificate": {}, **changes}


def challenge(family: str, **changes: Any) -> Challenge:
    """The challenge of a row."""
    return Challenge.of(row(family, **changes))
