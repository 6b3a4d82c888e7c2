"""Hosts as the browser reads them: one canonical form, and no look-alike passes for another."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.engine.launch import launch
from subterminator.safety.sites import covers, embedded_hosts, host_of, shown
from tests.engine.running import BROWSER

HOSTS = {
    # who is asked stands after the last @
    "http://example.com": "example.com",
    "https://example.com@evil.example/": "evil.example",
    "https://example.com:x@evil.example/": "evil.example",
    "https://example.com%40evil.example/": "",
    "http://a@b@evil.example/": "evil.example",
    "http://example.com:pass@word@evil.example:80/": "evil.example",
    # what only begins or ends like it
    "https://example.com.evil.example/": "example.com.evil.example",
    "https://evil-example.com/": "evil-example.com",
    "https://evil.example/example.com": "evil.example",
    "https://evil.example?example.com": "evil.example",
    "https://evil.example#@example.com/": "evil.example",
    "https://evil.example\\@example.com/": "evil.example",
    "https://evil.example\\.example.com/": "evil.example",
    "http://evil.example;example.com/": "evil.example;example.com",
    # slashes, and what browsers take out
    "http:\\\\example.com\\path": "example.com",
    "https:example.com": "example.com",
    "https:////example.com/": "example.com",
    "https:/\\/example.com/": "example.com",
    "  http://example.com/  ": "example.com",
    "\x00\x1fhttp://example.com/\x1f": "example.com",
    "ht\ttp://exam\nple.c\rom/": "example.com",
    "http://exa\tmple.com:8\n0/": "example.com",
    "http://exam ple.com/": "",
    "http://exam\x00ple.com/": "",
    # letters and dots
    "HTTPS://EXAMPLE.Com/": "example.com",
    "http://example.com./": "example.com",
    "http://example.com../": "example.com.",
    "http://ex%61mple.com/": "example.com",
    "http://example%2ecom/": "example.com",
    "http://example%00.com/": "",
    "http://example%zz.com/": "",
    "http://example\u3002com/": "example.com",
    "http://example\uff0ecom/": "example.com",
    "http://example\uff61com/": "example.com",
    "http://\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.com/": "example.com",
    "http://exam\u00adple.com/": "example.com",
    "http://exam\u200bple.com/": "example.com",
    "http://exam\u202eple.com/": "",
    "http://under_score.example/": "under_score.example",
    "http://*.example.com/": "",
    # ports
    "http://example.com:8080/": "example.com",
    "http://example.com:/": "example.com",
    "http://example.com:99999/": "",
    "http://example.com:x/": "",
    "http://example.com:80:80/": "",
    "http://localhost:3000": "localhost",
    # numbers are addresses
    "http://127.0.0.1/": "127.0.0.1",
    "http://2130706433/": "127.0.0.1",
    "http://0x7f000001/": "127.0.0.1",
    "http://0X7F.1/": "127.0.0.1",
    "http://0177.0.0.1/": "127.0.0.1",
    "http://0177.0.0.01/": "127.0.0.1",
    "http://127.1/": "127.0.0.1",
    "http://127.0.0.1./": "127.0.0.1",
    "http://0/": "0.0.0.0",
    "http://0x/": "0.0.0.0",
    "http://256.0.0.1/": "",
    "http://1.2.3.4.5/": "",
    "http://4294967296/": "",
    "http://08.0.0.1/": "",
    "http://example.1/": "",
    "http://1.example/": "1.example",
    "http://\u2460\u2461\u2466.0.0.1/": "127.0.0.1",
    "http://[::1]/": "[::1]",
    "http://[::1]:8080/": "[::1]",
    "http://[0:0:0:0:0:0:0:1]/": "[::1]",
    "http://[2001:DB8:0:0:1:0:0:1]/": "[2001:db8::1:0:0:1]",
    "http://[::ffff:127.0.0.1]/": "[::ffff:7f00:1]",
    "http://[::ffff:7f00:1]/": "[::ffff:7f00:1]",
    "http://[fe80::1%25eth0]/": "",
    "http://[::1/": "",
    "http://[::1]x/": "",
    "http://::1/": "",
    # look-alikes stay what they are
    "https://\u0435xample.com/": "xn--xample-2of.com",
    "https://xn--xample-2of.com/": "xn--xample-2of.com",
    "https://XN--XAMPLE-2OF.com/": "xn--xample-2of.com",
    "https://ex\u00e4mple.com/": "xn--exmple-cua.com",
    "https://exa\u0308mple.com/": "xn--exmple-cua.com",
    "https://EX\u00c4MPLE.com/": "xn--exmple-cua.com",
    "https://stra\u00dfe.example/": "xn--strae-oqa.example",
    "https://STRA\u1e9eE.example/": "xn--strae-oqa.example",
    "https://examp\u1e3ee.com/": "xn--exampe-fs7b.com",
    "https://examp\u0131e.com/": "xn--exampe-t9a.com",
    "https://\u212aelvin.example/": "kelvin.example",
    "https://\u0301a.example/": "",
    "https://xn--a.example/": "",
    "https://xn--example-.com/": "",
    # no web address at all
    "": "",
    "http://": "",
    "http:///": "",
    "https://?x": "",
    "http://@/": "",
    "http://:80/": "",
    "http://./": "",
    "//example.com/": "",
    "example.com": "",
    "ftp://example.com/": "",
    "ws://example.com/": "",
    "file:///etc/passwd": "",
    "about:blank": "",
    "chrome://settings/": "",
    "chrome-extension://example.com/": "",
    "javascript://example.com/%0aalert(1)": "",
    "data:text/html,https://example.com/": "",
    "blob:https://example.com/1-2": "",
    "view-source:https://example.com/": "",
    "http s://example.com/": "",
    " \u00a0https://example.com/": "",
}  # fmt: skip
# What the browser takes as it stands, though no name in the network is written so.
STRICTER = {
    "http://./", "http://exam ple.com/", "http://*.example.com/", "https://xn--a.example/",
    "https://xn--example-.com/",
}  # fmt: skip


@pytest.mark.parametrize(("url", "host"), HOSTS.items(), ids=map(ascii, HOSTS))
def test_h12_the_host_of_an_address_is_the_one_a_browser_asks(url: str, host: str) -> None:
    assert host_of(url) == host


async def test_h12_the_browser_itself_reads_every_address_the_same_way() -> None:
    script = """(urls) => urls.map((url) => {
        try {
            const { protocol, hostname } = new URL(url);
            return /^https?:$/.test(protocol) ? hostname : '';
        } catch { return '' }
    })"""
    urls = sorted(HOSTS.keys() - STRICTER)
    launched = await launch(BROWSER)
    try:
        root = launched.connection.root
        found = await root.call("Target.createTarget", url="about:blank")
        tab = await root.call("Target.attachToTarget", targetId=found["targetId"], flatten=True)
        answer = await launched.connection.channel(tab["sessionId"]).call(
            "Runtime.evaluate",
            expression=f"({script})({msgspec.json.encode(urls).decode()})",
            returnByValue=True,
        )
    finally:
        await launched.end(0)
    names = dict(zip(urls, answer["result"]["value"], strict=True))
    assert {url: name.removesuffix(".") for url, name in names.items()} == {
        url: HOSTS[url] for url in urls
    }


@given(st.text(max_size=40), st.sampled_from(["http://", "https:\\\\", "http://example.com@", ""]))
def test_h12_any_text_has_one_canonical_host_or_none(text: str, start: str) -> None:
    host = host_of(start + text)
    assert host.isascii() and host == host.lower()
    if host:
        assert host_of(f"https://{host}/path") == host
        assert covers((host,), host)


@pytest.mark.parametrize(
    ("sites", "host", "inside"),
    [
        (("example.com",), "example.com", True),
        (("example.com",), "www.example.com", True),
        (("www.example.com",), "example.com", True),
        (("EXAMPLE.com.",), "example.com", True),
        (("a.example", "b.example"), "b.example", True),
        (("example.com",), "account.example.com", False),
        (("account.example.com",), "example.com", False),
        (("example.com",), "www.www.example.com", False),
        (("www.www.example.com",), "example.com", False),
        (("example.com",), "example.com.evil", False),
        (("example.com",), "evilexample.com", False),
        (("com",), "example.com", False),
        (("www.com",), "com", False),
        (("co.uk",), "example.co.uk", False),
        (("example.com",), "xn--xample-2of.com", False),
        (("127.0.0.1",), "127.0.0.1", True),
        (("127.0.0.1",), "[::ffff:7f00:1]", False),
        (("[::1]",), "[::1]", True),
        (("localhost",), "www.localhost", False),
        (("m\u00fcnchen.example",), "xn--mnchen-3ya.example", True),
        ((), "example.com", False),
        (("",), "example.com", False),
        (("",), "", False),
        (("*",), "example.com", False),
        (("*.example.com",), "a.example.com", False),
        (("example.com/",), "example.com", False),
        (("example.com@evil.example",), "evil.example", False),
        (("example.com",), "", False),
        (("example.com",), "example.com/", False),
    ],
)
def test_h12_sites_cover_whole_hosts_and_their_www_twin_only(
    sites: tuple[str, ...], host: str, inside: bool
) -> None:
    assert covers(sites, host) is inside


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://translate.example/?u=https://evil.example/x", "evil.example"),
        ("https://translate.example/?u=https%3A%2F%2Fevil.example%2Fx", "evil.example"),
        ("https://translate.example/?u=https%253A%252F%252Fevil.example", "evil.example"),
        ("https://proxy.example/https://evil.example/x", "evil.example"),
        ("https://proxy.example/https:/evil.example/x", "evil.example"),
        ("https://proxy.example/go?a=1&to=HTTP://EVIL.example&b=2", "evil.example"),
        ("https://proxy.example/go?to=//evil.example/x", "evil.example"),
        ("https://proxy.example/go?to=%2F%2Fevil.example", "evil.example"),
        ("https://proxy.example/go?to=https:\\\\evil.example", "evil.example"),
        ("https://proxy.example/?u=http://me@evil.example", "evil.example"),
        ("https://a.example/?next=https://a.example/&u=http://0x7f.1/", "127.0.0.1"),
        ("https://a.example/?next=https://www.a.example/home", ""),
        ("https://a.example/?next=/home", ""),
        ("https://a.example/path//double", ""),
        ("https://a.example/?text=about+https+and+http", ""),
        ("https://a.example/#https://evil.example/", ""),
        ("https://a.example/", ""),
        ("not an address", ""),
    ],
)
def test_h14_an_address_carried_in_another_is_seen(url: str, host: str) -> None:
    assert next(iter(embedded_hosts(url)), "") == host


def test_h14_all_carried_addresses_are_seen_not_only_the_first() -> None:
    url = "https://a.example/?a=https://b.example/&b=https%3A%2F%2Fc.example"
    assert embedded_hosts(url) == ("b.example", "c.example")


@given(st.text(max_size=300))
def test_h14_no_text_breaks_the_search(text: str) -> None:
    assert all(host_of(f"http://{host}/") == host for host in embedded_hosts(f"http://a.b/{text}"))


@pytest.mark.parametrize(
    ("host", "words"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.com", "example.com"),
        ("\u0435xample.com", "xn--xample-2of.com"),
        ("xn--xample-2of.com", "xn--xample-2of.com"),
        ("ex\u00e4mple.com", "xn--exmple-cua.com"),
        ("[::1]", "[::1]"),
        ("\u202eexample", "\\u202eexample"),
        ("", ""),
    ],
)
def test_h15_a_person_is_shown_punycode(host: str, words: str) -> None:
    assert shown(host) == words
    assert shown(host).isascii()
