"""How an action says which element it means: a ref, or one of ten kinds of selector."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct, convert

from subterminator.errors import InvalidParams

REF = re.compile(r"@?e?([1-9]\d{0,9})\Z")
MAX_SELECTOR = 10_000
FARTHEST = 1_000_000
Words = Annotated[str, Meta(min_length=1, max_length=MAX_SELECTOR)]
Place = Annotated[float, Meta(ge=-FARTHEST, le=FARTHEST)]


class Selector(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of the ten kinds; never used by itself."""


class Css(Selector, tag="css", frozen=True):
    value: Words


class XPath(Selector, tag="xpath", frozen=True):
    value: Words


class Role(Selector, tag="role", frozen=True):
    """By computed ARIA role and, if given, accessible name."""

    role: Words
    name: Annotated[str, Meta(max_length=MAX_SELECTOR)] | None = None
    exact: bool = False


class Text(Selector, tag="text", frozen=True):
    """By visible text; part of it is enough and case does not matter unless `exact`."""

    value: Words
    exact: bool = False


class Label(Selector, tag="label", frozen=True):
    value: Words
    exact: bool = False


class Placeholder(Selector, tag="placeholder", frozen=True):
    value: Words
    exact: bool = False


class TestId(Selector, tag="testId", frozen=True):
    """By its `data-testid` attribute."""

    __test__ = False

    value: Words


class Semantic(Selector, tag="semantic", frozen=True):
    """By a description in plain words, as `find` understands it."""

    description: Words


class Coordinates(Selector, tag="coordinates", frozen=True):
    """The element under a point of the viewport.

    It is resolved first, then acted on like any other.
    """

    x: Place
    y: Place


class ByRef(Selector, tag="ref", frozen=True):
    ref: Words


AnySelector = (
    Css | XPath | Role | Text | Label | Placeholder | TestId | Semantic | Coordinates | ByRef
)
Target = Annotated[str, Meta(min_length=1, max_length=MAX_SELECTOR)] | AnySelector

# What has the keyboard focus, through frames and shadow roots.
FOCUSED = Css(":focus")
NAME_SOMETHING = "Say which element is meant: a ref, a selector or some of its text."
SCRIPT_IN_SELECTOR = re.compile(r"url\(\s*['\"]?javascript:|expression\(|document\(", re.IGNORECASE)


def normalize_ref(ref: str | int) -> str:
    """`@e7`, `e7`, `7` and 7 all mean `@e7`."""
    match = REF.match(str(ref).strip())
    if not match:
        raise InvalidParams(
            f"{str(ref)[:60]!r} is not a ref.",
            next_step="Refs look like @e7; take them from a snapshot.",
        )
    return f"@e{match[1]}"


def parse_target(target: Target) -> AnySelector:
    """Read the short forms: `@e3`, `role:button:Submit`, `css:...`, `#id`, `.class`, plain text."""
    if not isinstance(target, str):
        return _check(target)
    if target.startswith("@") or REF.match(target):
        return ByRef(normalize_ref(target))
    kind, separator, rest = target.partition(":")
    if separator and (parsed := _parse_prefixed(kind, rest)):
        return _check(parsed)
    if target[0] in "#." and len(target) > 1:
        return _check(Css(target))
    return _check(Text(target))


def _parse_prefixed(kind: str, rest: str) -> AnySelector | None:
    if kind in _ONE_WORD:
        return _ONE_WORD[kind](rest)
    match kind:
        case "role":
            role, _, name = rest.partition(":")
            return Role(role, name or None)
        case "ref":
            return ByRef(normalize_ref(rest))
        case "coords":
            return _parse_point(rest)
        case _:
            return None


_ONE_WORD: dict[str, Callable[[str], AnySelector]] = {
    "text": Text,
    "label": Label,
    "placeholder": Placeholder,
    "testId": TestId,
    "semantic": Semantic,
    "css": Css,
    "xpath": XPath,
}


def _parse_point(text: str) -> Coordinates:
    try:
        x, y = (float(part) for part in text.split(","))
        return convert({"type": "coordinates", "x": x, "y": y}, Coordinates)
    except ValueError:
        raise InvalidParams(
            f"{text[:60]!r} is not a point.", next_step="Write coords:X,Y with two numbers."
        ) from None


def _check(selector: AnySelector) -> AnySelector:
    match selector:
        case ByRef(ref=ref):
            return ByRef(normalize_ref(ref))
        case Css(value=value) | XPath(value=value) if SCRIPT_IN_SELECTOR.search(value):
            raise InvalidParams("The selector contains script or document access.")
        case Coordinates():
            return selector
        case Semantic(description=words) | Role(role=words) if not words.strip():
            raise InvalidParams("The selector is empty.", next_step=NAME_SOMETHING)
        case Semantic() | Role():
            return selector
        case _ if not selector.value.strip():
            raise InvalidParams("The selector is empty.", next_step=NAME_SOMETHING)
        case _:
            return selector


def show(target: Target) -> str:
    """The target in a few words, for messages."""
    match target:
        case str():
            return target[:100]
        case ByRef(ref=ref):
            return ref
        case Role(role=role, name=name):
            return f"{role} {name!r}" if name else role
        case Semantic(description=words):
            return repr(words[:100])
        case Coordinates(x=x, y=y):
            return f"the point {x:g},{y:g}"
        case _:
            return f"{type(target).__name__.lower()} {target.value[:100]!r}"
