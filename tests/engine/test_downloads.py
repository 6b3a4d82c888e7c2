"""Downloads: told in the reply, under a harmless name in the session's folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import subterminator
from subterminator import actions as a
from subterminator import nobody
from subterminator.engine.chromium import Chromium
from subterminator.engine.downloads import Quota
from subterminator.engine.launch import WINDOW, launch
from subterminator.types import Download
from tests.engine import processes
from tests.engine.driving import Wheel
from tests.engine.running import BROWSER
from tests.site import Answer, Site, listening

Session = subterminator.Session


def attachment(name: str, body: str | bytes = "content", delay: float = 0) -> Answer:
    disposition = f"attachment; filename={name}"
    return Answer(body, "200 OK", "application/pdf", (("Content-Disposition", disposition),), delay)


async def test_a_download_is_in_the_reply_with_its_path(session: Session, site: Site) -> None:
    site.pages["/file"] = attachment("invoice.pdf")
    await session.navigate(site.page("<a href=/file>Invoice</a>"))
    result = await session.click("text:Invoice")
    [download] = result.happened.downloads
    assert (download.name, download.state, download.size) == ("invoice.pdf", "completed", 7)
    assert download.url == f"{site.address}/file"
    assert Path(download.path).read_text("utf-8") == "content"
    assert Path(download.path).name == "invoice.pdf"
    assert "invoice.pdf" in result.text() and download.path in result.text()
    assert result.page.url == f"{site.address}/" and result.happened.settled == "quiet"


async def test_a_navigation_that_is_a_download_is_told_as_one(session: Session, site: Site) -> None:
    site.pages["/file"] = attachment("a.pdf")
    await session.navigate(site.page("Here"))
    result = await session.navigate(f"{site.address}/file")
    assert [download.name for download in result.happened.downloads] == ["a.pdf"]
    assert result.page.url == f"{site.address}/"


async def test_a_download_from_a_frame_of_another_site_is_told(
    session: Session, site: Site
) -> None:
    site.pages["/file"] = attachment("inner.pdf")
    site.page("<a href=/file>Get</a>", "/inner")
    await session.navigate(site.page(f"<iframe src='{site.other}/inner'></iframe>"))
    [download] = (await session.click("text:Get")).happened.downloads
    assert download.name == "inner.pdf"


@pytest.mark.parametrize(
    "control",
    [
        "<a href=/file download>Get</a>",
        "<a href=/file>Get</a>",
        "<button onclick=\"const a = document.createElement('a'); a.href = '/file';"
        " a.download = ''; a.click()\">Get</button>",
    ],
)
async def test_a_file_whose_server_thinks_for_a_while_is_in_the_reply_too(
    control: str, session: Session, site: Site
) -> None:
    site.pages["/file"] = attachment("slow.pdf", delay=0.3)
    await session.navigate(site.page(control))
    [download] = (await session.click("text:Get")).happened.downloads
    assert (download.name, download.state) == ("slow.pdf", "completed")


async def test_a_file_made_by_the_page_is_a_download_too(session: Session, site: Site) -> None:
    script = """const a = document.createElement('a'); a.download = 'made.txt';
        a.href = window.URL.createObjectURL(new Blob(['made here'])); a.click()"""
    await session.navigate(site.page(f'<button onclick="{script}">Save</button>'))
    [download] = (await session.click("text:Save")).happened.downloads
    assert Path(download.path).read_text("utf-8") == "made here"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name",
    [
        "../../x.pdf",
        "..\\..\\x.pdf",
        "/etc/x.pdf",
        "C:\\x.pdf",
        ".hidden.pdf",
        "..",
        "a%00b.pdf",
        "a%0Ab.pdf",
        "%E2%80%AEfdp.exe",
        "x" * 1000 + ".pdf",
        "",
    ],
)
async def test_a_page_does_not_decide_where_a_file_goes(
    session: Session, site: Site, name: str
) -> None:
    written = f"UTF-8''{name}" if "%" in name else f'"{name}"'
    key = "attachment; filename*=" if "%" in name else "attachment; filename="
    site.pages["/file"] = Answer(
        "content", kind="application/pdf", headers=(("Content-Disposition", key + written),)
    )
    site.pages["/first"] = attachment("first.pdf")
    await session.navigate(site.page("<a href=/first>First</a> <a href=/file>Other</a>"))
    [first] = (await session.click("text:First")).happened.downloads
    [download] = (await session.click("text:Other")).happened.downloads
    path = Path(download.path)
    assert path.parent == Path(first.path).parent
    assert path.read_text("utf-8") == "content"
    assert 0 < len(path.name) <= 160
    assert not path.name.startswith(".")
    assert path.name.isprintable() and "\u202e" not in path.name


async def test_the_same_name_twice_gives_two_files(session: Session, site: Site) -> None:
    bodies = iter(["one", "two", "three"])
    site.pages["/file"] = lambda _: attachment("same.pdf", next(bodies))
    await session.navigate(site.page("<a href=/file>Get</a>"))
    results = [await session.click("text:Get") for _ in range(3)]
    paths = [Path(result.happened.downloads[0].path) for result in results]
    assert len(set(paths)) == 3
    assert [path.read_text("utf-8") for path in paths] == ["one", "two", "three"]


async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Promise more than is sent."""
    await reader.readuntil(b"\r\n\r\n")
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 1000\r\n"
    writer.write(f"{head}Content-Disposition: attachment; filename=half.pdf\r\n\r\n".encode())
    writer.write(b"half")
    await writer.drain()


async def test_a_download_that_breaks_off_is_told_as_such(session: Session, site: Site) -> None:
    async with listening(break_off) as port:
        await session.navigate(site.page(f"<a href='http://127.0.0.1:{port}/'>Get</a>"))
        result = await session.click("text:Get")
    [download] = result.happened.downloads
    assert (download.state, download.path) == ("canceled", "")
    assert "download canceled" in result.text()


async def test_a_slow_download_is_told_as_running_and_later_as_done(
    session: Session, site: Site
) -> None:
    go_on = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 8\r\n"
        writer.write(f"{head}Content-Disposition: attachment; filename=a.pdf\r\n\r\nhalf".encode())
        await writer.drain()
        await go_on.wait()
        writer.write(b"half")
        await writer.drain()

    async with listening(serve) as port:
        page = f"<a href='http://127.0.0.1:{port}/'>Get</a> <button>Other</button>"
        await session.navigate(site.page(page))
        [running] = (await session.click("text:Get")).happened.downloads
        assert (running.state, running.path) == ("running", "")
        [still] = (await session.click("text:Other")).happened.downloads
        assert still.state == "running"
        go_on.set()
        done = await session.wait(time_ms=300)
    [download] = done.happened.downloads
    assert (download.id, download.state) == (running.id, "completed")
    assert Path(download.path).read_text("utf-8") == "halfhalf"
    assert (await session.click("text:Other")).happened.downloads == ()


async def test_downloads_end_with_the_session(site: Site) -> None:
    site.pages["/file"] = attachment("a.pdf")
    url = site.page("<a href=/file>Get</a>")
    async with subterminator.open(url, human=nobody) as session:
        [download] = (await session.click("text:Get")).happened.downloads
        path = Path(download.path)
        assert path.exists()
        assert not path.is_relative_to(processes.profile_of(processes.newest_browser()))
    assert not path.exists()


# H16: more than the disk should hold

KB = 1024
SMALL = Quota(total=300 * KB, largest=200 * KB, files=5)


@pytest.fixture
async def bounded() -> AsyncIterator[Wheel]:
    """A driver whose folder of downloads holds little."""
    launched = await launch(BROWSER)
    driver = await Chromium(launched.connection, launched, WINDOW, SMALL).attach()
    yield Wheel(driver)
    await driver.close()


class Endless:
    """Sends a file that never ends, and counts what was taken of it."""

    def __init__(self) -> None:
        self.sent = 0
        self.broken_off = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\n"
        writer.write(f"{head}Content-Disposition: attachment; filename=a.zip\r\n\r\n".encode())
        try:
            while True:
                writer.write(bytes(16 * KB))
                self.sent += 16 * KB
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            self.broken_off.set()


async def ended(wheel: Wheel, downloads: tuple[Download, ...]) -> tuple[Download, ...]:
    """The downloads of a reply, once none of them runs any more."""
    while not downloads or any(download.state == "running" for download in downloads):
        downloads = (await wheel.do(a.Wait(time_ms=50))).happened.downloads
    return downloads


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_h16_a_file_without_end_is_broken_off(bounded: Wheel, site: Site) -> None:
    endless = Endless()
    site.pages["/small"] = attachment("small.pdf")
    async with listening(endless.serve) as port:
        page = f"<a href=/small>Small</a> <a href='http://127.0.0.1:{port}/'>Get</a>"
        await bounded.go(site.page(page))
        [small] = await ended(bounded, (await bounded.click("text:Small")).happened.downloads)
        [download] = await ended(bounded, (await bounded.click("text:Get")).happened.downloads)
        await endless.broken_off.wait()
    assert (download.state, download.path) == ("refused: too large", "")
    folder = Path(small.path).parent
    assert await processes.until(lambda: files(folder) == ["small.pdf"])


async def test_h16_a_file_that_says_it_is_too_large_is_refused(bounded: Wheel, site: Site) -> None:
    site.pages["/file"] = attachment("large.zip", bytes(SMALL.largest + 1))
    await bounded.go(site.page("<a href=/file>Get</a>"))
    [download] = await ended(bounded, (await bounded.click("text:Get")).happened.downloads)
    assert (download.state, download.path) == ("refused: too large", "")


async def test_h16_files_together_stay_within_the_quota(bounded: Wheel, site: Site) -> None:
    site.pages["/file"] = attachment("half.zip", bytes(SMALL.largest))
    await bounded.go(site.page("<a href=/file>Get</a>"))
    told: list[Download] = []
    for _ in range(3):
        reply = await bounded.click("text:Get")
        told += await ended(bounded, reply.happened.downloads)
    assert [d.state for d in told] == ["completed", "refused: too large", "refused: too large"]
    folder = Path(told[0].path).parent
    assert await processes.until(lambda: files(folder) == ["half.zip"])


async def test_h16_more_files_than_the_limit_are_refused(bounded: Wheel, site: Site) -> None:
    site.pages["/file"] = attachment("a.txt")
    await bounded.go(site.page("<a href=/file>Get</a>"))
    states: list[str] = []
    for _ in range(SMALL.files + 2):
        reply = await bounded.click("text:Get")
        states += [d.state for d in await ended(bounded, reply.happened.downloads)]
    assert states == ["completed"] * SMALL.files + ["refused: too many"] * 2
