"""Lines of keys and values, which tomllib does not keep."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from subterminator.packs.positions import Path, line_at, lines_of

FILES = sorted(
    file.name
    for file in files("subterminator.packs").joinpath("data").iterdir()
    if file.name.endswith(".toml")
)
TEXT = '''
a = 1 # one
"b c" = { d = "x", e = [1,
  2, # two ] not the end
  3] }
f.g = """
not = "a key"
"""

[h]
i = ['[', ']', """
long""", "j"]

[[k]]
l = 1
[[k]]
l = 2
[k.m]
n = 3
[[k.o]]
p = 4
'''


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("a",), 2),
        (("b c",), 3),
        (("b c", "d"), 3),
        (("b c", "e", 0), 3),
        (("b c", "e", 1), 4),
        (("b c", "e", 2), 5),
        (("f", "g"), 6),
        (("h",), 10),
        (("h", "i", 1), 11),
        (("h", "i", 2), 11),
        (("h", "i", 3), 12),
        (("k", 0, "l"), 15),
        (("k", 1, "l"), 17),
        (("k", 1, "m", "n"), 19),
        (("k", 1, "o", 0, "p"), 21),
    ],
)
def test_every_key_and_element_has_its_line(place: Path, line: int) -> None:
    assert lines_of(TEXT)[place] == line


def test_a_place_without_a_line_has_that_of_what_it_is_in() -> None:
    assert line_at(lines_of(TEXT), ("h", "i", 77, "z")) == 11
    assert line_at(lines_of(TEXT), ("nowhere",)) == 1


def strings(value: object, place: Path = ()) -> Iterator[tuple[Path, str]]:
    match value:
        case str():
            yield place, value
        case dict():
            for key, below in value.items():
                yield from strings(below, (*place, key))
        case list():
            for number, below in enumerate(value):
                yield from strings(below, (*place, number))


@pytest.mark.parametrize("name", FILES)
def test_the_line_of_every_text_of_a_real_pack_begins_it(name: str) -> None:
    text = files("subterminator.packs").joinpath("data", name).read_text("utf-8")
    lines, rows = lines_of(text), text.splitlines()
    for place, value in strings(tomllib.loads(text)):
        row = rows[lines[place] - 1]
        assert value in row or '"""' in row
