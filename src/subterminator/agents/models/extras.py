"""Optional packages: asked for where they are needed, with the command that installs them."""

from __future__ import annotations

from importlib import import_module

from subterminator.errors import InvalidParams


def require(package: str) -> None:
    """Import it now, before a browser is open, or say how to get it."""
    try:
        import_module(package)
    except ImportError as error:
        raise InvalidParams(
            f"This model needs the package {package}, which is not installed.",
            next_step=f'Run: pip install "subterminator[{package}]"',
        ) from error
