"""Which site an address belongs to, read as the browser reads it. Pure: no name is resolved.

Sites are whole host names; nothing here knows or guesses which names have one owner.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from urllib.parse import unquote, unquote_to_bytes

ADDRESS = re.compile(r"(https?):[/\\]*([^/\\?#]*)([^#]*)", re.IGNORECASE | re.DOTALL)
# What a browser takes off the ends of an address, and what it takes out anywhere.
EDGES = "".join(map(chr, range(0x21)))
INSIDE = str.maketrans("", "", "\t\n\r")
FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%*/:<>?@\[\\\]^|]")
# Letters that look like two to older rules, but are kept by today's.
KEPT = "\u00df\u03c2\u200c\u200d"
VARIANTS = {0x3002: ".", 0xFF0E: ".", 0xFF61: ".", 0x1E9E: "\u00df"}
# Signs that show nothing and do not count.
IGNORED = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200b\u2060\u2064\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0100-\U000e01ef]"
)
# Not assigned, for private use, half a character, or a control.
NO_NAME = {"Cn", "Co", "Cs", "Cc", "Cf", "Zl", "Zp", "Zs"}
PREFIX = "xn--"
NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
# An address inside another one; a proxy may take it with one slash, or none of the scheme.
CARRIED = re.compile(r"https?:[/\\]+[^\s&;,\"'<>()]+|(?<==)[/\\]{2}[^\s&;,\"'<>()]+", re.IGNORECASE)
MOST_DECODED = 3
LONGEST = 8_000


@lru_cache(maxsize=1024)
def host_of(url: str) -> str:
    """The host a browser would ask, in its one canonical form; "" if it is not a web address.

    Lower case, punycode, no trailing dot, numbers as an address; IPv6 in brackets.
    """
    return _authority(url)[0]


def covers(sites: Iterable[str], host: str) -> bool:
    """Whether a host is one of the sites, or the same with or without `www.` before it.

    No sites cover nothing.
    """
    wanted = _canonical(host)
    return bool(wanted) and any(_bare(_canonical(site)) == _bare(wanted) for site in sites)


def embedded_hosts(url: str) -> tuple[str, ...]:
    """The hosts of other web addresses carried in the path or query of this one."""
    own, rest = _authority(url)
    found = (host_of(address) for text in _decoded(rest) for address in _carried(text))
    return tuple(dict.fromkeys(host for host in found if host and _bare(host) != _bare(own)))


def shown(host: str) -> str:
    """A host for a person to read: what looks like another letter is seen as what it is."""
    return _canonical(host) or host.encode("ascii", "backslashreplace").decode()


@lru_cache(maxsize=1024)
def _canonical(host: str) -> str:
    return "" if FORBIDDEN.search(host.strip("[]").replace(":", "")) else host_of(f"http://{host}/")


def _bare(host: str) -> str:
    rest = host.removeprefix("www.")
    return rest if "." in rest else host


def _authority(url: str) -> tuple[str, str]:
    """The canonical host, and all that follows it but the fragment."""
    parts = ADDRESS.fullmatch(url.strip(EDGES).translate(INSIDE).partition("#")[0])
    if parts is None:
        return "", ""
    written = parts[2].rpartition("@")[2]
    host, port = written, ""
    if ":" in written.rpartition("]")[2]:
        host, _, port = written.rpartition(":")
    if not re.fullmatch(r"[0-9]*", port) or int(port or 0) > 0xFFFF:
        return "", ""
    return _parse_host(host), parts[3]


def _parse_host(written: str) -> str:
    if written.startswith("["):
        return _parse_ipv6(written)
    try:
        host = _to_ascii(unquote_to_bytes(written).decode())
    except UnicodeError:
        return ""
    if not host or FORBIDDEN.search(host):
        return ""
    last = host.removesuffix(".").rpartition(".")[2]
    if NUMBER.fullmatch(last):
        return _parse_ipv4(host.removesuffix("."))
    return host.removesuffix(".")


def _to_ascii(host: str) -> str:
    if host.isascii() and PREFIX not in host.lower():
        return host.lower()
    labels = _mapped(host.translate(VARIANTS)).split(".")
    return ".".join(map(_label, labels))


def _mapped(text: str) -> str:
    """The one way to write a name: small letters, no variants, nothing that cannot be seen."""
    kept = "".join(sign if sign in KEPT else _folded(sign) for sign in IGNORED.sub("", text))
    return unicodedata.normalize("NFC", kept)


def _folded(sign: str) -> str:
    folded = unicodedata.normalize("NFKC", sign).casefold()
    return unicodedata.normalize("NFKC", folded)


def _label(label: str) -> str:
    """One part of a name as the network knows it; what no name may hold raises UnicodeError."""
    plain = label
    if label.startswith(PREFIX):
        plain = label.removeprefix(PREFIX).encode("ascii").decode("punycode")
    elif label.isascii():
        return label
    written = PREFIX + plain.encode("punycode").decode("ascii")
    kinds = {unicodedata.category(sign) for sign in plain if sign not in KEPT}
    if (
        plain.isascii()
        or _mapped(plain) != plain
        or label not in {plain, written}
        or kinds & NO_NAME
        or unicodedata.combining(plain[0])
    ):
        raise UnicodeError(label)
    return written


def _parse_ipv4(host: str) -> str:
    parts = host.split(".")
    if len(parts) > 4 or not all(NUMBER.fullmatch(part) for part in parts):
        return ""
    try:
        *heads, tail = [_number(part) for part in parts]
    except ValueError:
        return ""
    if any(head > 0xFF for head in heads) or tail >= 256 ** (5 - len(parts)):
        return ""
    value = tail + sum(head << 8 * (3 - place) for place, head in enumerate(heads))
    return str(ipaddress.IPv4Address(value))


def _number(text: str) -> int:
    if text[:2].lower() == "0x":
        return int(text[2:] or "0", 16)
    return int(text, 8 if text.startswith("0") else 10)


def _parse_ipv6(written: str) -> str:
    if not written.endswith("]") or "%" in written:
        return ""
    try:
        address = ipaddress.IPv6Address(written[1:-1])
    except ValueError:
        return ""
    if address.ipv4_mapped:
        value = int(address) & 0xFFFFFFFF
        return f"[::ffff:{value >> 16:x}:{value & 0xFFFF:x}]"
    return f"[{address.compressed}]"


def _decoded(text: str) -> Iterator[str]:
    """A text as it stands and with its percent signs read, once and again."""
    text = text[:LONGEST]
    for _ in range(MOST_DECODED):
        yield text
        if (plain := unquote(text)) == text:
            return
        text = plain
    yield text


def _carried(text: str) -> Iterator[str]:
    for match in CARRIED.finditer(text):
        yield match[0] if match[0][0] in "hH" else f"http:{match[0]}"
