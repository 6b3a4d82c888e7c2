"""What is told of a resolved element for the gate: where it lives, and what changed since."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import Session, nobody
from subterminator.targets import ByRef
from subterminator.types import Resolved
from tests.engine.opened import opened, resolved
from tests.site import Site

FORM = """<form action=/send><label><input type=checkbox> Insurance</label>
  <button id=b onclick="fetch('/pressed')">Cancel plan</button></form>"""


async def again(session: Session, before: Resolved) -> Resolved:
    return await opened(session).resolver.resolve(ByRef(before.ref), 0)


async def do(session: Session, script: str) -> None:
    await opened(session).tab.channel.call("Runtime.evaluate", expression=script)


async def test_h23_an_element_carries_the_origins_of_all_frames_around_it(
    session: Session, site: Site
) -> None:
    site.page("<button>Finish</button>", "/inner")
    site.page("<iframe srcdoc='<iframe src=/inner></iframe>'></iframe>", "/middle")
    await session.navigate(site.page(f"<iframe src={site.other}/middle></iframe>"))
    await session.wait(text="Finish")
    found = await resolved(session, "text:Finish")
    assert found.frames == (site.address, site.other, site.other, site.other)
    assert found.origin == site.other
    await session.navigate(site.page("<button>Finish</button>"))
    assert (await resolved(session, "text:Finish")).frames == (site.address,)


async def test_a_sandboxed_frame_has_an_origin_of_its_own(session: Session, site: Site) -> None:
    page = "<iframe sandbox=allow-scripts srcdoc='<button>Finish</button>'></iframe>"
    await session.navigate(site.page(page))
    await session.wait(text="Finish")
    assert (await resolved(session, "text:Finish")).frames == (site.address, "null")


async def test_h24_a_new_load_of_the_same_address_is_another_document(
    session: Session, site: Site
) -> None:
    site.page("<button>Inside</button>", "/inner")
    await session.navigate(site.page(f"{FORM}<iframe src=/inner></iframe>"))
    page, inner = await resolved(session, "#b"), await resolved(session, "text:Inside")
    assert page.document and inner.document and page.document != inner.document
    assert (await again(session, page)).document == page.document
    await do(session, "frames[0].location.reload()")
    await session.wait(quiet=True)
    assert (await resolved(session, "text:Inside")).document != inner.document
    assert (await resolved(session, "#b")).document == page.document


async def test_h19_what_did_not_change_is_told_alike(session: Session, site: Site) -> None:
    await session.navigate(site.page(FORM))
    before = await resolved(session, "#b")
    code = await opened(session).resolver.handlers(before)
    await session.hover("#b")
    assert await again(session, before) == before
    assert await opened(session).resolver.handlers(before) == code


CHANGES = {
    "form action": "b.form.action = '/elsewhere'",
    "address of the button": "b.formAction = '/elsewhere'",
    "disabled": "b.disabled = true",
    "ticked": "document.querySelector('[type=checkbox]').checked = true",
    "inner field": "b.before(Object.assign(document.createElement('input'), { value: 'x' }))",
}


@pytest.mark.parametrize("script", CHANGES.values(), ids=CHANGES.keys())
async def test_h19_a_change_after_approval_is_seen_by_a_second_resolve(
    session: Session, site: Site, script: str
) -> None:
    await session.navigate(site.page(FORM))
    before = await resolved(session, "#b")
    await do(session, script)
    assert await again(session, before) != before


HANDLERS = {
    "attribute": "b.setAttribute('onclick', \"fetch('/bought')\")",
    "property": "b.onclick = () => fetch('/bought')",
    "listener": "b.addEventListener('click', () => fetch('/bought'))",
    "attribute around it": "b.form.setAttribute('onclick', \"fetch('/bought')\")",
    "submit": "b.form.addEventListener('submit', () => fetch('/bought'))",
}


@pytest.mark.parametrize("script", HANDLERS.values(), ids=HANDLERS.keys())
async def test_h19_another_handler_is_another_digest(
    session: Session, site: Site, script: str
) -> None:
    await session.navigate(site.page(FORM))
    before = await resolved(session, "#b")
    code = await opened(session).resolver.handlers(before)
    await do(session, script)
    assert await opened(session).resolver.handlers(before) != code


async def test_an_element_in_a_frame_of_a_puzzle_provider_is_part_of_a_puzzle(site: Site) -> None:
    host = "assets.arkoselabs.com"
    site.page("<button>Verify</button><iframe srcdoc='<button>Deep</button>'></iframe>", "/puzzle")
    page = f"<button>Sign in</button><iframe src=http://{host}:{site.port}/puzzle></iframe>"
    flags = [f"--host-resolver-rules=MAP {host} 127.0.0.1"]
    async with subterminator.open(site.page(page), human=nobody, flags=flags) as session:
        await session.wait(text="Deep")
        puzzles = {name: (await resolved(session, f"text:{name}")).captcha for name in NAMES}
    assert puzzles == {"Sign in": False, "Verify": True, "Deep": True}


NAMES = ("Sign in", "Verify", "Deep")
