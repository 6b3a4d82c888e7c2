"""What a caller may ask for at all, whoever it is. Checked first; what is not named is refused."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from subterminator import actions as a
from subterminator.errors import InvalidParams, OutOfScope

# category: its scopes
NAMES: dict[str, tuple[str, ...]] = {
    "browser": ("launch", "close"),
    "context": ("create", "read", "destroy"),
    "page": ("read", "create", "navigate", "close"),
    "action": ("click", "type", "fill", "scroll", "select", "upload", "drag"),
    "observe": ("screenshot", "accessibility", "dom", "element", "content", "pdf"),
    "storage": ("read", "write"),
    "network": ("intercept",),
    "emulate": ("viewport", "geolocation", "offline"),
    "trace": ("start", "stop"),
}
EVERY = "*"
KNOWN = frozenset(
    {EVERY}
    | {f"{category}:*" for category in NAMES}
    | {f"{category}:{name}" for category, names in NAMES.items() for name in names}
)
ALIASES: dict[str, tuple[str, ...]] = {
    "agent:execute": ("action:*",),
    "agent:snapshot": ("observe:*",),
    "agent:*": ("action:*", "observe:*"),
}
PROFILES: dict[str, tuple[str, ...]] = {
    "readonly": ("page:read", "observe:*"),
    "standard": (
        "browser:launch", "browser:close", "page:*", "action:click", "action:type", "action:fill",
        "action:scroll", "action:select", "observe:*", "emulate:viewport",
    ),
    "full": ("browser:*", "page:*", "action:*", "observe:*", "emulate:*", "trace:*"),
    "privileged": (EVERY,),
}  # fmt: skip
NEEDED: dict[str, tuple[type[a.BaseAction], ...]] = {
    "page:navigate": (a.Navigate, a.Back, a.Forward, a.Reload, a.SelectFrame),
    "page:read": (a.ListTabs, a.SelectTab, a.ListFrames),
    "page:create": (a.OpenTab,),
    "page:close": (a.CloseTab,),
    "action:click": (a.Click, a.Hover, a.Check, a.Uncheck, a.Dialog),
    "action:type": (a.Type, a.Press),
    "action:fill": (a.Fill, a.Clear),
    "action:select": (a.Select,),
    "action:scroll": (a.Scroll,),
    "action:drag": (a.Drag,),
    "action:upload": (a.Upload,),
    "observe:screenshot": (a.Screenshot,),
    "observe:content": (a.ReadText,),
    "observe:accessibility": (a.TakeSnapshot, a.Find, a.Wait),
}


class Scopes(Struct, frozen=True):
    """The scopes of one caller. There is none that allows to approve: a caller never can."""

    granted: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> Scopes:
        """From scope names, aliases and profiles; an unknown one is an error, never ignored."""
        granted: set[str] = set()
        for name in names:
            meant = PROFILES.get(name) or ALIASES.get(name) or (name,)
            if unknown := [scope for scope in meant if scope not in KNOWN]:
                raise InvalidParams(
                    f"There is no scope {unknown[0]!r}.",
                    next_step=f"Known: {', '.join([*PROFILES, *sorted(KNOWN)])}.",
                )
            granted.update(meant)
        return cls(frozenset(granted))

    def allow(self, scope: str) -> bool:
        category = scope.partition(":")[0]
        return bool(self.granted & {EVERY, f"{category}:*", scope})

    def check(self, action: a.AtomicAction) -> None:
        """Raise what is missing for this action."""
        scope = scope_of(action)
        if not self.allow(scope):
            raise OutOfScope(f"This caller may not do that: it lacks {scope}.", scopes=[scope])


def scope_of(action: a.AtomicAction) -> str:
    """An action that nobody has given a scope needs all of them."""
    return next((scope for scope, kinds in NEEDED.items() if isinstance(action, kinds)), EVERY)
