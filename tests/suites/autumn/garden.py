"""Programs of our own that use most of the language between them, and short forms to run programs."""

from __future__ import annotations

from herobench.suites.autumn import AutumnWorld, Program

RAIN = """(program
  (= GRID_SIZE 8)
  (object Drop (: frozen Bool) (Cell 0 0 (if frozen then "white" else "blue")))
  (object Lever (: lit Bool) (list (Cell 0 0 "gray") (Cell 0 1 (if lit then "green" else "red"))))
  (: drops (List Drop))
  (= drops (initnext (list) (updateObj (prev drops) (--> d (if (.. d frozen) then (nextSolid d) else (nextLiquid d))))))
  (= lever (initnext (Lever true (Position 0 0)) (prev lever)))
  (: wet Number)
  (= wet (initnext 0 (+ (prev wet) 1)))
  (on (clicked lever) (= lever (updateObj lever "lit" (! (.. lever lit)))))
  (on (& clicked (isFreePos click)) (= drops (addObj drops (Drop (! (.. lever lit)) click))))
  (on (== (% wet 5) 4) (= drops (addObj drops (Drop false (uniformChoice (rect (Position 1 0) (Position 8 1)))))))
  (on up (= drops (removeObj drops (--> d (> (.. (.. d origin) y) 5)))))
)"""

CHASE = """(program
  (= GRID_SIZE 9)
  (= background "tan")
  (object Fox (: hungry Bool) (Cell 0 0 (if hungry then "orange" else "brown")))
  (object Hare (Cell 0 0 "white"))
  (= fox (initnext (Fox true (Position 4 4)) (walk (prev fox))))
  (= hares (initnext (map (--> p (Hare p)) (randomPositions GRID_SIZE 3)) (updateObj (prev hares) hop)))
  (= hop (fn (h) (let
    (= spot (uniformChoice (adjPositions (.. h origin))))
    (if (isFreePos spot) then (Hare spot) else h))))
  (= walk (--> f (if (.. f hungry) then (move f (unitVector f (closest f hares))) else f)))
  (= eaten (initnext 0 (prev eaten)))
  (on (intersects fox hares) (let
    (= eaten (+ eaten (length (filter (--> h (intersects h fox)) hares))))
    (= hares (removeObj hares (--> h (intersects h fox))))
    (= fox (updateObj fox "hungry" (< eaten 3)))))
  (on clicked (= hares (addObj hares (Hare click))))
  (on left (= fox (moveLeftNoCollision fox)))
  (on (& right (prev hares)) (let (= spare (head (prev hares))) (= hares (removeObj hares spare))))
)"""

CRATES = """(program
  (= GRID_SIZE 6)
  (object Crate (: n Number) (Cell 0 0 (at (list "gray" "silver" "gold") n)))
  (object Robot (: arm Number) (map (--> i (Cell i 0 "red")) (range 0 arm)))
  (object Door (list (Cell 0 0 "green") (Cell 0 1 "green")))
  (= robot (initnext (Robot 1 (Position 0 5)) (prev robot)))
  (= crates (initnext (map (--> x (Crate (% x 3) (Position x 2))) (range 1 5)) (prev crates)))
  (= door (initnext (Door (Position 5 4)) (prev door)))
  (= shove (fn (dx dy) (let
    (= to (move robot (Position dx dy)))
    (= crates (updateObj crates (--> c (moveNoCollision c dx dy)) (--> c (intersects c to))))
    (if (isWithinBounds to) then (= robot to) else robot))))
  (on left (shove -1 0)) (on right (shove 1 0)) (on up (shove 0 -1)) (on down (shove 0 1))
  (on (& (defined "door") (clicked door)) (let (= door (removeObj door)) true))
  (on (& clicked (! (defined "door"))) (= door (Door (Position 5 4))))
  (= score 0)
  (on (any (--> c (adjacentTwoObjs c robot 1)) crates) (= score (+ score 1)))
)"""

PROGRAMS = {"rain": RAIN, "chase": CHASE, "crates": CRATES}
ACTIONS = ("noop", "left", "right", "up", "down", "click 2 3", "click 0 1", "click 5 4", "click 4 0")


def started(statements: str, seed: int = 0) -> AutumnWorld:
    """A world of these statements."""
    return Program.from_text(f"(program {statements}\n)").start(seed)


def after(statements: str, actions: str = "", seed: int = 0) -> AutumnWorld:
    """A world of these statements after actions, which are given with commas between them."""
    world = started(statements, seed)
    for action in filter(None, (part.strip() for part in actions.split(","))):
        world.act(action)
    return world


def drawn(world: AutumnWorld) -> dict[tuple[int, int], str]:
    """The cells that do not have the background's colour, by column and row."""
    rows = enumerate(world.grid)
    return {(x, y): c for y, row in rows for x, c in enumerate(row) if c != world.background}
