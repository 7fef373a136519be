"""Properties of the parsers beside those of games: any input is read, or refused in the parser's words."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path

from crownhead import VARIANTS, CrownheadError, Position
from crownhead.engine.dxp import messages as dxp
from crownhead.engine.hub import syntax
from crownhead.notation import diagram, hub
from crownhead.rules.errors import BadVariant
from crownhead.rules.house import load_variants
from crownhead.server.core.markup.markdown import ATTRIBUTES, SCHEMES, TAGS, plain_text, render_markdown
from crownhead.server.core.rates import parse_rate
from tests.house.tree import HOUSE

KEYS = tuple(VARIANTS)


def try_any(data: bytes) -> None:
    """Use the first byte as the parser, the second as the variant, and the rest as the input."""
    if len(data) < 2:
        return
    parser = _PARSERS[data[0] % len(_PARSERS)]
    parser(data[2:].decode("utf-8", "replace"), KEYS[data[1] % len(KEYS)])


def try_house_rows(text: str, _variant: str) -> None:
    """Rows that are read can be played."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.toml"
        file.write_text(text, "utf-8")
        try:
            rows = load_variants(file)
        except BadVariant:
            return
    for row in rows.values():
        assert Position.start(row).legal_moves() is not None


def try_hub_line(text: str, variant: str) -> None:
    """A line survives writing and reading; a move is legal or refused."""
    line = syntax.read(text)
    if line is not None and '"' not in "".join(line.arguments.values()):
        assert syntax.read(str(line)) == line
    position = Position.start(variant)
    try:
        move = syntax.read_move(position, text)
    except CrownheadError:
        return
    assert move in position.legal_moves()


def try_hub_position(text: str, variant: str) -> None:
    """Positions survive writing and reading."""
    try:
        setup = hub.read(text, variant)
    except CrownheadError:
        return
    assert hub.read(hub.write(setup), variant) == setup


def try_dxp(text: str, variant: str) -> None:
    """Messages survive writing and reading, and so do positions."""
    try:
        message = dxp.read(text)
        assert dxp.read(str(message)) == message
    except dxp.DxpError:
        pass
    try:
        setup = dxp.setup_of(text, variant)
    except dxp.DxpError:
        return
    assert dxp.setup_of(dxp.position_text(setup), variant) == setup


def try_diagram(text: str, variant: str) -> None:
    """A diagram is read or refused."""
    try:
        setup = diagram.read(text, variant)
    except CrownheadError:
        return
    assert setup.variant == VARIANTS[variant]


def try_markdown(text: str, _variant: str) -> None:
    """What comes of a text holds nothing that its lists do not allow."""
    html = render_markdown(text)
    checker = _Checker()
    checker.feed(html)
    checker.close()
    assert "\n" not in plain_text(text)


def try_rate(text: str, _variant: str) -> None:
    """A rate is a number in a time, or refused."""
    try:
        rate = parse_rate(text)
    except ValueError:
        return
    assert rate is None or rate.seconds > 0


class _Checker(HTMLParser):
    """Fails on tags, attributes and links that are not allowed."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        allowed = ATTRIBUTES.get(tag, set()) | ({"rel"} if tag == "a" else set())
        for name, value in attrs:
            assert name in allowed, f"{tag} {name}"
            scheme = re.match(r"\s*([a-zA-Z][a-zA-Z0-9+.-]*):", value or "") if name == "href" else None
            assert scheme is None or scheme[1].lower() in SCHEMES, value


_PARSERS: tuple[Callable[[str, str], None], ...] = (
    try_house_rows,
    try_hub_line,
    try_hub_position,
    try_dxp,
    try_diagram,
    try_markdown,
    try_rate,
)
_MARKDOWN = (
    "# Head\n\n*a* **b** `c` ~~d~~ <b onclick=x>e</b>\n\n> q\n\n1. one\n2. two\n\n| a |\n|---|\n| 1 |\n",
    "[x](javascript:alert(1)) [y](https://club.example 't') ![p](x.png) https://b.example/_x_.\n",
    "<script>alert(1)</script><svg/onload=alert(1)><a href='JaVaScRiPt:x'>y</a>&#106;avascript:\n",
)
_TEXTS: Mapping[Callable[[str, str], None], tuple[str, ...]] = {
    try_hub_line: ('pos pos=Wee moves="38-15 5-41" flag empty=""', "32-28", "level time=10 inc=0.1"),
    try_hub_position: ("W" + "b" * 20 + "e" * 10 + "w" * 20, "B" + "e" * 49 + "W"),
    try_dxp: (
        "R01Somebody                        W060050A",
        "A" + "Crownhead".ljust(32) + "0",
        "M0001" + "3228" + "00",
        "E01",
        "CHello",
        "W" + "z" * 20 + "e" * 10 + "w" * 20,
    ),
    try_diagram: tuple(diagram.text_diagram(Position.start(key)) for key in ("american", "turkish", "dameo")),
    try_markdown: _MARKDOWN,
    try_rate: ("600/10m", "5/s", "none", "0/0h"),
}


def _documented_rows() -> Iterator[str]:
    """The files of rows that the manual shows."""
    page = (HOUSE / "docs" / "recipes" / "a_house_variant.md").read_text("utf-8")
    yield from re.findall(r"```(?:\{code-block\} )?toml\n(?::caption:[^\n]*\n)?(.*?)```", page, re.DOTALL)


def seeds() -> Iterator[bytes]:
    """Inputs for ``try_any``."""
    for parser, texts in {**_TEXTS, try_house_rows: tuple(_documented_rows())}.items():
        for text in texts:
            yield bytes([_PARSERS.index(parser), KEYS.index("international")]) + text.encode()
