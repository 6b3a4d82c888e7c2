"""Thin verbs: each builds one action and hands it to the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack, cast

from subterminator import actions as a
from subterminator.page.find import Match
from subterminator.page.snapshot import Snapshot
from subterminator.result import ExecuteResult, Result
from subterminator.targets import Target
from subterminator.types import FrameInfo, TabInfo


class ClickOptions(TypedDict, total=False):
    button: a.Button
    count: int
    modifiers: tuple[a.Modifier, ...]
    hold_ms: int
    timeout_ms: int | None


class ViewOptions(TypedDict, total=False):
    viewport_only: bool
    roles: tuple[str, ...]
    root: Target | None
    depth: int | None
    max_elements: int | None
    timeout_ms: int | None


class Limit(TypedDict, total=False):
    timeout_ms: int | None


class Verbs:
    """What a program does with a page. Every method is `call` with an action."""

    async def call(self, action: a.Action | dict[str, Any] | bytes | str) -> Result:
        raise NotImplementedError

    async def navigate(
        self, url: str, *, wait_until: a.LoadState = "load", **limit: Unpack[Limit]
    ) -> Result:
        return await self.call(a.Navigate(url, wait_until, **limit))

    async def back(self, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Back(**limit))

    async def forward(self, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Forward(**limit))

    async def reload(self, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Reload(**limit))

    async def click(self, target: Target, **options: Unpack[ClickOptions]) -> Result:
        return await self.call(a.Click(target, **options))

    async def hover(
        self, target: Target, *, modifiers: tuple[a.Modifier, ...] = (), **limit: Unpack[Limit]
    ) -> Result:
        return await self.call(a.Hover(target, modifiers, **limit))

    async def fill(self, target: Target, value: str, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Fill(target, value, **limit))

    async def clear(self, target: Target, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Clear(target, **limit))

    async def type(
        self, text: str, target: Target | None = None, *, delay_ms: int = 0, **limit: Unpack[Limit]
    ) -> Result:
        return await self.call(a.Type(text, target, delay_ms, **limit))

    async def press(
        self,
        key: str,
        target: Target | None = None,
        *,
        count: int = 1,
        hold_ms: int = 0,
        **limit: Unpack[Limit],
    ) -> Result:
        return await self.call(a.Press(key, target, count, hold_ms, **limit))

    async def select(self, target: Target, *values: str, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Select(target, values, **limit))

    async def check(self, target: Target, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Check(target, **limit))

    async def uncheck(self, target: Target, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Uncheck(target, **limit))

    async def scroll(
        self,
        target: Target | None = None,
        *,
        direction: a.Direction | None = None,
        amount: int | None = None,
        to: tuple[int, int] | None = None,
        **limit: Unpack[Limit],
    ) -> Result:
        return await self.call(a.Scroll(target, direction, amount, to, **limit))

    async def drag(self, source: Target, target: Target, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Drag(source, target, **limit))

    async def upload(self, target: Target, *files: str | a.File, **limit: Unpack[Limit]) -> Result:
        return await self.call(a.Upload(target, files, **limit))

    async def wait(
        self,
        target: Target | None = None,
        state: a.ElementState | None = None,
        *,
        text: str | None = None,
        text_gone: str | None = None,
        url: str | None = None,
        load: a.LoadState | None = None,
        quiet: bool = False,
        time_ms: int | None = None,
        **limit: Unpack[Limit],
    ) -> Result:
        return await self.call(
            a.Wait(text, text_gone, target, state, url, load, quiet, time_ms, **limit)
        )

    async def snapshot(self, **view: Unpack[ViewOptions]) -> Snapshot:
        result = await self.call(a.TakeSnapshot(**view))
        return cast(Snapshot, result.snapshot)

    async def find(
        self, description: str, *, role: str | None = None, frame: str | None = None, limit: int = 5
    ) -> list[Match]:
        result = await self.call(a.Find(description, role, frame, limit))
        return cast(list[Match], result.value)

    async def text(
        self, target: Target | None = None, *, frame: str | None = None, max_length: int = 20_000
    ) -> str:
        result = await self.call(a.ReadText(target, frame, max_length))
        return str(result.value["text"])

    async def screenshot(
        self,
        target: Target | None = None,
        *,
        full_page: bool = False,
        format: a.ImageFormat = "png",
        quality: int | None = None,
        max_size: tuple[int, int] | None = None,
        masked: bool = False,
    ) -> bytes:
        shot = a.Screenshot(target, full_page, format, quality, max_size, masked)
        result = await self.call(shot)
        return bytes(result.value.data)

    async def tabs(self) -> Sequence[TabInfo]:
        return cast(Sequence[TabInfo], (await self.call(a.ListTabs())).value)

    async def select_tab(self, tab: str) -> Result:
        return await self.call(a.SelectTab(tab))

    async def open_tab(self, url: str = "about:blank") -> Result:
        return await self.call(a.OpenTab(url))

    async def close_tab(self, tab: str | None = None) -> Result:
        return await self.call(a.CloseTab(tab))

    async def frames(self) -> Sequence[FrameInfo]:
        return cast(Sequence[FrameInfo], (await self.call(a.ListFrames())).value)

    async def select_frame(self, frame: str | None) -> Result:
        return await self.call(a.SelectFrame(frame))

    async def dialog(self, accept: bool, text: str | None = None) -> Result:
        return await self.call(a.Dialog(accept, text))

    async def execute(
        self,
        *steps: a.Step | a.AtomicAction,
        stop_on_first_error: bool = True,
        continue_on_condition_fail: bool = False,
        **limit: Unpack[Limit],
    ) -> ExecuteResult:
        """Run several actions in one go; a bare action is a step without condition or retries."""
        plan = tuple(step if isinstance(step, a.Step) else a.Step(step) for step in steps)
        result = await self.call(
            a.Execute(plan, stop_on_first_error, continue_on_condition_fail, **limit)
        )
        return cast(ExecuteResult, result.value)
