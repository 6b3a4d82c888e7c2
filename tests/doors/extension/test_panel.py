"""The panel: what a person sees and says there, by keyboard; and that nobody else can say it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import Struct

from subterminator.agents.outcome import Progress, TaskResult
from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.panel import Panel
from subterminator.doors.extension.wire import EXTENSION_ID
from subterminator.engine.cdp import Channel
from subterminator.safety.human import Question, describe
from tests.doors.extension.owned import SOON, Owned
from tests.doors.extension.test_content import inside_mark, page_of
from tests.engine.driving import Wheel
from tests.questions import CANCEL, PASSWORD, PAY, asked
from tests.site import Site

PANEL = f"chrome-extension://{EXTENSION_ID}/panel.html"
KEYS = {"Tab": 9, "Enter": 13, " ": 32}


class Screen(Struct):
    """The panel's page with a person at its keyboard, and the run that it shows."""

    mine: Owned
    panel: Panel

    @property
    def page(self) -> Channel:
        return self.mine.browser.panel

    async def see(self, expression: str) -> Any:
        return await self.mine.browser.run(expression)

    async def until(self, expression: str) -> None:
        async with asyncio.timeout(SOON):
            while not await self.see(expression):
                await asyncio.sleep(0.03)

    async def press(self, key: str) -> None:
        text = {"Enter": "\r", " ": " "}.get(key, "")
        about = {"key": key, "code": key.strip() or "Space", "windowsVirtualKeyCode": KEYS[key]}
        kind = "keyDown" if text else "rawKeyDown"
        await self.page.call("Input.dispatchKeyEvent", type=kind, text=text, **about)
        await self.page.call("Input.dispatchKeyEvent", type="keyUp", **about)

    async def type(self, text: str) -> None:
        await self.page.call("Input.insertText", text=text)

    async def focused(self) -> str:
        words = "document.activeElement.textContent || document.activeElement.tagName"
        return str(await self.see(words)).strip()

    async def ready(self) -> None:
        """Until it is asked, and what was pressed before cannot be meant any more."""
        await self.until("document.querySelector('.ask') !== null")
        await asyncio.sleep(0.9)  # as long as the panel itself waits


@pytest.fixture
async def screen(mine: Owned) -> AsyncIterator[Screen]:
    portion = (await mine.line()).portion()
    await mine.browser.panel.call("Page.bringToFront")
    await mine.browser.panel.call("Emulation.setFocusEmulationEnabled", enabled=True)
    screen = Screen(mine, Panel(portion))
    yield screen
    await portion.close()


def asking(screen: Screen, question: Question) -> asyncio.Task[bool]:
    ask = screen.panel.hand_over if question.hand_over else screen.panel.approve
    return asyncio.get_running_loop().create_task(ask(question))


async def test_the_gate_shows_the_facts_of_the_terminals_screen(screen: Screen) -> None:
    question = asked(CANCEL)
    answer = asking(screen, question)
    await screen.until("document.querySelector('.ask') !== null")
    title, *lines = describe(question)
    assert await screen.see("document.querySelector('.ask h2').textContent") == title
    facts = await screen.see("document.querySelector('.ask dl').textContent")
    for line in lines:
        assert line[10:].strip() in facts
    await screen.press("Enter")
    assert await answer is False


async def test_enter_alone_is_no_and_no_has_the_keyboard(screen: Screen) -> None:
    answer = asking(screen, asked(CANCEL))
    await screen.ready()
    assert await screen.focused() == "No, stop"
    await screen.press("Enter")
    assert await answer is False
    await screen.until("document.querySelector('.ask') === null")


async def test_a_person_says_yes_by_keyboard(screen: Screen) -> None:
    answer = asking(screen, asked(CANCEL))
    await screen.ready()
    await screen.press("Tab")
    assert await screen.focused() == "Yes, go on"
    await screen.press("Enter")
    assert await answer is True


async def test_what_has_just_appeared_cannot_be_agreed_to(screen: Screen) -> None:
    answer = asking(screen, asked(CANCEL))
    await screen.until("document.querySelector('.ask') !== null")
    assert await screen.see("document.querySelector('.yes').disabled") is True
    await screen.ready()
    assert await screen.see("document.querySelector('.yes').disabled") is False
    # And a script's press is none.
    await screen.see("document.querySelector('.yes').click()")
    assert not answer.done()
    await screen.press("Enter")
    assert await answer is False


async def test_where_money_is_at_stake_the_amount_has_to_be_typed(screen: Screen) -> None:
    answer = asking(screen, asked(PAY))
    await screen.ready()
    assert await screen.see("document.querySelector('.yes').disabled") is True
    await screen.see("document.querySelector('.ask input').focus()")
    await screen.type("yes")
    assert await screen.see("document.querySelector('.yes').disabled") is True
    await screen.press("Enter")
    assert not answer.done()
    await screen.see("document.querySelector('.ask input').select()")
    await screen.type("15.49 USD")
    await screen.press("Enter")
    assert await screen.focused() == "Yes, go on"
    await screen.press(" ")
    assert await answer is True


async def test_a_hand_over_says_that_nobody_looks_and_goes_on_when_it_is_done(
    screen: Screen,
) -> None:
    answer = asking(screen, asked(PASSWORD))
    await screen.ready()
    assert "I am not looking" in await screen.see("document.querySelector('.how').textContent")
    assert await screen.focused() == "Stop"
    await screen.press("Tab")
    await screen.press("Enter")
    assert await answer is True


async def test_a_question_that_is_answered_elsewhere_goes_away(screen: Screen) -> None:
    answer = asking(screen, asked(CANCEL))
    await screen.until("document.querySelector('.ask') !== null")
    answer.cancel()
    await screen.until("document.querySelector('.ask') === null")


async def test_a_run_is_told_live_and_its_proof_at_the_end(screen: Screen) -> None:
    screen.panel.begin("r1", "Netflix", "cancel it")
    screen.panel.tell(Progress("START", "Opening the account page <b>now</b>."))
    await screen.until("document.getElementById('log').children.length === 1")
    # As text, whatever it holds.
    words = await screen.see("document.getElementById('log').firstChild.textContent")
    assert words == "Opening the account page <b>now</b>."
    assert await screen.see("document.getElementById('goal').textContent") == "Netflix: cancel it"
    result = TaskResult(
        success=True,
        verified=True,
        reason="completed",
        outcome="cancelled",
        turns=1,
        proof="/proofs/netflix",
    )
    screen.panel.end(result, "Cancelled and proven.")
    await screen.until("!document.getElementById('end').hidden")
    shown = await screen.see("document.getElementById('end').innerText")
    assert "Cancelled and proven." in shown and "/proofs/netflix" in shown


async def test_one_press_stops_everything(screen: Screen, site: Site) -> None:
    mine = screen.mine
    tab = await mine.open_page(site.page("<button>Mine</button>"))
    await mine.browser.say("Pick", tab=tab)
    await screen.until("!document.getElementById('foot').hidden")
    screen.panel.begin("r2", "Netflix", "cancel it")
    await screen.see("document.getElementById('halt').focus()")
    await screen.press("Enter")
    async with asyncio.timeout(SOON):
        await screen.panel.stopped.wait()
    await screen.until("chrome.storage.session.get('picked').then(({picked}) => !picked.length)")
    await screen.see(f"chrome.tabs.remove({tab})")


async def test_a_tab_is_picked_by_its_box_and_only_then_given(screen: Screen, site: Site) -> None:
    mine = screen.mine
    url = site.page("<button>Account</button>", "/account", title="My account")
    tab = await mine.open_page(url)
    box = f"document.querySelector('[data-tab=\"{tab}\"]')"
    await screen.until(f"{box} !== null")
    async with mine.driver() as driver:
        assert url not in [each.url for each in await Wheel(driver).tabs()]
        await mine.browser.panel.call("Page.bringToFront")
        await screen.see(f"{box}.focus()")
        await screen.press(" ")
        async with asyncio.timeout(SOON):
            while url not in [each.url for each in await Wheel(driver).tabs()]:
                await asyncio.sleep(0.05)
        await screen.until(f"{box}.checked")
        page = await page_of(mine, url)
        await inside_mark(page)
        await screen.see(f"{box}.focus()")
        await screen.press(" ")
        await screen.until(f"!{box}.checked")
        await inside_mark(page, there=False)
    await screen.see(f"chrome.tabs.remove({tab})")


# Nobody else


def test_the_extension_opens_nothing_to_pages_or_other_extensions() -> None:
    manifest = json.loads((extension_folder() / "manifest.json").read_text("utf-8"))
    assert "web_accessible_resources" not in manifest
    assert "externally_connectable" not in manifest
    assert "content_scripts" not in manifest
    policy = manifest["content_security_policy"]["extension_pages"]
    assert "frame-ancestors 'none'" in policy and "script-src 'self'" in policy
    assert "unsafe" not in policy


async def test_a_page_can_neither_show_the_panel_nor_reach_it(mine: Owned, site: Site) -> None:
    url = site.page(f'<iframe src="{PANEL}"></iframe><script>const say = chrome?.runtime?.connect'
                    "</script>", "/evil")  # fmt: skip
    tab = await mine.open_page(url)
    page = await page_of(mine, url)
    reach = f"""Promise.all([
      fetch('{PANEL}').then(() => 'read', () => 'no'),
      import('{PANEL.replace("panel.html", "panel.js")}').then(() => 'ran', () => 'no'),
      new Promise((done) => {{
        try {{ chrome.runtime.sendMessage('{EXTENSION_ID}', {{type: 'Answer'}}, () => done('sent')); }}
        catch {{ done('no'); }}
      }}),
    ])"""
    asked = await page.call(
        "Runtime.evaluate", expression=reach, awaitPromise=True, returnByValue=True
    )
    assert asked["result"]["value"] == ["no", "no", "no"]
    frames = (await page.call("Page.getFrameTree"))["frameTree"].get("childFrames", [])
    assert all("panel.html" not in each["frame"]["url"] for each in frames)
    await mine.browser.run(f"chrome.tabs.remove({tab})")


async def test_a_script_of_ours_in_a_page_cannot_answer_for_the_person(
    screen: Screen, site: Site
) -> None:
    """Even if a page could make our own script there say something."""
    mine = screen.mine
    url = site.page("<button>Page</button>", "/page")
    question = asked(CANCEL)
    async with mine.driver() as driver:
        await Wheel(driver).go(url)
        page = await page_of(mine, url)
        worlds: list[dict[str, Any]] = []
        page.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
        await page.call("Runtime.enable")
        ours = [w["id"] for w in worlds if w["origin"].startswith("chrome-extension://")]
        assert ours
        answer = asking(screen, question)
        await screen.until("document.querySelector('.ask') !== null")
        said = {"id": question.id, "digest": question.digest, "yes": True, "words": "yes"}
        forged = f"""(() => {{ const port = chrome.runtime.connect({{name: 'panel'}});
          port.postMessage({{type: 'Answer', data: {json.dumps(said)}}});
          return new Promise((done) => port.onDisconnect.addListener(() => done('refused'))); }})()"""
        told = await page.call(
            "Runtime.evaluate", expression=forged, contextId=ours[0], awaitPromise=True,
            returnByValue=True,
        )  # fmt: skip
        assert told["result"]["value"] == "refused"
        assert not answer.done()
        answer.cancel()


# For everybody's eyes and ears


async def test_a_screen_reader_finds_its_way(screen: Screen) -> None:
    screen.panel.begin("r3", "Netflix", "cancel it")
    answer = asking(screen, asked(PAY))
    await screen.ready()
    tree = (await screen.page.call("Accessibility.getFullAXTree"))["nodes"]
    shown = [node for node in tree if not node.get("ignored")]
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in shown]
    names = dict(roles)
    assert {"banner", "main", "contentinfo", "alertdialog", "log", "status"} <= set(names)
    assert "COSTS MONEY" in names["alertdialog"]
    usable = [pair for pair in roles if pair[0] in {"button", "checkbox", "radio", "textbox"}]
    assert usable and all(name for _, name in usable)
    assert ("textbox", "Type 15.49 USD to say yes") in roles
    answer.cancel()


@pytest.mark.parametrize("width", [240, 320, 480])
async def test_nothing_is_cut_off_in_a_narrow_panel(screen: Screen, width: int) -> None:
    answer = asking(screen, asked(PAY))
    await screen.ready()
    size = {"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": False}
    await screen.page.call("Emulation.setDeviceMetricsOverride", **size)
    try:
        assert await screen.see("document.documentElement.scrollWidth <= innerWidth")
    finally:
        await screen.page.call("Emulation.clearDeviceMetricsOverride")
    answer.cancel()


def test_every_colour_can_be_read_in_light_and_dark() -> None:
    style = (extension_folder() / "panel.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        colour = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
        for text in ("text", "quiet", "danger"):
            for ground in ("ground", "raised"):
                assert contrast(colour[text], colour[ground]) >= 4.5, (text, ground)
        assert contrast(colour["on-accent"], colour["accent"]) >= 4.5
        assert contrast(colour["on-danger"], colour["danger"]) >= 4.5
        assert contrast(colour["edge"], colour["ground"]) >= 3


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
