"""A computer written down: which programs it has, what they answer, and what was done to it."""

from __future__ import annotations

import fnmatch
import ntpath
import posixpath
from collections.abc import Callable, Mapping, Sequence

from subterminator.machine import Machine


class Computer:
    """Files are paths and contents; a program is a path and what it prints for --version."""

    def __init__(
        self,
        platform: str = "linux",
        *,
        programs: Mapping[str, str | None] | None = None,
        files: Mapping[str, str] | None = None,
        environ: Mapping[str, str] | None = None,
        registry: Mapping[str, str] | None = None,
        root: bool = False,
        installs: Callable[[Computer, Sequence[str]], bool] = lambda computer, command: False,
    ) -> None:
        self.platform = platform
        self.programs = dict(programs or {})
        self.files = dict(files or {})
        self.environ = dict(environ or {})
        self.registry = dict(registry or {})
        self.root = root
        self.installs = installs
        self.asked: list[tuple[str, ...]] = []
        self.performed: list[tuple[str, ...]] = []

    def machine(self) -> Machine:
        return Machine(
            platform=self.platform,
            home=r"C:\Users\me" if self.platform == "win32" else "/home/me",
            root=self.root,
            environ=self.environ,
            which=self._which,
            exists=self.programs.__contains__,
            glob=lambda pattern: fnmatch.filter([*self.programs, *self.files], pattern),
            read=self.files.get,
            registered=self.registry.get,
            output=self._output,
            perform=self._perform,
        )

    def _which(self, name: str) -> str | None:
        tail = ntpath.basename if self.platform == "win32" else posixpath.basename
        on_path = (
            "/usr/bin/",
            "/bin/",
            "/usr/sbin/",
            "/snap/bin/",
            "/opt/homebrew/bin/",
            "C:\\bin\\",
        )
        found = (path for path in self.programs if path.startswith(on_path) and tail(path) == name)
        return next(found, None)

    def _output(self, command: Sequence[str]) -> str | None:
        self.asked.append(tuple(command))
        return self.programs.get(command[0])

    def _perform(self, command: Sequence[str]) -> bool:
        self.performed.append(tuple(command))
        return self.installs(self, command)
