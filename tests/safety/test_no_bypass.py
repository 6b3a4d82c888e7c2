"""There is one way to a browser: the session. Every way in leads through its gate."""

from __future__ import annotations

import ast
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import subterminator
from subterminator import Session
from subterminator import actions as a
from subterminator.agents.loop import run
from subterminator.agents.moves import Act, Complete, Move
from subterminator.agents.scripted import Scripted
from subterminator.doors.agent_sdk.person import Person as AgentPerson
from subterminator.doors.agent_sdk.work import Work as AgentWork
from subterminator.doors.mcp.wishes import Execute
from subterminator.doors.mcp.workplace import Workplace
from subterminator.doors.server.acting import ACTIONS, convert
from subterminator.doors.server.pages import Context
from subterminator.doors.server.params import ContextOptions
from subterminator.doors.shell.answering import Request, answer
from subterminator.doors.tool_server import BrowserToolServer
from subterminator.errors import SubTerminatorError
from subterminator.intake import name_of
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from subterminator.targets import parse_target
from subterminator.verbs import Verbs
from tests.conftest import Person
from tests.site import Site

PACKAGE = Path(subterminator.__file__).parent

# Nobody else may hold a driver.
HOLDERS = {
    "aims.py": "what an action is about; resolves, and does nothing",
    "session.py": "the gate",
    "execution.py": "the gate's hands: it does what was decided",
    "steward.py": "a part of the session: what is for programs only",
    "app.py": "starts the browser and gives it to the session",
}
# What a driver can do to a page.
DRIVEN = {"perform", "observe", "chore"}
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
    "goal.py": "lets a planner lead: covered by by_planner",
    "leading.py": "options; holds no session",
    "comparison.py": "counts; holds no session",
    "demo.py": "lets a planner lead on the gym: covered by by_planner",
    "deputies.py": "stands in for a person; holds no session",
    "menu.py": "asks which service is meant; holds no session",
    "progress.py": "prints lines",
    "proof.py": "reads proofs; opens no browser",
    "audit.py": "reads statements; cancels by way of queue.py",
    "queue.py": "runs of cancel.py, one after the other",
    "verify.py": "a session whose stage refuses every press; see tests/doors/test_verify.py",
    "browsing.py": "options of commands; holds no session",
    "serve.py": "starts the protocol server: covered by by_protocol",
    "entry.py": "only chooses between the shell and the command line",
    "replies.py": "puts replies into words; holds no session",
    "skill.py": "prints a page",
    "sets.py": "names of practice flows; holds no session",
    "server": "the protocol server: covered by by_protocol",
    "mcp": "MCP tools: covered by by_mcp; see also tests/doors/mcp/test_dialects.py",
    "extension": "a transport, and the person at its panel; holds no session",
    "shell": "verbs of a background session: covered by by_shell",
    "agent_sdk": "tools and a callback over a session's gate: covered by by_agent_sdk",
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
    here = PACKAGE / "doors"
    doors = {path.name for path in here.glob("*.py")} - {"__init__.py"}
    doors |= {path.parent.name for path in here.glob("*/__init__.py")}
    assert doors == DOORS.keys(), "a new way in: cover it below, then name it in DOORS"


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


async def by_shell(session: Session, action: a.AtomicAction) -> None:
    words: list[object]
    match action:
        case a.Click(target=target):
            words = ["click", target]
        case a.Press(key=key, target=target):
            words = ["press", key, target]
        case a.Type(text=text, target=target):
            words = ["type", text, target]
        case a.Fill(target=target, value=value):
            words = ["fill", target, value]
        case a.Dialog():
            words = ["dialog", "accept"]
        case a.Navigate(url=url) | a.OpenTab(url=url):
            words = [name_of(action).replace("_", "-"), url]
        case _:
            raise AssertionError(f"no verb for {action}")
    told = await answer(session, Request(tuple(map(str, words)), "/"))
    assert told.code in {1, 8}, told.out


async def by_mcp(session: Session, action: a.AtomicAction) -> None:
    place = Workplace(lambda _: nullcontext(session), subterminator.nobody)
    told = await place.perform(Execute(steps=(msgspec.to_builtins(action),)))
    assert told.failed, told.text


async def by_agent_sdk(session: Session, action: a.AtomicAction) -> None:
    """As the SDK does it: ask for permission; and then as if nobody had asked."""
    work = AgentWork(session, AgentPerson(subterminator.nobody))
    name, given = await in_words_of_a_team(session, action)
    await work.permit(name, given)
    assert (await work.perform(name, given)).failed


async def in_words_of_a_team(
    session: Session, action: a.AtomicAction
) -> tuple[str, dict[str, Any]]:
    match action:
        case a.Click(target=target):
            return "click", {"element_description": await ref_of(session, target)}
        case a.Fill(target=target, value=text):
            return "type_text", {"element_description": await ref_of(session, target), "text": text}
        case a.Type(target=target):
            field = {"element_description": await ref_of(session, target), "clear_first": False}
            return "type_text", {**field, "text": "Hello", "press_enter": True}
        case a.Dialog(accept=accept):
            return "answer_dialog", {"accept": accept}
        case a.Navigate(url=url):
            return "navigate", {"url": url}
        case _:
            pytest.skip("these tools cannot ask for that")


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


async def by_protocol(session: Session, action: a.AtomicAction) -> None:
    """As the server does it: read from the wire, then through a context."""
    context = Context("test", session, AsyncExitStack(), ContextOptions(), (1280, 720))
    await context.start(lambda *_: None)
    try:
        page = await context.create(5)
        method, given = on_the_wire(action)
        for each in ACTIONS[method].build(convert(given, ACTIONS[method].params)):
            await context.do(page, each)
    finally:
        session.listen(None)


def on_the_wire(action: a.AtomicAction) -> tuple[str, dict[str, Any]]:
    match action:
        case a.Click(target=target):
            return "action/click", {"selector": selector(target)}
        case a.Press(key=key, target=target) if target is not None:
            return "action/press", {"key": key, "selector": selector(target)}
        case a.Type(text=text, target=target) if target is not None:
            return "action/type", {"text": text, "selector": selector(target)}
        case a.Fill(target=target, value=value):
            return "action/fill", {"value": value, "selector": selector(target)}
        case _:
            # A client names further sites by going there, see tests/doors/server; dialogs are ours.
            pytest.skip("the protocol has its own rules for that")


def selector(target: Any) -> Any:
    return msgspec.to_builtins(parse_target(target))


WAYS: dict[str, Callable[[Session, a.AtomicAction], Awaitable[None]]] = {
    way.__name__: way
    for way in (
        by_action,
        by_dict,
        by_json,
        by_verb,
        by_sequence,
        by_tool_server,
        by_shell,
        by_agent_sdk,
        by_mcp,
        by_planner,
        by_protocol,
    )
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
