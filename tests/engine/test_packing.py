"""The zips of the extension, and the engine's script in it."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

from subterminator.doors.extension.files import extension_folder
from subterminator.engine.packing import pack, write_world
from subterminator.engine.world import script


def test_the_zips_hold_every_file_and_differ_in_one_permission(tmp_path: Path) -> None:
    folder = extension_folder()
    whole, without = (ZipFile(path) for path in pack(folder, tmp_path))
    files = {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}
    assert set(whole.namelist()) == set(without.namelist()) == files
    permissions = [
        set(json.loads(zip.read("manifest.json"))["permissions"]) for zip in (whole, without)
    ]
    assert permissions[0] - permissions[1] == {"debugger"}
    assert whole.read("world.js") == (folder / "world.js").read_bytes()


def test_packing_twice_makes_the_same_bytes(tmp_path: Path) -> None:
    one, other = (pack(extension_folder(), tmp_path / name) for name in ("one", "other"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]


def test_the_script_is_written_only_where_it_has_changed(tmp_path: Path) -> None:
    assert write_world(tmp_path) and not write_world(tmp_path)
    (tmp_path / "world.js").write_text("old")
    assert write_world(tmp_path)
    assert (tmp_path / "world.js").read_text("utf-8") == script()


def test_a_file_of_the_extension_fits_into_400_lines_but_for_the_engines_script() -> None:
    for file in extension_folder().glob("*.js"):
        lines = file.read_text("utf-8").splitlines()
        assert len(lines) <= 400 or file.name == "world.js", file.name
