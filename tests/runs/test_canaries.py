"""The search for planted secrets, itself searched."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

from tests.runs.canaries import PASSWORD, forms, leaks


def test_the_search_finds_what_is_hidden_in_every_form(tmp_path: Path) -> None:
    for n, form in enumerate(forms(PASSWORD)):
        (tmp_path / str(n)).write_bytes(b"xx" + form + b"yy")
    (tmp_path / "gz").write_bytes(b"head" + gzip.compress(PASSWORD.encode()))
    whole = b"something before it " + PASSWORD.encode() + b" and something after it"
    (tmp_path / "b64").write_bytes(base64.b64encode(whole))
    assert len(leaks(tmp_path)) == len(list(tmp_path.iterdir()))
