"""The words to read a page by: those of the service, and those of the language the page speaks."""

from __future__ import annotations

from subterminator.agents.sight import Sight
from subterminator.agents.stages import Context, Page
from subterminator.packs.inheritance import merge
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry
from subterminator.page.snapshot import Snapshot


class Reader:
    """Reads pages of one run. A page that was read is not read again."""

    def __init__(self, pack: Pack, registry: Registry, context: Context) -> None:
        self.context = context
        self.own = pack
        self._registry = registry
        self._packs: dict[str, Pack] = {}
        self._last: Page | None = None

    def read(self, snapshot: Snapshot) -> Page:
        last = self._last
        if last is None or last.snapshot is not snapshot:
            sight = Sight(snapshot, frozenset(self.context.overlooked))
            self._last = last = Page(snapshot, self._pack(sight), self.context, sight)
        return last

    def again(self, snapshot: Snapshot) -> Page:
        """Read it anew because something else is known now."""
        self._last = None
        return self.read(snapshot)

    def _pack(self, sight: Sight) -> Pack:
        language = self.own.locales[0] if self.own.locales else ""
        spoken = self._registry.generic(language, sight.words)
        if spoken.id == self.own.id or spoken.id in self.own.extends:
            return self.own
        if spoken.id not in self._packs:
            is_generic = self.own.kind == "generic"
            self._packs[spoken.id] = spoken if is_generic else merge(self.own, [spoken])
        return self._packs[spoken.id]
