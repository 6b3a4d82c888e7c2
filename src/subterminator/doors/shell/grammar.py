"""How words become actions: arguments and options of a verb are the fields of its action.

Nothing is listed here by hand but what is no field: a new action is a new verb.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Struct, inspect, structs

from subterminator import actions as a
from subterminator.doors.shell.places import ACTIONS, CLOSE, EXTRACT, OPEN, SESSIONS, STATUS
from subterminator.errors import InvalidParams
from subterminator.extraction.extract import Mode
from subterminator.intake import name_of, parse_action

Built = TypeVar("Built")
Kind = Literal["flag", "number", "pair", "list", "word"]
KINDS = {str(kind.__struct_config__.tag): kind for kind in (*get_args(a.AtomicAction), a.Execute)}
# Optional fields that may be given by their place, too: they say what it is done to.
PLACED = frozenset({"target", "url", "tab", "frame"})
YES, NO = frozenset({"yes", "true", "accept", "ok"}), frozenset({"no", "false", "dismiss"})
USE = "See: subterminator {verb} --help"


class Field(Struct, frozen=True):
    name: str
    kind: Kind
    required: bool
    placed: bool

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")


class Extract(Struct, frozen=True):
    """Read data off the page by a JSON schema; there is no model behind it."""

    schema: dict[str, Any]
    instruction: str = ""
    mode: Mode | None = None
    root: str | None = None


class Opening(Struct, frozen=True):
    """Go to an address; start the session if there is none. It ends when it is idle."""

    url: str = ""
    sites: tuple[str, ...] = ()
    headless: bool = False
    show: bool = False
    profile_dir: str = ""
    browser: str = ""
    idle: int = 1800


class Line(Struct, frozen=True):
    """A verb, read. `budget` bounds the answer in tokens; `out` is where a picture goes."""

    verb: str
    wish: a.Action | Extract | Opening | None
    as_json: bool = False
    budget: int | None = None
    out: str = ""


# What every verb takes, and what a picture takes.
COMMON = (Field("json", "flag", False, False), Field("budget", "number", False, False))
OUT = Field("out", "word", False, False)
OTHERS: dict[str, type[Struct]] = {EXTRACT: Extract, OPEN: Opening}


def fields_of(verb: str) -> tuple[Field, ...]:
    """The fields of what a verb asks for."""
    shape = KINDS[ACTIONS[verb]] if verb in ACTIONS else OTHERS.get(verb)
    return tuple(_fields(shape)) if shape else ()


def _fields(shape: type[Struct]) -> Iterator[Field]:
    info = inspect.type_info(shape)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        placed = field.required or field.name in PLACED
        yield Field(field.name, _kind(field.type), field.required, placed)


def _kind(type: inspect.Type) -> Kind:
    match type:
        case inspect.UnionType(types=types):
            return _kind(next(each for each in types if not isinstance(each, inspect.NoneType)))
        case inspect.BoolType():
            return "flag"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.TupleType():
            return "pair"
        case inspect.VarTupleType() | inspect.ListType():
            return "list"
        case _:
            return "word"


def read(words: Sequence[str], folder: str, typed: str | None) -> Line:
    """One line as it was typed. Raises InvalidParams with what to do; nothing was done then."""
    verb, rest = words[0], list(words[1:])
    if verb == "execute":
        return _read_execute(rest, folder, typed)
    fields = fields_of(verb)
    extra = (*COMMON, OUT) if verb == "screenshot" else COMMON
    given = _collect(verb, rest, (*fields, *extra), typed)
    as_json, budget = bool(given.pop("json", False)), given.pop("budget", None)
    out = _path(str(given.pop("out", "") or "screenshot.png"), folder)
    wish = _wish(verb, given, folder)
    return Line(verb, wish, as_json, budget, out if verb == "screenshot" else "")


def _wish(verb: str, given: dict[str, Any], folder: str) -> a.Action | Extract | Opening | None:
    if verb in (CLOSE, STATUS):
        return None
    if verb == OPEN:
        if given.get("profile_dir"):
            given["profile_dir"] = _path(given["profile_dir"], folder)
        return _built(verb, given, Opening)
    if verb == EXTRACT:
        try:
            given["schema"] = msgspec.json.decode(str(given["schema"]))
        except msgspec.DecodeError as fault:
            raise InvalidParams(f"extract: the schema is no JSON: {fault}.") from fault
        return _built(verb, given, Extract)
    if verb == "upload":
        given["files"] = [_path(path, folder) for path in given["files"]]
    return parse_action({**given, "action": ACTIONS[verb]})


def _built(verb: str, given: dict[str, Any], kind: type[Built]) -> Built:
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"{verb}: {fault}.", next_step=USE.format(verb=verb)) from fault


def _path(path: str, folder: str) -> str:
    return os.path.abspath(os.path.join(folder, os.path.expanduser(path)))


def _collect(
    verb: str, words: list[str], fields: Sequence[Field], typed: str | None
) -> dict[str, Any]:
    """Options by their names, the others by their places, still as they were typed."""
    options = {field.option: field for field in fields}
    places = [field for field in fields if field.placed]
    places.sort(key=lambda field: not field.required)
    given: dict[str, Any] = {}
    loose: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--":
            loose += rest
        elif field := options.get(name):
            if field.kind != "flag" and not equals:
                value = next(rest, "")
            _put(verb, given, field, value if field.kind != "flag" else "yes")
        elif word.startswith("--"):
            raise InvalidParams(f"{verb} has no option {name}.", next_step=USE.format(verb=verb))
        else:
            loose.append((typed or "").rstrip("\n") if word == "-" else word)
    _place(verb, given, [field for field in places if field.name not in given], loose)
    return given


def _place(verb: str, given: dict[str, Any], places: list[Field], loose: list[str]) -> None:
    for field in places:
        if not loose:
            break
        taken, loose = (loose, []) if field.kind == "list" else (loose[:1], loose[1:])
        for word in taken:
            _put(verb, given, field, word)
    missing = [field.name for field in places if field.required and field.name not in given]
    if missing or loose:
        wrong = f"lacks {missing[0]}" if missing else f"has too many words: {loose[0]!r}"
        raise InvalidParams(f"{verb} {wrong}.", next_step=USE.format(verb=verb))


def _put(verb: str, given: dict[str, Any], field: Field, word: str) -> None:
    match field.kind:
        case "flag":
            if word not in YES | NO:
                raise InvalidParams(f"{verb}: {field.name} is yes or no.")
            given[field.name] = word in YES
        case "number":
            given[field.name] = _number(verb, field, word)
        case "pair":
            given[field.name] = [_number(verb, field, part) for part in word.split(",")]
        case "list":
            given.setdefault(field.name, []).append(word)
        case "word":
            given[field.name] = word


def _number(verb: str, field: Field, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise InvalidParams(f"{verb}: {field.name} is a whole number, not {word[:60]!r}.") from None


# Several at once


def _read_execute(words: list[str], folder: str, typed: str | None) -> Line:
    """Each word is a line of its own; `-` reads lines, or JSON steps, from the standard input."""
    flags = {"--json", "--continue"}
    as_json, go_on = "--json" in words, "--continue" in words
    texts: list[str] = []
    for word in words:
        if word == "-":
            texts += (typed or "").splitlines()
        elif word not in flags:
            texts.append(word)
    text = "\n".join(texts).strip()
    if text.startswith(("[", "{")):
        steps = _steps(text)
    else:
        steps = [{"do": _step(line, folder)} for line in texts if line.strip()]
    plan = {"action": "execute", "steps": steps, "stop_on_first_error": not go_on}
    return Line("execute", parse_action(plan), as_json)


def _steps(text: str) -> Any:
    try:
        plan = msgspec.json.decode(text)
    except msgspec.DecodeError as fault:
        raise InvalidParams(f"execute: this is no JSON: {fault}.") from fault
    return plan.get("steps", [plan]) if isinstance(plan, dict) else plan


def _step(line: str, folder: str) -> dict[str, Any]:
    try:
        words = shlex.split(line)
    except ValueError as fault:
        raise InvalidParams(f"execute: {line[:60]!r}: {fault}.") from fault
    if words[0] not in ACTIONS or words[0] == "execute":
        raise InvalidParams(
            f"execute: {words[0][:60]!r} is no step.", next_step=USE.format(verb="execute")
        )
    step = read(words, folder, None)
    assert not isinstance(step.wish, Extract | Opening | None)
    plain: dict[str, Any] = msgspec.to_builtins(step.wish)
    return {**plain, "action": name_of(step.wish)}


# Help


def explain(verb: str) -> str:
    """How a verb is used, from the action itself."""
    if verb == SESSIONS:
        return "Usage: subterminator sessions [list [--json] | close [NAME ... | --all]]"
    if verb == CLOSE:
        return "Usage: subterminator close [-s NAME]\n\nEnd the session and its browser."
    if verb == "execute":
        return EXECUTE
    fields = fields_of(verb)
    placed = sorted((f for f in fields if f.placed), key=lambda field: not field.required)
    options = [field for field in (*fields, *([OUT] if verb == "screenshot" else ()), *COMMON)
               if not field.placed]  # fmt: skip
    usage = " ".join([f"Usage: subterminator {verb}", *map(_shown, placed), "[options]"])
    kind = KINDS[ACTIONS[verb]] if verb in ACTIONS else OTHERS[verb]
    lines = [usage, "", (kind.__doc__ or "").strip(), "", "Options:"]
    lines += [f"  {field.option}{_metavar(field)}" for field in options]
    return "\n".join([*lines, "  -s, --session NAME", *_choices(kind)])


def _shown(field: Field) -> str:
    word = field.name.upper() + (" ..." if field.kind == "list" else "")
    return word if field.required else f"[{word}]"


def _metavar(field: Field) -> str:
    match field.kind:
        case "flag":
            return ""
        case "number":
            return " N"
        case "pair":
            return " N,N"
        case _:
            return f" {field.name.upper()}"


def _choices(kind: type[Struct]) -> Iterator[str]:
    """What a field may be, where that is one of a few words."""
    for field in structs.fields(kind):
        words = [arg for arg in (field.type, *get_args(field.type))]
        found = [each for word in words for each in get_args(word) if isinstance(each, str)]
        if found:
            yield f"\n{field.name}: {', '.join(dict.fromkeys(found))}"


EXECUTE = """Usage: subterminator execute 'VERB ARGUMENTS' ...   (or - to read lines or JSON steps)

Run up to 50 actions in order; all are checked before the first runs, each passes the gate.

    subterminator execute 'fill label:Name Ada' 'check @e4' 'click role:button:Save'

Options:
  --continue           go on after a step that fails
  --json
  -s, --session NAME"""
