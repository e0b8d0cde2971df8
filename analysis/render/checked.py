"""Reads values of a JSON document against a description of their types.

A description is one of
    str, bool, int (0 or more), float     a JSON string, boolean, whole number, finite number
    Above(0)                              a number above a limit
    Word("left", "right")                 one of these strings
    Maybe(d)                              d or null
    [d]                                   a list of d
    Loose(d)                              a list of d; a member that does not fit is complained about and left out
    Named(d)                              an object of any keys, each with a d
    {"key": d, ...}                       an object with at least these keys; others are ignored

Keys that a newer writer adds within the same format are no error; one that is missing is.
"""

import json
import math
from dataclasses import dataclass, field
from typing import Any


class Bad(Exception):
    """A value that is not what its description asks for: "WHERE: expected ..., found ..."."""


@dataclass(frozen=True)
class Above:
    limit: float


@dataclass(frozen=True)
class Maybe:
    inner: Any


@dataclass(frozen=True)
class Loose:
    inner: Any


@dataclass(frozen=True)
class Named:
    inner: Any


class Word:
    def __init__(self, *words: str):
        self.words = words


NAMES = {str: "a string", bool: "true or false", int: "a whole number, 0 or more", float: "a number"}


def found(value: Any) -> str:
    """What a value is, short enough for a line."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:37] + "..."


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


@dataclass
class Checker:
    """Checks values; `complaints` collects a line for each member of a Loose list that was left out."""

    complaints: list[str] = field(default_factory=list)

    def read(self, value: Any, kind: Any, place: str) -> Any:
        """The value, checked; lists that are Loose come back without what does not fit. Raises Bad."""
        if isinstance(kind, Maybe):
            return None if value is None else self.read(value, kind.inner, place)
        if isinstance(kind, dict):
            return self.read_object(value, kind, place)
        if isinstance(kind, Named):
            self.expect(isinstance(value, dict), place, "an object", value)
            return {key: self.read(member, kind.inner, f"{place}.{key}") for key, member in value.items()}
        if isinstance(kind, Loose):
            return self.read_loose(value, kind.inner, place)
        if isinstance(kind, list):
            self.expect(isinstance(value, list), place, "a list", value)
            return [self.read(member, kind[0], f"{place}[{i}]") for i, member in enumerate(value)]
        return self.read_scalar(value, kind, place)

    def read_object(self, value: Any, kind: dict[str, Any], place: str) -> dict[str, Any]:
        self.expect(isinstance(value, dict), place, "an object", value)
        inside = f"{place}." if place else ""
        for key in kind:
            if key not in value:
                raise Bad(f"{inside}{key}: missing")
        return {key: self.read(value[key], inner, inside + key) for key, inner in kind.items()}

    def read_loose(self, value: Any, kind: Any, place: str) -> list[Any]:
        self.expect(isinstance(value, list), place, "a list", value)
        members = []
        for i, member in enumerate(value):
            try:
                members.append(self.read(member, kind, f"{place}[{i}]"))
            except Bad as bad:
                self.complaints.append(f"{bad}; this one is left out")
        return members

    def read_scalar(self, value: Any, kind: Any, place: str) -> Any:
        if isinstance(kind, Above):
            self.expect(is_number(value) and value > kind.limit, place, f"a number above {kind.limit:g}", value)
        elif isinstance(kind, Word):
            self.expect(value in kind.words, place, " or ".join(kind.words), value)
        elif kind is int:
            whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
            self.expect(whole, place, NAMES[int], value)
        elif kind is float:
            self.expect(is_number(value), place, NAMES[float], value)
        else:
            self.expect(isinstance(value, kind), place, NAMES[kind], value)
        return value

    @staticmethod
    def expect(right: bool, place: str, what: str, value: Any) -> None:
        if not right:
            raise Bad(f"{place or 'the file'}: expected {what}, found {found(value)}")
