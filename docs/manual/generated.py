"""Generated sections of pages: a line `<!-- generated: NAME -->` is replaced with Markdown."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

from crownhead import VARIANTS, Position
from crownhead.contest.formats import FORMATS
from crownhead.contest.model import OptionValue
from manual import commands, design, variants

DOCS = Path(__file__).resolve().parents[1]
# Documents outside the manual that are also pages of it.
GUESTS = MappingProxyType(
    {
        DOCS.parent / "CONTRIBUTING.md": DOCS / "contributing.md",
        DOCS.parent / "CHANGELOG.md": DOCS / "changes.md",
        DOCS.parent / "benchmarks" / "results.md": DOCS / "speed.md",
        **{
            page: DOCS / "speed" / page.name
            for page in sorted((DOCS.parent / "benchmarks" / "results").glob("*.md"))
        },
    }
)
_USUAL_GROUPS = ("positional arguments", "options")
_PLACE = re.compile(r"^<!-- generated: (?P<name>[a-z -]+) -->$", re.MULTILINE)
_LINK = re.compile(r"\]\((?![a-z]+:|#)(?P<path>[^)\s#]+)")


def filled(text: str, page: Path) -> str:
    """Return a page with generated sections and links adjusted to the manual.

    Raises ``KeyError`` for an unknown section.
    """
    made = _PLACE.sub(lambda place: GENERATORS[place["name"]](), text)
    return _relinked(made, at=page, page=page)


def _guest(document: Path) -> str:
    """Return an outside document as a page."""
    return _relinked(document.read_text("utf-8"), at=document, page=GUESTS[document])


def _relinked(text: str, *, at: Path, page: Path) -> str:
    """Adjust relative links to another location."""

    def led(link: re.Match[str]) -> str:
        target = (at.parent / link["path"]).resolve()
        target = GUESTS.get(target, target)
        return f"]({os.path.relpath(target, page.parent)}"

    return _LINK.sub(led, text)


def variants_at_a_glance() -> str:
    """Return the table of all variants."""
    return _table(variants.HEADINGS, variants.rows(), "glance")


def variants_one_by_one() -> str:
    """Return a section for each variant: summary, start position and details."""
    sections = []
    for variant in VARIANTS.values():
        facts = _table(("", ""), variants.facts(variant), "facts")
        board = _board(Position.start(variant).fen(), variant.key, f"{variant.name}: the start")
        head = f"(variant-{variant.key})=\n### {variant.name}\n\n`{variant.key}`. {variant.summary}"
        sections.append(f"{head}\n\n{board}\n\n{facts}")
    return "\n\n".join(sections)


def tournament_formats() -> str:
    """The table of all formats of tournaments."""
    rows = [
        (f"`{made.key}`", made.name, made.summary, f"{made.least} to {made.most}", _yes_or_no(made.late))
        for made in FORMATS.values()
    ]
    return _table(("key", "name", "what it is", "players", "late entry"), rows, "formats")


def tournament_options() -> str:
    """The table of what a host may choose for each format."""
    rows = [
        (f"`{made.key}`", f"`{option.key}`", option.text, _value(option.default))
        for made in FORMATS.values()
        for option in made.options
    ]
    return _table(("format", "option", "what it is", "unless chosen"), rows, "formats")


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _value(value: OptionValue) -> str:
    return _yes_or_no(value) if isinstance(value, bool) else f"`{value}`"


def command_pages() -> str:
    """Return a section for each command with its usage and arguments."""
    sections = []
    for command in commands.commands():
        parts = [f"## {command.words}", _paragraphs(command.purpose), _block(command.usage)]
        for title, arguments in command.groups:
            if title not in _USUAL_GROUPS:
                parts.append(f"*{_escaped(title.capitalize())}*")
            parts += [f"`{one.written}`\n: {_escaped(one.purpose)}" for one in arguments]
        if command.examples:
            parts.append(_block(command.examples))
        sections += parts
    return "\n\n".join(sections)


def _paragraphs(text: str) -> str:
    """Convert help text to Markdown; indented parts stay preformatted."""
    parts = [part for part in text.strip("\n").split("\n\n") if part.strip()]
    return "\n\n".join(_block(part) if part.startswith(" ") else _escaped(part) for part in parts)


def _block(text: str) -> str:
    return f"```text\n{text.strip(chr(10))}\n```"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], name: str) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    written = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{{.{name}}}\n{written}"


def _board(fen: str, variant: str, caption: str) -> str:
    return f":::{{board}} {fen}\n:variant: {variant}\n:class: small\n\n{caption}\n:::"


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>\[\]`])", r"\\\1", text)


GENERATORS: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "variants at a glance": variants_at_a_glance,
        "variants one by one": variants_one_by_one,
        "commands": command_pages,
        "tournament formats": tournament_formats,
        "tournament options": tournament_options,
        "design tokens": design.design_tokens,
        "design frames": design.design_frames,
        **{page.stem: partial(_guest, document) for document, page in GUESTS.items()},
    }
)
