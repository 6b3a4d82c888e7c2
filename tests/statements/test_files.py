from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from subterminator.errors import InvalidParams
from subterminator.statements.files import read
from subterminator.statements.report import examine
from tests.statements.lines import TODAY, packs

FOLDER = Path(__file__).parent.parent / "fixtures" / "statements"
PIECES = (
    b'"', b";", b",", b"\n", b"\0", b"<", b"<STMTTRN>", b"</OFX>", b"From x\n", b"=?utf-8?q?", b'boundary="x"',
    b"\xff\xfe", b"\xc3", b"9" * 30, b"31.02.2025", b"=?x?b?!!?=", b"<![CDATA[", b"&#x110000;", "\u202e\u0663\u00b2\uff11".encode(),
    b"Content-Transfer-Encoding: base64\n\n", b"<TRNAMT>1e999", b"-0.00", b"(", b"9999-12-31",
)  # fmt: skip


@pytest.mark.parametrize("name", [path.name for path in sorted(FOLDER.iterdir())])
def test_the_format_is_told_by_what_is_in_a_file_not_by_its_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / "download"
    path.write_bytes((FOLDER / name).read_bytes())
    expected = {".csv": "csv", ".ofx": "ofx"}.get(Path(name).suffix, "mail")
    statement = read(path)
    assert statement.format == expected and statement.transactions


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"%PDF-1.7 ...", "is a PDF. Export the statement as CSV or OFX"),
        (b"PK\x03\x04xlsx", "Save the sheet as CSV"),
        (b"!Type:Bank\n", "is a QIF file"),
        (b"\x1f\x8b\x08", "Unpack it first"),
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"dear diary", "has no lines with a day and an amount"),
        (b"OFXHEADER:100\n<OFX></OFX>", "has no lines with a day and an amount"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    with pytest.raises(InvalidParams, match=says):
        read(path)


def test_a_missing_file_and_a_folder_say_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidParams, match="cannot be read"):
        read(tmp_path / "nothing.csv")
    with pytest.raises(InvalidParams, match="is a folder"):
        read(tmp_path)


def survive(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        statement = read(path)
    except InvalidParams:
        return
    examine([statement], packs(), TODAY)


TOLERANT = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@TOLERANT
@given(data=st.binary(max_size=2_000))
def test_any_bytes_are_a_statement_or_a_clear_refusal(data: bytes, tmp_path: Path) -> None:
    survive(tmp_path / "x", data)


@TOLERANT
@given(
    rows=st.lists(
        st.tuples(
            st.dates() | st.text(max_size=12),
            st.text(max_size=20),
            st.decimals(allow_nan=True) | st.text(max_size=12),
        ),
        max_size=30,
    ),
    delimiter=st.sampled_from(",;\t|"),
)
def test_any_table_is_a_statement_or_a_clear_refusal(
    rows: list[tuple[object, ...]], delimiter: str, tmp_path: Path
) -> None:
    text = "\n".join(delimiter.join(map(str, row)) for row in rows)
    survive(tmp_path / "x", text.encode("utf-8", "surrogatepass"))


@TOLERANT
@given(
    name=st.sampled_from(sorted(path.name for path in FOLDER.iterdir())),
    cuts=st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 40), st.sampled_from(PIECES)), max_size=30
    ),
    length=st.integers(100, 12_000),
)
def test_a_damaged_file_is_read_or_clearly_refused(
    name: str, cuts: list[tuple[float, int, bytes]], length: int, tmp_path: Path
) -> None:
    data = bytearray((FOLDER / name).read_bytes()[:length])
    for place, lost, piece in cuts:
        at = int(place * len(data))
        data[at : at + lost] = piece
    survive(tmp_path / "x", bytes(data))
