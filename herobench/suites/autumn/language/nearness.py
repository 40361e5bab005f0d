"""Natives on distances and directions between positions and objects."""

from __future__ import annotations

from typing import Any

from herobench.suites.autumn.language.autumn_error import Fault
from herobench.suites.autumn.language.lists import wrapped
from herobench.suites.autumn.language.objects import Objects
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.space import Place, Space
from herobench.suites.autumn.language.values import Position, RenderedElem, Thing, kind_of


class Nearness:
    """Measures distances."""

    def __init__(self, run: Run, space: Space, objects: Objects) -> None:
        self.run = run
        self.place = space.place
        self.origin = space.origin
        self.objects = objects

    # -- positions ----------------------------------------------------------------------------------------------------

    def move_pos(self, place: Any, by: Any) -> Any:
        """Return the sum of two positions."""
        (x, y), (across, down) = self.place(place), self.place(by)
        return Position(wrapped(x + across), wrapped(y + down))

    def move_right_pos(self, place: Any) -> Any:
        """Return the position one column on."""
        return self._shifted(place, 1, 0)

    def move_left_pos(self, place: Any) -> Any:
        """Return the position one column back."""
        return self._shifted(place, -1, 0)

    def move_up_pos(self, place: Any) -> Any:
        """Return the position one row up."""
        return self._shifted(place, 0, -1)

    def move_down_pos(self, place: Any) -> Any:
        """Return the position one row down."""
        return self._shifted(place, 0, 1)

    def _shifted(self, place: Any, across: int, down: int) -> Position:
        x, y = self.place(place)
        return Position(wrapped(x + across), wrapped(y + down))

    def delta_pos(self, first: Any, second: Any) -> Any:
        """Return the way from one position to another."""
        return self._delta(self.place(first), self.place(second))

    def delta_obj(self, first: Any, second: Any) -> Any:
        """Return the way from one object to another."""
        return self._delta(self.origin(first), self.origin(second))

    def delta_elem(self, first: Any, second: Any) -> Any:
        """Return the way from one drawn cell to another."""
        return self._delta(self.elem(first), self.elem(second))

    @staticmethod
    def _delta(first: Place, second: Place) -> Position:
        return Position(wrapped(second[0] - first[0]), wrapped(second[1] - first[1]))

    def sqdist(self, first: Any, second: Any) -> Any:
        """Return the squared distance of two positions."""
        return wrapped(squared(self.place(first), self.place(second)))

    def unit_vector(self, thing: Any, target: Any) -> Any:
        """Return the step from an object towards another; horizontal if both directions are possible."""
        return Position(*self.step(self.origin(thing), self.origin(target)))

    def unit_vector_obj_pos(self, thing: Any, place: Any) -> Any:
        """Return the step from an object towards a position."""
        return Position(*self.step(self.origin(thing), self.place(place)))

    def unit_vector_single_pos(self, place: Any) -> Any:
        """Return the signs of both coordinates."""
        x, y = self.place(place)
        return Position(sign(x), sign(y))

    @staticmethod
    def step(here: Place, there: Place) -> Place:
        """Return the step from a place towards another."""
        across, down = sign(there[0] - here[0]), sign(there[1] - here[1])
        return (across, 0) if across and down else (across, down)

    # -- neighbours ---------------------------------------------------------------------------------------------------

    def adjacent_poss(self, first: Any, second: Any, most: Any) -> Any:
        """Return whether two positions are at most so many steps apart."""
        return steps(self.place(first), self.place(second)) <= self.number(most)

    def adjacent_two_objs(self, first: Any, second: Any, most: Any) -> Any:
        """Return whether two objects are at most so many steps apart."""
        return steps(self.origin(first), self.origin(second)) <= self.number(most)

    def adjacent_elem(self, first: Any, second: Any) -> Any:
        """Return whether two drawn cells are neighbours."""
        return steps(self.elem(first), self.elem(second)) == 1

    def adjacent_poss_diag(self, first: Any, second: Any) -> Any:
        """Return whether two positions are equal or neighbours, also by a corner."""
        return corner_steps(self.place(first), self.place(second)) <= 1

    def adjacent_two_objs_diag(self, first: Any, second: Any) -> Any:
        """Return whether two objects are at one place or neighbours, also by a corner."""
        return corner_steps(self.origin(first), self.origin(second)) <= 1

    def adj(self, thing: Any, others: Any, most: Any) -> Any:
        """Return whether an object is at most so many steps from one of others."""
        here, most = self.origin(thing), self.number(most)
        return any(steps(here, there) <= most for there in self._origins(others))

    def adjacent_objs(self, thing: Any, most: Any) -> Any:
        """Return all objects at most so many steps from an object, or from one in a list; itself included."""
        most = self.number(most)
        here = self._origins(thing)
        return self._near(here, lambda place: any(steps(place, other) <= most for other in here))

    def adjacent_objs_diag(self, thing: Any) -> Any:
        """Return all objects that are at the place of an object or neighbours of it, also by a corner."""
        here = self._origins(thing)
        return self._near(here, lambda place: any(corner_steps(place, other) <= 1 for other in here))

    def _near(self, here: list[Place], near: Any) -> list[Thing]:
        things = self.objects.all_objs()
        self.run.tick(len(things) * len(here))
        return [thing for thing in things if near(self.place(thing.f_origin))]

    def _origins(self, value: Any) -> list[Place]:
        """Return the origins of an object, or of those in a list."""
        if type(value) is not list:
            return [self.origin(value)]
        self.run.tick(len(value))
        return [self.origin(thing) for thing in value]

    def closest(self, thing: Any, others: Any) -> Any:
        """Return the object with the nearest origin, of several the last one; the object itself if there is none."""
        here = self.origin(thing)
        best, least = thing, -1
        for other, place in zip(self.listed(others), self._origins(others), strict=True):
            if least < 0 or squared(here, place) <= least:
                best, least = other, squared(here, place)
        return best

    def closest_pos(self, thing: Any, places: Any) -> Any:
        """Return the nearest position, of several the last one; the object's own if there is none."""
        here = self.origin(thing)
        best, least = thing.f_origin, -1
        for place in self.listed(places):
            distance = squared(here, self.place(place))
            if least < 0 or distance <= least:
                best, least = place, distance
        return best

    # -- checks -------------------------------------------------------------------------------------------------------

    def listed(self, value: Any) -> list[Any]:
        """Return a list, or refuse the value."""
        if type(value) is not list:
            raise Fault(f"expected a List, found a {kind_of(value)}")
        self.run.tick(len(value))
        return value

    @staticmethod
    def number(value: Any) -> int:
        """Return a Number, or refuse the value."""
        if type(value) is not int:
            raise Fault(f"expected a Number, found a {kind_of(value)}")
        return value

    def elem(self, value: Any) -> Place:
        """Return the position of a drawn cell, or refuse the value."""
        if type(value) is not RenderedElem:
            raise Fault(f"expected a RenderedElem, found a {kind_of(value)}")
        return self.place(value.f_position)


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def squared(first: Place, second: Place) -> int:
    """Return the squared distance of two places."""
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2


def steps(first: Place, second: Place) -> int:
    """Return how many steps two places are apart."""
    return abs(first[0] - second[0]) + abs(first[1] - second[1])


def corner_steps(first: Place, second: Place) -> int:
    """Return how many steps two places are apart, if a step may also go by a corner."""
    return max(abs(first[0] - second[0]), abs(first[1] - second[1]))
