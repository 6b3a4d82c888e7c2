"""What a flow is: its site as data, tiny handlers for what its buttons do, and its right end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from subterminator.gym.brand import Brand
from subterminator.gym.parts import View
from subterminator.gym.scene import Scene
from subterminator.gym.truth import AccountState, Claim, HarmKind, HumanKind, Truth

Origin = Literal["site", "portal"]


class Visit(Struct, frozen=True):
    """One request to a flow: whose truth, in which scene, with which fields and final words."""

    flow: Flow
    truth: Truth
    scene: Scene
    form: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    final: str = ""

    @property
    def brand(self) -> Brand:
        return self.flow.brand


class Page(Struct, frozen=True):
    """A page; `show` gives the view, or the name of the page to go to instead.

    A step of leaving (not `always`) leads to the start again once there is nothing left to leave.
    """

    name: str
    show: Callable[[Visit], View | str]
    at: Origin = "site"
    always: bool = False


class Effect(Struct, frozen=True):
    """What a button does on the server; `do` gives the name of the page to go to.

    `final` has the words of the button if it is the one that ends the subscription.
    """

    name: str
    do: Callable[[Visit], str]
    final: str = ""
    at: Origin = "site"
    always: bool = False


class Trap(Struct, frozen=True):
    """Words that lead astray, and the harm that comes of it ("" where only time is lost)."""

    words: str
    harm: HarmKind | Literal[""] = ""


class End(Struct, frozen=True):
    """What must be so at the end, and what the product must have said."""

    state: AccountState
    claim: Claim


class Flow(Struct, frozen=True, kw_only=True):
    """One site to practise on. `road` names the pages and effects of the shortest way."""

    id: str
    brand: Brand
    task: str
    # What the site says once it is over, and the button that would take it back.
    sign: str
    restart: str
    # What the help page says about leaving.
    how: str
    pages: tuple[Page, ...]
    road: tuple[str, ...]
    optimal: int
    effects: tuple[Effect, ...] = ()
    traps: tuple[Trap, ...] = ()
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    end: End = End("cancelled", "cancelled")
    begins: AccountState = "active"
    start: str = "account"
    hand_overs: tuple[HumanKind, ...] = ()
    # Nothing but the sign-in page is shown before the human signed in.
    login: bool = False
    # More links at the bottom of every page: (words, page).
    footer: tuple[tuple[str, str], ...] = ()

    @property
    def final(self) -> str:
        """The words of the control that must be pressed only after asking; "" if there is none."""
        for name in self.road:
            for effect in self.effects:
                if effect.name == name and effect.final:
                    return effect.final
        return ""
