"""A pack that is wrong is refused with file, line and reason."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.errors import InvalidParams
from subterminator.packs.loader import MOST_BYTES, examine, read_file
from tests.packs.writing import draft_of, faults_of, put, text_of


@pytest.mark.parametrize(
    ("more", "line", "reason"),
    [
        ("sitez = ['a.com']\n", 6, "unknown field 'sitez'; did you mean sites?"),
        ("\n[actions]\nfinal = ['a']\nfinally = ['b']\n", 9, "unknown field 'finally'; did you mean final?"),
        ("never = 'x'\n", 6, "never: Expected array, got str"),
        ("never = [\n  'a',\n  7,\n]\n", 8, "never.1: Expected str, got int"),
        ("[states.NOWHERE]\ntext = ['a']\n", 6, "states.NOWHERE: Invalid enum value 'NOWHERE'"),
        ("[states.COMPLETE]\ntext = ['a']\n[states.START]\ntext = [\n1]\n", 10, "states.START.text.0: Expected str, got int"),
        ("[billing_probe]\n'billed by us' = 'US'\n", 7, "billing_probe.billed by us: Expected str matching regex"),
        ("[[example]]\nshows = 'a'\npage = 'b'\nstage = 'COMPLETE'\n[[example]]\nshows = 'a'\npage = 'b'\nstage = 'DONE'\n", 13, "example.1.stage: Invalid enum value 'DONE'"),
        ("success = [{ }]\n", 6, "A condition without any part would always hold"),
        ("success = [\n{ text = 'a' },\n{ txt = 'b' }]\n", 8, "unknown field 'txt'; did you mean text?"),
        ("never = ['Pay now', 'pay  NOW!']\n", 6, "'pay  NOW!' is there twice (line 6)"),
        ("never = ['...']\n", 6, "has no word in it"),
        ("never = ['a*b*c*d*e']\n", 6, "has more than 3 gaps"),
        ("never = ['Go']\n[actions]\nadvance = ['go']\n", 8, "'go' is in never and in advance"),
        ("start_urls = ['https://a.com/x']\n", 6, "its host is not one of the sites (none)"),
        ("sites = ['a.com']\nstart_urls = ['https://a.com.evil.com/']\n", 7, "its host is not one of the sites"),
        ("sites = ['a.com']\nstart_urls = ['https://a.com@evil.com/']\n", 7, "hides where it leads"),
        ("sites = ['a.com']\nstart_urls = ['http://a.com/']\n", 7, "only https"),
        ("sites = ['*.a.com']\n", 6, "sites.0: Expected str matching regex"),
        ("sites = ['a.com', \"b.com\\n\"]\n", 6, "a control character or a line break"),
        ("goal = 'Cancel {it}'\n", 6, "unknown gap {it}; known: service"),
        ("confidence = 'O'\n", 6, "is not valid TOML: Cannot overwrite a value"),
        ("never = [\n", 7, "is not valid TOML"),
        ("checked_on", 6, "is not valid TOML"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line_and_why(more: str, line: int, reason: str) -> None:
    fault = faults_of(more)[0]
    assert reason in fault.reason
    assert fault.line == line


def test_several_faults_are_all_listed_in_order() -> None:
    faults = faults_of("never = ['a', 'A']\nstart_urls = ['http://b.com']\ngoal = '{x}'\n")
    assert [fault.line for fault in faults] == [6, 7, 8]


def test_a_missing_field_is_named() -> None:
    _, faults = examine(b'id = "x"\n', "x.toml")
    assert "is missing the required field names" in faults[0].reason


def test_the_id_is_the_name_of_the_file() -> None:
    _, faults = examine(text_of("one").encode(), "two.toml")
    assert faults[0].reason == "the id is 'one' but the file is called 'two'"


def test_a_claim_of_confidence_needs_sources() -> None:
    text = text_of("x").replace('"?"', '"O"')
    _, faults = examine(text.encode(), "x.toml")
    assert faults[0].reason == 'without sources the confidence can only be "?"'


@pytest.mark.parametrize("address", ["http://a.com/x.toml", "https://a.com/x.toml", "ftp://a/x"])
def test_an_address_is_refused_with_the_reason(address: str) -> None:
    with pytest.raises(InvalidParams, match="read from a file only"):
        read_file(address)


def test_the_error_carries_file_line_reason_and_the_next_step(tmp_path: Path) -> None:
    path = put(tmp_path, "x", text_of("x", "oops = 1\n"))
    with pytest.raises(InvalidParams) as caught:
        read_file(str(path))
    assert f"{path}:6: unknown field 'oops'" in str(caught.value)
    assert "services check" in str(caught.value)
    assert caught.value.details["line"] == 6


def test_a_good_file_is_read_with_its_digest(tmp_path: Path) -> None:
    path = put(tmp_path, "x", text_of("x", "never = ['pay']\n"))
    draft = read_file(str(path))
    assert draft.pack.never == ("pay",)
    assert draft.is_users
    assert len(draft.digest) == 64


@pytest.mark.skipif(os.name != "posix", reason="file modes of POSIX")
@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "others", "locked"])
def test_what_cannot_be_trusted_or_read_stops_with_a_clear_error(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "others":
            put(tmp_path, "x", text_of("x")).chmod(0o666)
        case "locked":
            put(tmp_path, "x", text_of("x")).chmod(0)
            if os.geteuid() == 0:
                pytest.skip("root reads everything")
    with pytest.raises(InvalidParams, match="cannot be read|not a regular file|changed by other"):
        read_file(str(path))


def test_windows_line_ends_are_read_with_the_right_lines() -> None:
    text = text_of("x", "never = [\n'a',\n7]\n").replace("\n", "\r\n")
    assert examine(text.encode(), "x.toml")[1][0].line == 8


HUGE = {
    "a file of 10 MB": "#" * 10_000_000,
    "a line of 60 kB": "x = '" + "a" * 60_000 + "'",
    "deep arrays": "x = " + "\n".join(["[" * 900] * 60),
    "keys of many parts": "\n".join(".".join([f"k{n}"] + ["a"] * 480) + " = 1" for n in range(60)),
    "tables of many parts": "\n".join(f"[a{'.b' * 400}{n}]" for n in range(60)),
    "a host that makes patterns slow": 'sites = ["""' + "\\\n".join(["a" * 900] * 66) + '"""]',
    "a list of 4000 conditions": "success = [\n" + "{ text = 'a' },\n" * 4000 + "]",
    "a number of 900 digits": "x = " + "9" * 900,
    "no UTF-8": "\ud800",
}


@pytest.mark.parametrize("name", HUGE)
def test_g12_a_huge_or_hostile_file_is_refused_in_bounded_time(name: str) -> None:
    data = text_of("x", HUGE[name]).encode("utf-8", "surrogatepass")
    begun = time.process_time()
    draft, faults = examine(data, "x.toml")
    assert draft is None
    assert faults
    assert time.process_time() - begun < 5


def test_g12_no_more_of_a_file_is_read_than_a_pack_may_have(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    with path.open("wb") as file:
        file.truncate(50_000_000_000 if sys.platform == "linux" else 50_000_000)
    path.chmod(0o600)
    with pytest.raises(InvalidParams, match=f"larger than {MOST_BYTES // 1024} kB"):
        read_file(str(path))


@given(st.binary(max_size=400))
def test_g12_any_bytes_give_a_pack_or_faults_never_an_exception(data: bytes) -> None:
    draft, faults = examine(data, "x.toml")
    assert draft is not None or faults


@given(st.text(max_size=120), st.sampled_from(["never", "sites", "sources", "goal"]))
def test_g12_any_text_in_a_field_gives_a_pack_or_faults(text: str, field: str) -> None:
    quoted = "".join(f"\\U{ord(sign):08x}" for sign in text if not 0xD800 <= ord(sign) < 0xE000)
    value = f'"{quoted}"' if field == "goal" else f'["{quoted}"]'
    draft, faults = examine(text_of("x", f"{field} = {value}\n").encode(), "x.toml")
    assert draft is not None or faults


def test_lines_of_a_draft_are_asked_by_place() -> None:
    draft = draft_of("x", "never = [\n'a',\n'b',\n]\n")
    assert draft.line("never", 1) == 8
    assert draft.line("never", 9) == draft.line("never") == 6
    assert draft.line("nothing") == 1
