"""The hand-written introductions to the variants: a file of paragraphs for each, named by its key."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from crownhead import Variant


@cache
def introduction(variant: Variant) -> tuple[str, ...]:
    """The paragraphs of a variant's introduction; none where nobody has written one."""
    written = files("crownhead.server.play") / "introductions" / f"{variant.key}.md"
    if not written.is_file():
        return ()
    paragraphs = written.read_text("utf-8").split("\n\n")
    return tuple(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
