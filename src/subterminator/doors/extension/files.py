"""Where the files of the extension are: beside the package, or in the sources."""

from __future__ import annotations

from pathlib import Path

from subterminator.errors import ActionFailed

HERE = Path(__file__).resolve()
# As the wheel brings it, and as the repository has it.
PLACES = (HERE.parent / "unpacked", HERE.parents[4] / "extension")


def extension_folder() -> Path:
    for place in PLACES:
        if (place / "manifest.json").is_file():
            return place
    raise ActionFailed(
        "The files of the extension are not part of this installation.",
        next_step="Install subterminator anew, or take the extension folder of its sources.",
    )
