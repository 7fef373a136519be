"""Loads templates of pages without their indentation, a twentieth of what a page weighs.

Lines keep their numbers, for errors. Drawings are loaded like pages, letters and other plain texts as they
are. Where Django is replaced: decision 63.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import app_directories, filesystem

_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class FolderLoader(filesystem.Loader):
    """Loads templates without indentation from the folders that the settings name."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        return _unindented(super().get_contents(origin), origin)


class AppLoader(app_directories.Loader):
    """Loads templates without indentation from the apps."""

    def get_contents(self, origin: Origin) -> str:
        """The text of a template."""
        return _unindented(super().get_contents(origin), origin)


def _unindented(text: str, origin: Origin) -> str:
    return _INDENTATION.sub("", text) if origin.name.endswith((".html", ".svg")) else text
