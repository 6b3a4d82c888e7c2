"""Makes the files of the extension: the engine's script among them, and zips to install or publish.

There are two zips: one with every permission, and one for those who do not want the debugger's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from subterminator.engine.world import script

WORLD = "world.js"
NAMES = ("subterminator-extension", "subterminator-extension-without-debugger")
# The same files make the same bytes, whenever they are packed.
EPOCH = (2026, 1, 1, 0, 0, 0)
MODE = 0o100644 << 16


def write_world(folder: Path) -> bool:
    """Put the engine's script there; says whether it was another one before."""
    file = folder / WORLD
    if file.is_file() and file.read_text("utf-8") == script():
        return False
    file.write_text(script(), encoding="utf-8", newline="\n")
    return True


def pack(folder: Path, into: Path) -> list[Path]:
    """Both zips, named after the version in the manifest."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    without = manifest | {"permissions": [p for p in manifest["permissions"] if p != "debugger"]}
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for name, each in zip(NAMES, (manifest, without), strict=True):
        path = into / f"{name}-{manifest['version']}.zip"
        _write_zip(path, folder, each)
        written.append(path)
    return written


def _write_zip(path: Path, folder: Path, manifest: dict[str, object]) -> None:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for file in _files(folder):
            name = file.relative_to(folder).as_posix()
            data = file.read_bytes()
            if name == "manifest.json":
                data = json.dumps(manifest, indent=2).encode()
            info = ZipInfo(name, EPOCH)
            info.external_attr, info.compress_type = MODE, ZIP_DEFLATED
            archive.writestr(info, data)


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.startswith("."):
            yield file


def main(folder: Path, into: Path) -> None:
    if write_world(folder):
        print(f"{folder / WORLD}: written anew")
    for path in pack(folder, into):
        print(path)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
