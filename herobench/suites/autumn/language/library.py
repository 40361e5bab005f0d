"""The natives of one run by their names in Autumn: native functions and the standard library alike.

In the reference, much of the library is an Autumn text. Here all of it is Python, written from the meaning of each
function: that is faster, and names that the library uses inside are not visible to programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.equality import Equality
from herobench.suites.autumn.language.lists import Lists
from herobench.suites.autumn.language.motion import Motion
from herobench.suites.autumn.language.nearness import Nearness
from herobench.suites.autumn.language.objects import Objects
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.signatures import SIGNATURES
from herobench.suites.autumn.language.space import Space

Native = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Library:
    """What generated code calls."""

    drawing: Drawing
    equality: Equality
    objects: Objects
    natives: dict[str, Native]


def library(run: Run) -> Library:
    """Return the library for a run."""
    drawing = Drawing(run)
    equality = Equality(run)
    objects = Objects(run, drawing, frozenset(SIGNATURES))
    space = Space(run, drawing)
    nearness = Nearness(run, space, objects)
    natives: dict[str, Native] = {
        **_of_lists(Lists(run, drawing, equality)),
        **_of_objects(objects),
        **_of_space(space),
        **_of_nearness(nearness),
        **_of_motion(Motion(run, space, nearness)),
        "prev": run.prev_of,
    }
    return Library(drawing, equality, objects, natives)


def _of_lists(lists: Lists) -> dict[str, Native]:
    return {
        "map": lists.map,
        "filter": lists.filter,
        "foldl": lists.foldl,
        "any": lists.any,
        "concat": lists.concat,
        "vcat": lists.concat,
        "length": lists.length,
        "head": lists.head,
        "tail": lists.tail,
        "at": lists.at,
        "range": lists.range,
        "isList": lists.is_list,
        "in": lists.in_,
        "arrayEqual": lists.array_equal,
        "print": lists.print,
        "sqrt": lists.sqrt,
        "abs": lists.abs,
        "sign": lists.sign,
        "max": lists.max,
        "min": lists.min,
        "sum": lists.sum,
        "uniformChoice": lists.uniform_choice,
        "randomPositions": lists.random_positions,
    }


def _of_objects(objects: Objects) -> dict[str, Native]:
    return {
        "addObj": objects.add_obj,
        "removeObj": objects.remove_obj,
        "updateObj": objects.update_obj,
        "defined": objects.defined,
        "allObjs": objects.all_objs,
        "renderAll": objects.render_all,
        "clicked": objects.clicked,
        "objClicked": objects.obj_clicked,
        "left": objects.left,
        "right": objects.right,
        "up": objects.up,
        "down": objects.down,
    }


def _of_space(space: Space) -> dict[str, Native]:
    return {
        "isFreePos": space.is_free_pos,
        "isFree": space.is_free,
        "isFreeExcept": space.is_free_except,
        "isFreePosExceptObj": space.is_free_pos_except_obj,
        "isFreeRangeExceptObj": space.is_free_range_except_obj,
        "isWithinBounds": space.is_within_bounds,
        "adjPositions": space.adj_positions,
        "allPositions": space.all_positions,
        "rect": space.rect,
        "intersects": space.intersects,
        "intersectsElems": space.intersects_elems,
        "intersectsPosElems": space.intersects_pos_elems,
        "intersectsPosPoss": space.intersects_pos_poss,
        "renderValue": space.render_value,
    }


def _of_nearness(nearness: Nearness) -> dict[str, Native]:
    return {
        "movePos": nearness.move_pos,
        "moveRightPos": nearness.move_right_pos,
        "moveLeftPos": nearness.move_left_pos,
        "moveUpPos": nearness.move_up_pos,
        "moveDownPos": nearness.move_down_pos,
        "deltaPos": nearness.delta_pos,
        "displacement": nearness.delta_pos,
        "deltaElem": nearness.delta_elem,
        "deltaObj": nearness.delta_obj,
        "sqdist": nearness.sqdist,
        "unitVector": nearness.unit_vector,
        "unitVectorObjPos": nearness.unit_vector_obj_pos,
        "unitVectorSinglePos": nearness.unit_vector_single_pos,
        "adjacentPoss": nearness.adjacent_poss,
        "adjacentPossDiag": nearness.adjacent_poss_diag,
        "adjacentElem": nearness.adjacent_elem,
        "adjacentTwoObjs": nearness.adjacent_two_objs,
        "adjacentTwoObjsDiag": nearness.adjacent_two_objs_diag,
        "adj": nearness.adj,
        "adjacentObjs": nearness.adjacent_objs,
        "adjacentObjsDiag": nearness.adjacent_objs_diag,
        "closest": nearness.closest,
        "closestPos": nearness.closest_pos,
    }


def _of_motion(motion: Motion) -> dict[str, Native]:
    return {
        "move": motion.move,
        "moveRight": motion.move_right,
        "moveLeft": motion.move_left,
        "moveUp": motion.move_up,
        "moveDown": motion.move_down,
        "moveNoCollision": motion.move_no_collision,
        "moveCanCollision": motion.move_can_collision,
        "moveRightNoCollision": motion.move_right_no_collision,
        "moveLeftNoCollision": motion.move_left_no_collision,
        "moveUpNoCollision": motion.move_up_no_collision,
        "moveDownNoCollision": motion.move_down_no_collision,
        "nextSolid": motion.move_down_no_collision,
        "nextLiquid": motion.next_liquid,
        "nextLiquidClosestHole": motion.next_liquid_closest_hole,
        "nextLiquidMoveClosestHole": motion.next_liquid_move_closest_hole,
        "rotate": motion.rotate,
        "rotateNoCollision": motion.rotate_no_collision,
    }
