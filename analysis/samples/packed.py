"""Packed facts: the values of a column in few bytes, to be sent between processes and held by the million.

Facts repeat themselves: a thousand samples have two hundred tasks, nine groups and one model. So a column is a table of
its different values with a number for each sample. Only columns of numbers, which may all differ, are held as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


Fact = str | int | float | bool | None
_MOST_SHORT = 1 << 16
_NUMBERS: Mapping[type, str] = MappingProxyType({int: "int64", float: "float64"})


@dataclass(frozen=True, slots=True)
class Coded:
    """Values by their numbers in a table. Two values that are equal and of different types are two entries."""

    table: NDArray[np.object_]
    codes: NDArray[Any]

    def __len__(self) -> int:
        return len(self.codes)

    def objects(self) -> NDArray[np.object_]:
        """Return the values."""
        values: NDArray[np.object_] = self.table[self.codes]
        return values


@dataclass(frozen=True, slots=True)
class Numbers:
    """Whole numbers, or floats."""

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    """True for a value that is None; None if there is no such value."""

    def __len__(self) -> int:
        return len(self.values)

    def objects(self) -> NDArray[np.object_]:
        """Return the values."""
        values = self.values.astype(object)
        if self.missing is not None:
            values[self.missing] = None
        return values


Packed = Coded | Numbers


def pack(values: Sequence[Fact]) -> Packed:
    """Return the values of a column, packed."""
    kinds = set(map(type, values))
    if len(kinds - {NoneType}) == 1 and (kind := _NUMBERS.get((*(kinds - {NoneType}),)[0])):
        try:
            return _numbers(values, kind, NoneType in kinds)
        except OverflowError:  # whole numbers have no bound here
            pass
    # True, 1 and 1.0 are equal, but different values
    alike = len(kinds & {bool, int, float}) > 1
    keys: Sequence[Any] = [(type(value), value) for value in values] if alike else values
    different = dict(zip(keys, values, strict=True))
    table = np.empty(len(different), object)
    table[:] = list(different.values())
    codes = {key: code for code, key in enumerate(different)}
    width = "uint16" if len(table) < _MOST_SHORT else "uint32"
    return Coded(table, np.fromiter(map(codes.__getitem__, keys), width, len(values)))


def _numbers(values: Sequence[Any], kind: str, some_missing: bool) -> Numbers:
    if not some_missing:
        return Numbers(np.array(values, kind))
    missing = np.array([value is None for value in values])
    return Numbers(np.array([0 if value is None else value for value in values], kind), missing)


def unpack(pieces: Sequence[Packed]) -> NDArray[Any]:
    """Return the values of some pieces of a column in a row: an array of numbers if all are of one kind, else objects.

    An equal text in several pieces is one object.
    """
    if plain := _plain(pieces):
        return np.concatenate(plain)
    objects = np.empty(sum(map(len, pieces)), object)
    pool: dict[str, str] = {}
    start = 0
    for piece in pieces:
        if isinstance(piece, Coded):
            table = [pool.setdefault(value, value) if type(value) is str else value for value in piece.table]
            piece.table[:] = table
        objects[start : start + len(piece)] = piece.objects()
        start += len(piece)
    return objects


def _plain(pieces: Sequence[Packed]) -> list[NDArray[Any]]:
    """Return the arrays of pieces that are all plain numbers of one kind; else none."""
    plain = [piece.values for piece in pieces if isinstance(piece, Numbers) and piece.missing is None]
    return plain if len(plain) == len(pieces) and len({values.dtype for values in plain}) == 1 else []
