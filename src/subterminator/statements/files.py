"""Reads a statement or a mailbox from a file, whatever format it has. Nothing is sent anywhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from subterminator.errors import InvalidParams
from subterminator.statements import mail, masks, ofx, receipts, tables
from subterminator.statements.model import Statement

LARGEST = 256_000_000
"""Bytes of a statement. A mailbox is read message by message and may be larger."""
HEAD = 8_000
# What people have at hand and we cannot read, and what to do then.
OTHERS: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF", "Export the statement as CSV or OFX in your bank's website."),
    (b"PK\x03\x04", "a spreadsheet or an archive", "Save the sheet as CSV, or unpack the archive."),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet", "Save the sheet as CSV."),
    (b"!Type:", "a QIF file", "Export the statement as CSV or OFX."),
    (b"\x1f\x8b", "compressed", "Unpack it first."),
)


def read(path: str | Path) -> Statement:
    """The statement in a file. Raises InvalidParams with what to do if there is none."""
    name = masks.printable(os.path.basename(path))
    try:
        with open(path, "rb") as file:
            return _read(file, name)
    except IsADirectoryError as error:
        raise InvalidParams(f"{name} is a folder.", next_step="Name the files in it.") from error
    except OSError as error:
        raise InvalidParams(
            f"{name} cannot be read ({error.strerror}).", next_step="Check the name of the file."
        ) from error


def read_all(paths: Iterable[str | Path]) -> list[Statement]:
    return [read(path) for path in paths]


def _read(file: BinaryIO, name: str) -> Statement:
    head = file.read(HEAD)
    file.seek(0)
    if not head.strip():
        raise InvalidParams(f"{name} is empty.", next_step="Export the statement again.")
    for mark, what, todo in OTHERS:
        if head.startswith(mark):
            raise InvalidParams(f"{name} is {what}.", next_step=todo)
    if mail.is_mbox(head):
        return receipts.read(mail.messages(file), name)
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InvalidParams(
            f"{name} has more than {LARGEST // 1_000_000} MB.", next_step="Export a shorter time."
        )
    if mail.is_message(head):
        return receipts.read(_single(data), name)
    found = ofx.read(data, name) if ofx.is_ofx(data) else tables.read(data, name)
    if found is None:
        raise InvalidParams(
            f"{name} has no lines with a day and an amount.",
            next_step="Give a statement as CSV or OFX, or mail as mbox or eml.",
        )
    return found


def _single(data: bytes) -> Iterator[bytes]:
    yield data
