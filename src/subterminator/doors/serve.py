"""`subterminator serve`: the protocol server. Parses and prints; the server itself is elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct, convert

from subterminator.config import Settings, load, private_folder
from subterminator.errors import ActionFailed, InvalidParams
from subterminator.machine import this_machine
from subterminator.safety.files import check_private, write_private
from subterminator.safety.scopes import PROFILES, Scopes

if TYPE_CHECKING:
    import socket

    from subterminator.doors.extension.switchboard import Switchboard
    from subterminator.doors.server.application import Address
    from subterminator.doors.server.tokens import Tokens

FOLDER = "server"
MISSING = "The server needs packages that are not installed."
INSTALL = "Run: python3 -m pip install 'subterminator[server]'"
SNIPPET = """
    import asyncio
    from subterminator.client import connect

    async def main():
        async with connect({address!r}, token_file={token!r}) as session:
            await session.navigate("https://example.com")
            print((await session.snapshot()).text())

    asyncio.run(main())
"""
PUBLISHED = """
    from browseragentprotocol import BAPClient
    client = BAPClient({address!r}, token=open({token!r}).read().strip())
"""
QUERY_WARNING = (
    "WARNING: tokens are accepted in addresses. Addresses end up in logs, histories and process "
    "lists: use this only for clients that cannot do otherwise, on a machine of your own."
)


class Flags(Struct, frozen=True, kw_only=True):
    """The command line as it was typed. None: not given."""

    port: int | None
    token_file: str | None
    approver_token_file: str | None
    scopes: str
    sites: str | None
    allow_query_token: bool
    allow_origin: tuple[str, ...]
    headless: bool | None
    browser: str | None
    approval_seconds: float
    rate: float


@click.command("serve", short_help="Let programs drive a browser over a WebSocket.")
@click.option("--port", type=click.IntRange(0, 65535), help="Kept for later starts; 0: a new one.")
@click.option("--token-file", metavar="PATH", help="Where the token of clients is, or is put.")
@click.option(
    "--approver-token-file",
    metavar="PATH",
    help="Also let a person answer over the protocol, with this token. It can do nothing else.",
)
@click.option(
    "--scopes",
    default="standard",
    show_default=True,
    metavar="NAMES",
    help=f"What clients may do: {', '.join(PROFILES)}, or scopes such as page:*,action:click.",
)
@click.option("--sites", metavar="HOSTS", help="Clients may only go to these hosts; comma list.")
@click.option("--allow-query-token", is_flag=True, help="Take tokens in addresses, too. A risk.")
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="A page that may connect.")
@click.option("--headless/--show", default=None, help="Without or with a window.")
@click.option("--browser", metavar="PATH", help="The browser to start.")
@click.option(
    "--approval-seconds",
    type=click.FloatRange(1, 600),
    default=20.0,
    show_default=True,
    help="How long a client waits for a person's answer.",
)
@click.option(
    "--rate",
    type=click.FloatRange(1, 100_000),
    default=50.0,
    show_default=True,
    help="Requests a second of one connection, and for one page.",
)
def serve(**chosen: object) -> None:
    """Serve the Browser Agent Protocol on this machine, until Ctrl-C.

    What cannot be undone is asked: answer with `subterminator approve` in another terminal.
    """
    flags = convert(chosen, Flags)
    settings = load(
        this_machine(),
        {
            "headless": flags.headless,
            "browser": flags.browser,
            "sites": [host for host in flags.sites.split(",") if host] if flags.sites else None,
        },
    )
    try:
        asyncio.run(_serve(flags, settings))
    except KeyboardInterrupt:
        click.echo("Closed.")


async def _serve(flags: Flags, settings: Settings) -> None:
    try:
        from subterminator.doors.extension.bridge import bridging
        from subterminator.doors.extension.route import extension_route, new_switchboard
        from subterminator.doors.extension.wire import ORIGIN
        from subterminator.doors.mcp.mounting import mcp_routes
        from subterminator.doors.server.application import listening
        from subterminator.doors.server.limits import Limits
        from subterminator.doors.server.service import serving
        from subterminator.doors.server.tokens import Tokens
    except ModuleNotFoundError as missing:
        if missing.name not in {"starlette", "uvicorn"}:
            raise
        raise ActionFailed(MISSING, next_step=INSTALL) from missing
    folder = private_folder(settings.state_dir) / FOLDER
    private_folder(str(folder))
    tokens = Tokens()
    token_file = _add_tokens(flags, folder, tokens)
    limits = Limits(
        approval_seconds=flags.approval_seconds,
        answer_seconds=flags.approval_seconds + 8,
        requests=flags.rate,
        page_requests=flags.rate,
        token_requests=20 * flags.rate,
    )
    origins = [_origin(origin) for origin in flags.allow_origin]
    with contextlib.closing(kept_socket(flags.port, folder / "port")) as server:
        board = new_switchboard(folder, server, limits)
        async with (
            serving(settings, tokens, limits) as service,
            mcp_routes(service) as routes,
            listening(
                service,
                server,
                origins=origins,
                allow_query_token=flags.allow_query_token,
                extension=ORIGIN,
                more=[extension_route(board), *routes],
            ) as address,
            bridging(board, settings.state_dir),
        ):
            _tell(flags, address, token_file)
            _tell_of_extension(board)
            with _until_stopped() as stopped:
                await stopped.wait()
            board.close()
    click.echo("Closed.")


def _add_tokens(flags: Flags, folder: Path, tokens: Tokens) -> Path:
    from subterminator.doors.server.tokens import kept_token

    scopes = Scopes.of(name.strip() for name in flags.scopes.split(",") if name.strip())
    if not scopes.granted:
        raise InvalidParams("No scopes are given.", next_step="See subterminator serve --help.")
    token_file = _path(flags.token_file) if flags.token_file else folder / "token"
    token = kept_token(token_file)
    tokens.add(token, scopes)
    if flags.approver_token_file:
        other = kept_token(_path(flags.approver_token_file))
        if other == token:
            raise InvalidParams(
                "The token of clients cannot also be that of the person.",
                next_step="Name another file with --approver-token-file.",
            )
        tokens.add(other, Scopes(frozenset()), role="person")
    return token_file


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def kept_socket(port: int | None, file: Path) -> socket.socket:
    """The port that was chosen at the first start: clients that know it need not be told again."""
    from subterminator.doors.server.application import bound_socket

    if port is None and check_private(file):
        text = file.read_text(encoding="ascii", errors="replace").strip()
        port = int(text) if text.isdecimal() and 0 < int(text) < 65536 else 0
    server = bound_socket(port or 0)
    write_private(file, f"{server.getsockname()[1]}\n".encode())
    return server


def _origin(text: str) -> str:
    """Exactly as a browser writes it: no path, no star."""
    scheme, _, host = text.partition("://")
    if not scheme or not host or set(host) & set("/*?# ") or text == "null":
        raise InvalidParams(
            f"{text[:100]!r} is no origin.",
            next_step="Write it as https://host or chrome-extension://id.",
        )
    return text


def _tell(flags: Flags, address: Address, token_file: Path) -> None:
    click.echo(f"Listening on {address.websocket}, for this machine only. Stop it with Ctrl-C.")
    click.echo(f"Token of clients ({flags.scopes}): in {token_file}")
    if flags.approver_token_file:
        click.echo(f"Token of the person: in {_path(flags.approver_token_file)}")
    click.echo(SNIPPET.format(address=address.websocket, token=str(token_file)))
    if flags.allow_query_token:
        click.echo(PUBLISHED.format(address=address.websocket, token=str(token_file)))
        click.echo(QUERY_WARNING, err=True)


def _tell_of_extension(board: Switchboard) -> None:
    if paired := ", ".join(each.name for each in board.pairings.all()):
        click.echo(f"Paired browsers: {paired}. Another one: subterminator extension pair")
    else:
        click.echo(
            f"To pair your own browser, type {board.new_code()} in our extension's panel, within "
            "10 minutes. See: subterminator extension"
        )


@contextlib.contextmanager
def _until_stopped() -> Iterator[asyncio.Event]:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    with contextlib.ExitStack() as undo:
        for one in signals:
            # Windows has no such handlers; there Ctrl-C interrupts.
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(one, stopped.set)
                undo.callback(loop.remove_signal_handler, one)
        yield stopped
