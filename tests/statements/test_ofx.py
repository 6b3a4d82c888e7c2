from __future__ import annotations

from subterminator.statements import ofx

SGML = """OFXHEADER:100
DATA:OFXSGML
CHARSET:1252

<OFX><CURDEF>CAD<BANKACCTFROM><BANKID>1<ACCTID>000451209987</BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250131120000[-5:EST]<TRNAMT>-15.49<FITID>1<NAME>CAF\u00c9 &amp; CO<MEMO>Montreal
</STMTTRN>
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20250130
<TRNAMT>2000.00
<FITID>2
<NAME>PAYROLL
</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250131<TRNAMT>-15.49<FITID>1<NAME>CAF\u00c9 &amp; CO</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>nonsense<TRNAMT>-1.00<FITID>3<NAME>X</STMTTRN>
</BANKTRANLIST><BANKACCTTO><ACCTID>999888777666</BANKACCTTO></OFX>"""


def test_open_tags_entities_and_the_old_encoding() -> None:
    statement = ofx.read(SGML.encode("cp1252"), "x.ofx")
    assert statement is not None
    cafe, payroll = statement.transactions
    assert (str(cafe.day), str(cafe.amount), cafe.currency) == ("2025-01-31", "15.49", "CAD")
    assert (cafe.text, cafe.payee, cafe.account) == ("CAFÉ & CO Montreal", "CAFÉ & CO", "***9987")
    assert str(payroll.amount) == "-2000.00"


def test_a_line_that_comes_twice_counts_once_and_a_broken_one_is_counted() -> None:
    statement = ofx.read(SGML.encode("cp1252"), "x.ofx")
    assert statement is not None
    assert (len(statement.transactions), statement.skipped) == (2, 1)


def test_xml_with_closed_tags() -> None:
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200"?><OFX><CURDEF>GBP</CURDEF>'
        "<STMTTRN><TRNTYPE>DIRECTDEBIT</TRNTYPE><DTPOSTED>20250131000000.000</DTPOSTED><TRNAMT>-12,00</TRNAMT>"
        "<FITID>1</FITID><NAME>GUARDIAN</NAME></STMTTRN></OFX>"
    )
    statement = ofx.read(xml.encode(), "x.ofx")
    assert statement is not None
    (one,) = statement.transactions
    assert (str(one.amount), one.currency, one.text) == ("12.00", "GBP", "GUARDIAN direct debit")


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><OFX><STMTTRN><DTPOSTED>20250131<TRNAMT>-1<NAME>&b;</STMTTRN></OFX>'
    statement = ofx.read(bomb.encode(), "x.ofx")
    assert statement is not None and statement.transactions[0].text == "&b;"


def test_what_has_no_lines_is_none() -> None:
    assert ofx.read(b"OFXHEADER:100\n<OFX></OFX>", "x") is None
    assert ofx.is_ofx(b"OFXHEADER:100") and not ofx.is_ofx(b"Date,Amount")
