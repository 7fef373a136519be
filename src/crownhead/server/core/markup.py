"""Texts that people write in Markdown, as HTML in which nothing can do harm."""

from __future__ import annotations

import re
from collections.abc import Iterator

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "a", "ul", "ol", "li"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
REL = "nofollow ugc noopener noreferrer"
"""What is told to search engines and to the page at the other end about a member's link."""

_ADDRESS = re.compile(r"""https?://[^\s<>"'`|\\^{}]{3,2000}""", re.IGNORECASE)
_BREAKS = {"softbreak", "hardbreak"}
_NOT_AT_THE_END = ".,;:!?*_~"


def rendered(
    text: str, *, headings_from: int = 3, trusted: bool = False, wrapped: bool = False
) -> SafeString:
    """The HTML of a text: headings at their level or below, no pictures, addresses as links.

    ``headings_from``: the level that a text's highest headings get, 2 … 6, beneath those of the page itself.
    ``trusted``: written by the club, so its links are recommended to search engines. ``wrapped``: the end of
    a line in the text is no end of a line on the page.
    """
    reader = _WRAPPED if wrapped else _MARKDOWN
    html = reader.render(text, {"headings_from": headings_from})
    clean = nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=None if trusted else REL
    )
    return mark_safe(clean)


def plain(text: str) -> str:
    """The words of a text on one line, without its marks: for lists and notices."""
    words: list[str] = []
    for block in _MARKDOWN.parse(text):
        parts = [block] if block.children is None else block.children
        words += [" " if part.type in _BREAKS else part.content for part in parts]
        words.append(" ")
    return " ".join("".join(words).split())


def _lower_headings(state: StateCore) -> None:
    """A level for each heading that fits into the page."""
    top = state.env.get("headings_from", 3)
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1:]) + top - 1)}"


def _link_addresses(state: StateCore) -> None:
    """An address is a link, also where nobody has marked it as one."""
    for block in state.tokens:
        if block.type != "inline" or "://" not in block.content:
            continue
        linked: list[Token] = []
        inside = 0
        for token in block.children or ():
            inside += (token.type == "link_open") - (token.type == "link_close")
            is_plain = token.type == "text" and not inside
            linked += _split(token) if is_plain else [token]
        block.children = linked


def _split(token: Token) -> Iterator[Token]:
    end = 0
    for found in _ADDRESS.finditer(token.content):
        address = _without_tail(found[0])
        if found.start() > end:
            yield _text(token.content[end : found.start()], token.level)
        yield Token("link_open", "a", 1, attrs={"href": _MARKDOWN.normalizeLink(address)}, level=token.level)
        yield _text(address, token.level + 1)
        yield Token("link_close", "a", -1, level=token.level)
        end = found.start() + len(address)
    if end < len(token.content):
        yield _text(token.content[end:], token.level)


def _without_tail(address: str) -> str:
    """An address without the full stop or the bracket of the sentence in which it stands."""
    address = address.rstrip(_NOT_AT_THE_END)
    if address.endswith(")") and address.count(")") > address.count("("):
        return _without_tail(address[:-1])
    return address


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)


def _reader(*, breaks: bool) -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": breaks})
    markdown.enable(["table", "strikethrough"]).disable("image")
    markdown.core.ruler.push("lower_headings", _lower_headings)
    markdown.core.ruler.push("link_addresses", _link_addresses)
    return markdown


_MARKDOWN, _WRAPPED = _reader(breaks=True), _reader(breaks=False)
