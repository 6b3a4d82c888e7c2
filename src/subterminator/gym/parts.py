"""What a page of the gym is made of, before a skin gives it looks. Data only."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Tone = Literal["plain", "lead", "small", "good", "bad", "note"]
Weight = Literal["primary", "secondary", "quiet", "danger"]
LineKind = Literal["text", "email", "password"]


class Text(Struct, frozen=True):
    text: str
    tone: Tone = "plain"


class Bullets(Struct, frozen=True):
    items: tuple[str, ...]


class Facts(Struct, frozen=True):
    """Labels with their values."""

    rows: tuple[tuple[str, str], ...]


class Go(Struct, frozen=True):
    """A way to another page. It changes nothing."""

    words: str
    to: str
    weight: Weight = "secondary"
    new_tab: bool = False


class Act(Struct, frozen=True):
    """A button that does something at once. `after`: usable only after so many seconds."""

    words: str
    to: str
    weight: Weight = "secondary"
    after: float = 0
    blocked: bool = False


class Close(Struct, frozen=True):
    """A button that only closes the dialog it stands in."""

    words: str
    weight: Weight = "secondary"


class Group(Struct, frozen=True):
    """Controls next to each other; the seed chooses their order."""

    parts: tuple[Go | Act | Close, ...]


class Card(Struct, frozen=True):
    """A section with a heading of its own."""

    title: str
    parts: tuple[Part, ...]


class Options(Struct, frozen=True):
    """One of several, as radio buttons: (value, label)."""

    name: str
    legend: str
    options: tuple[tuple[str, str], ...]
    chosen: str = ""


class Tick(Struct, frozen=True):
    name: str
    label: str
    ticked: bool = False


class Line(Struct, frozen=True):
    """A text field of one line."""

    name: str
    label: str
    kind: LineKind = "text"
    complete: str = "off"


class Area(Struct, frozen=True):
    name: str
    label: str


class Slider(Struct, frozen=True):
    """`says` is the text of the form's button, with # for the value."""

    name: str
    label: str
    low: int
    high: int
    value: int
    says: str


class Form(Struct, frozen=True):
    """Fields that are sent together. `needs`: the button sleeps until that one is chosen."""

    to: str
    parts: tuple[Part, ...]
    words: str
    weight: Weight = "primary"
    needs: str = ""
    others: tuple[Go | Act, ...] = ()


class Menu(Struct, frozen=True):
    """A button with a symbol that opens a list."""

    label: str
    items: tuple[Go | Act, ...]


class Switch(Struct, frozen=True):
    """Something that is on or off; pressing it sends it to an effect."""

    words: str
    to: str
    on: bool


class Fold(Struct, frozen=True):
    """A heading that opens what stands under it; shut at first."""

    words: str
    parts: tuple[Part, ...]


class Tabs(Struct, frozen=True):
    """Several contents in one place, one shown at a time: (words, parts)."""

    tabs: tuple[tuple[str, tuple[Part, ...]], ...]


class Dialog(Struct, frozen=True):
    """A button, and the dialog that it opens over the page. `gear`: it shows a symbol only."""

    words: str
    title: str
    parts: tuple[Part, ...]
    weight: Weight = "secondary"
    gear: bool = False


class Frame(Struct, frozen=True):
    """Another page of the same flow in an iframe."""

    page: str
    title: str
    height: int = 420


class Shadow(Struct, frozen=True):
    """Parts in an open shadow root."""

    parts: tuple[Part, ...]


class Table(Struct, frozen=True):
    columns: tuple[str, ...]
    rows: tuple[tuple[str | Go | Act | Menu, ...], ...]


class Raw(Struct, frozen=True):
    """Markup of one flow only. A name written as §name differs from seed to seed."""

    html: str


Part = (
    Text | Bullets | Facts | Go | Act | Close | Group | Card | Options | Tick | Line | Area
    | Slider | Form | Menu | Switch | Fold | Tabs | Dialog | Frame | Shadow | Table | Raw
)  # fmt: skip


class View(Struct, frozen=True):
    """A page: its heading, what stands under it, and whether the site's frame is around it."""

    title: str
    parts: tuple[Part, ...]
    bare: bool = False
    # Nobody is signed in: no name and no way around in the site's frame.
    guest: bool = False
    # The kind of thing that a person must do before this page goes on by itself.
    awaits: str = ""
