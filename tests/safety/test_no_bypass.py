"""There is one way to a browser: the session. Every way in leads through its gate."""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import subterminator
from subterminator import Session
from subterminator import actions as a
from subterminator.agents.loop import run
from subterminator.agents.moves import Act, Complete, Move
from subterminator.agents.scripted import Scripted
from subterminator.doors.tool_server import BrowserToolServer
from subterminator.errors import SubTerminatorError
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from subterminator.verbs import Verbs
from tests.conftest import Person
from tests.site import Site

PACKAGE = Path(subterminator.__file__).parent

# Nobody else may hold a driver.
HOLDERS = {
    "session.py": "the gate",
    "execution.py": "the gate's hands: it does what was decided",
    "app.py": "starts the browser and gives it to the session",
}
# What a driver can do to a page.
DRIVEN = {"perform", "observe"}
# A door without a line here fails the test: say how it is covered, or why it leads nowhere.
DOORS = {
    "cli.py": "only starts the others",
    "exit_codes.py": "numbers",
    "tool_server.py": "covered: by_tool_server",
    "terminal.py": "answers questions; holds no session",
    "device.py": "reads a terminal; holds no session",
    "approval.py": "answers questions over the hub's socket; holds no session",
    "runs.py": "reads records; opens no browser",
    "services.py": "reads packs; opens no browser",
    "gym.py": "serves pages of our own; opens no browser",
    "cancel.py": "lets a planner lead: covered by by_planner",
    "score.py": "lets a planner lead on the gym: covered by by_planner",
    "demo.py": "lets a planner lead on the gym: covered by by_planner",
    "deputies.py": "stands in for a person; holds no session",
    "menu.py": "asks which service is meant; holds no session",
    "progress.py": "prints lines",
    "proof.py": "reads proofs; opens no browser",
    "audit.py": "reads statements; opens no browser",
}


def sources() -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("engine/"):
            yield name, ast.parse(path.read_text("utf-8"))


def test_no_module_but_the_session_reaches_a_driver() -> None:
    strangers = set()
    for name, tree in sources():
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(attr="_driver") | ast.Name(id="Driver" | "Chromium"):
                    strangers.add(name)
                case ast.Attribute(value=ast.Name(id="driver"), attr=attr) if attr in DRIVEN:
                    strangers.add(name)
                case _:
                    pass
    assert strangers <= HOLDERS.keys(), "only the session drives"


def test_nobody_reaches_into_a_session() -> None:
    """Its private parts would lead round the gate."""
    private = {"_driver", "_execution", "_consent", "_charter"}
    users = {
        name
        for name, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in private
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    }
    assert users == set()


def test_every_door_is_named_here() -> None:
    doors = {path.name for path in (PACKAGE / "doors").glob("*.py")} - {"__init__.py"}
    assert doors <= DOORS.keys(), "a new way in: cover it below, then name it in DOORS"


# What must not happen


class Danger(NamedTuple):
    """A page, and an action that hits /harm if nothing stops it."""

    page: str
    action: a.AtomicAction


HARM = "onclick=\"fetch('/harm')\""
DANGERS: dict[str, Danger] = {
    "a button that pays": Danger(f"<button {HARM}>Pay now</button>", a.Click("css:button")),
    "a link that deletes": Danger("<a href=/harm>Delete account</a>", a.Click("css:a")),
    "a div that ends it": Danger(
        f"<div role=button tabindex=0 {HARM}>Finish cancellation</div>", a.Click("css:div")
    ),
    "Enter in a form that sends": Danger(
        "<form action=/harm><input id=x value=Hello><button>Send message</button></form>",
        a.Press("Enter", "css:#x"),
    ),
    "a new line typed into it": Danger(
        "<form action=/harm><input id=x><button>Send message</button></form>",
        a.Type("Hello\n", "css:#x"),
    ),
    "Space on a button that buys": Danger(
        f"<button {HARM}>Jetzt kaufen</button>", a.Press("Space", "css:button")
    ),
    "an offer that is taken": Danger(
        f"<button {HARM}>Accept this offer</button>", a.Click("css:button")
    ),
    "a question of the browser's own": Danger(
        "<script>setTimeout(() => confirm('Really?') && fetch('/harm'))</script>",
        a.Dialog(accept=True),
    ),
    "a password": Danger(
        "<input type=password id=x oninput=\"fetch('/harm')\">", a.Fill("css:#x", "hunter2")
    ),
    "a frame of another site": Danger(
        "<iframe src='{other}/frame'></iframe>", a.Click("role:button:Go on")
    ),
    "an address elsewhere": Danger("Here", a.Navigate("{elsewhere}/harm")),
    "a tab elsewhere": Danger("Here", a.OpenTab("{elsewhere}/harm")),
    "a link that leaves": Danger("<a href='{elsewhere}/harm'>More</a>", a.Click("css:a")),
}


# Ways in


async def by_action(session: Session, action: a.AtomicAction) -> None:
    await session.call(action)


async def by_dict(session: Session, action: a.AtomicAction) -> None:
    await session.call(msgspec.to_builtins(action))


async def by_json(session: Session, action: a.AtomicAction) -> None:
    await session.call(msgspec.json.encode(action))


async def by_verb(session: Session, action: a.AtomicAction) -> None:
    match action:
        case a.Click(target=target):
            await session.click(target)
        case a.Press(key=key, target=target):
            await session.press(key, target)
        case a.Type(text=text, target=target):
            await session.type(text, target)
        case a.Fill(target=target, value=value):
            await session.fill(target, value)
        case a.Dialog(accept=accept):
            await session.dialog(accept)
        case a.Navigate(url=url):
            await session.navigate(url)
        case a.OpenTab(url=url):
            await session.open_tab(url)
        case _:
            raise AssertionError(f"no verb for {action}")


async def by_sequence(session: Session, action: a.AtomicAction) -> None:
    outcome = await session.execute(action)
    assert not outcome.success


async def by_tool_server(session: Session, action: a.AtomicAction) -> None:
    tools = BrowserToolServer(session)
    match action:
        case a.Click(target=target):
            await tools.browser_click(await ref_of(session, target))
        case a.Fill(target=target, value=text) | a.Type(target=target, text=text):
            await tools.browser_fill(await ref_of(session, target), text, clear_first=False)
        case _:
            pytest.skip("these tools cannot ask for that")


async def ref_of(session: Session, target: object) -> str:
    result = await session.hover(target)  # type: ignore[arg-type]
    assert result.target
    return result.target.ref


async def by_planner(session: Session, action: a.AtomicAction) -> None:
    moves: list[Move] = [Act(action), Complete("failed")]
    await run(
        session,
        Scripted(moves),
        human=subterminator.nobody,
        limits=Limits(),
        fence=Fence(),
        verify=None,
    )


WAYS: dict[str, Callable[[Session, a.AtomicAction], Awaitable[None]]] = {
    way.__name__: way
    for way in (by_action, by_dict, by_json, by_verb, by_sequence, by_tool_server, by_planner)
}


def test_every_verb_is_a_call() -> None:
    """A verb that did more than build an action could go round the gate."""
    tree = ast.parse((PACKAGE / "verbs.py").read_text("utf-8"))
    [verbs] = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == Verbs.__name__]
    for verb in verbs.body:
        if isinstance(verb, ast.AsyncFunctionDef) and verb.name != "call":
            awaited = [n for n in ast.walk(verb) if isinstance(n, ast.Await)]
            assert len(awaited) == 1 and "self.call(" in ast.unparse(awaited[0]), verb.name


def prepared(danger: Danger, site: Site) -> a.AtomicAction:
    """Put the page up; the action with the addresses of this site."""
    site.pages["/harm"] = "done"
    site.pages["/frame"] = f"<button {HARM}>Go on</button>"
    elsewhere = f"http://elsewhere.localhost:{site.port}"
    stranger = f"http://stranger.localhost:{site.port}"
    site.page(danger.page.replace("{elsewhere}", elsewhere).replace("{other}", stranger))
    written = msgspec.json.encode(danger.action).replace(b"{elsewhere}", elsewhere.encode())
    return msgspec.json.decode(written, type=a.AtomicAction)  # type: ignore[no-any-return]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", DANGERS)
async def test_no_way_in_leads_round_the_gate(
    session: Session, site: Site, name: str, way: str
) -> None:
    action = prepared(DANGERS[name], site)
    await session.navigate(f"{site.address}/")
    try:
        await WAYS[way](session, action)
    except SubTerminatorError as refusal:
        assert refusal.code in {"human_rejected", "handed_over", "refused", "approval_required"}
    if session.open_dialog is None:
        await session.wait(quiet=True)
    assert site.hits["/harm"] == 0


async def test_each_of_these_does_harm_if_the_person_says_yes(site: Site) -> None:
    person = Person()
    person.says = True
    # A browser of its own: a yes to leaving the sites adds to them.
    async with subterminator.open(site.page("Here"), human=person) as session:
        for name, danger in DANGERS.items():
            if name == "a password":
                continue  # A person types it; a yes does not make us do it.
            action = prepared(danger, site)
            await session.navigate(f"{site.address}/")
            site.hits.clear()
            await session.call(action)
            await session.wait(quiet=True)
            assert site.hits["/harm"] >= 1, name
    # The three that lead elsewhere lead to one place: once allowed, it is one of the sites.
    assert len(person.asked) == len(DANGERS) - 3
