"""Bundles: the scripts and styles of pages, joined and minified by ``make bundles``.

Pages name the sources. Where the files are collected (`static.HashedFiles`), a source that has a bundle is
served as that, unless a script or a style has changed since: then all are served as they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

FOLDER = "crownhead/bundles/"
MADE_FROM = f"{FOLDER}made_from.txt"
FIRST = f"{FOLDER}site-"  # what every page's script imports, beside the bundle of its own
_SCRIPTS = (
    *"site analysis_board editor filter local_times offline planner push".split(),
    *"renewed review stored_settings".split(),
)
_STYLES = tuple(
    "site dark charts club community contests editor engine front lobby notices people rules".split()
)
# The sources that pages name, and their bundles.
ENTRIES = {f"crownhead/js/{name}.js": f"{FOLDER}{name}.js" for name in _SCRIPTS} | {
    f"crownhead/css/{name}.css": f"{FOLDER}{name}.css" for name in _STYLES
}


def is_bundled(name: str) -> bool:
    """Whether a static file is a bundle, or told with them."""
    return name.startswith(FOLDER)


def is_source(name: str) -> bool:
    """Whether bundles are made from a static file."""
    return name.startswith(("crownhead/js/", "crownhead/css/")) and name.endswith((".js", ".css"))


def digest(names: Iterable[str], read: Callable[[str], bytes]) -> str:
    """What the sources among static files are like: as long as nothing of them changes, the same."""
    found = hashlib.sha256()
    for name in sorted(filter(is_source, names)):
        content = read(name)
        found.update(f"{name} {len(content)}\n".encode() + content)
    return found.hexdigest()


def are_current(names: Iterable[str], read: Callable[[str], bytes]) -> bool:
    """Whether the bundles among static files were made from the sources as they are."""
    every = list(names)
    return MADE_FROM in every and read(MADE_FROM).decode("ascii").strip() == digest(every, read)
