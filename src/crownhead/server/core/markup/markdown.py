"""Renders Markdown written by members as safe HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice

import nh3
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from crownhead.server.core.markup.bounds import MAX_LINKS, bound, is_crowded

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "a", "ul", "ol", "li"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
REL = "nofollow ugc noopener noreferrer"
"""The `rel` of links in texts by members: nothing for search engines, no referrer."""

MAX_TIMES = 10
"""How many characters of HTML one of a text may become; lists and links of common texts need five."""

_ALWAYS = 1000  # characters of HTML that any text may become
_ADDRESS = re.compile(r"""https?://[^\s<>"'`|\\^{}]{3,2000}""", re.IGNORECASE)
_FEW_MARKS, _FEW_LINES, _FEW_SIGNS = 24, 30, 150  # of a text of which only the beginning is shown
_BREAKS = {"softbreak", "hardbreak"}
_TRAILING_PUNCTUATION = ".,;:!?*_~"


def render_markdown(
    text: str, *, headings_from: int = 3, trusted: bool = False, wrapped: bool = False
) -> SafeString:
    """The HTML of a text: lowered headings, no images, URLs as links.

    ``headings_from``: the level of the highest headings, 2 … 6, below those of the page. ``trusted``: written
    by the site, so links get no ``rel``, and nothing is bounded. ``wrapped``: a line break in the text is not
    one on the page. HTML of more than ``MAX_TIMES`` the text is replaced by the text as it was written, and
    so is what ``is_crowded``.
    """
    text = _with_line_feeds(text)
    if not trusted and is_crowded(text):
        html = linebreaks(text, autoescape=True)
    else:
        html = _parser(breaks=not wrapped, bounded=not trusted).render(text, {"headings_from": headings_from})
        if not trusted and len(html) > MAX_TIMES * len(text) + _ALWAYS:
            html = linebreaks(text, autoescape=True)
    clean = nh3.clean(
        html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel=None if trusted else REL
    )
    return mark_safe(clean)  # nosec B308 B703 # nh3 has cleaned it


def plain_text(text: str) -> str:
    """The beginning of a text on one line without markup: for lists and notifications."""
    text = _with_line_feeds(text)
    if is_crowded(text, marks=_FEW_MARKS, lines=_FEW_LINES, signs=_FEW_SIGNS):
        return " ".join(text.split())
    words: list[str] = []
    for block in _parser(breaks=True, bounded=True, linked=False).parse(text):
        parts = [block] if block.children is None else block.children
        words += [" " if part.type in _BREAKS else part.content for part in parts]
        words.append(" ")
    return " ".join("".join(words).split())


def _with_line_feeds(text: str) -> str:
    """The text with line ends that are counted; the parser takes a carriage return alone for one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lower_headings(state: StateCore) -> None:
    """Lower the headings to levels that fit the page."""
    top = state.env.get("headings_from", 3)
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1:]) + top - 1)}"


def _link_addresses(state: StateCore, *, most: int | None) -> None:
    """Turn bare URLs into links, ``most`` of them: each takes time."""
    left = most
    for block in state.tokens:
        if block.type != "inline" or "://" not in block.content:
            continue
        linked: list[Token] = []
        inside = 0
        for token in block.children or ():
            inside += (token.type == "link_open") - (token.type == "link_close")
            is_plain = token.type == "text" and not inside
            parts = list(_split(token, left)) if is_plain else [token]
            if left is not None and is_plain:
                left -= sum(part.type == "link_open" for part in parts)
            linked += parts
        block.children = linked


def _split(token: Token, most: int | None) -> Iterator[Token]:
    end = 0
    for match in islice(_ADDRESS.finditer(token.content), most):
        address = _strip_punctuation(match[0])
        if match.start() > end:
            yield _text(token.content[end : match.start()], token.level)
        link = _parser(breaks=True, bounded=True).normalizeLink(address)
        yield Token("link_open", "a", 1, attrs={"href": link}, level=token.level)
        yield _text(address, token.level + 1)
        yield Token("link_close", "a", -1, level=token.level)
        end = match.start() + len(address)
    if end < len(token.content):
        yield _text(token.content[end:], token.level)


def _strip_punctuation(address: str) -> str:
    """The URL without the punctuation or closing brackets of the sentence around it."""
    spare = address.count(")") - address.count("(")
    end = len(address)
    while end and (address[end - 1] in _TRAILING_PUNCTUATION or (spare > 0 and address[end - 1] == ")")):
        end -= 1
        spare -= address[end] == ")"
    return address[:end]


def _text(content: str, level: int) -> Token:
    return Token("text", "", 0, content=content, level=level)


@cache
def _parser(*, breaks: bool, bounded: bool, linked: bool = True) -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": breaks})
    markdown.enable(["table", "strikethrough"]).disable("image")
    markdown.core.ruler.push("lower_headings", _lower_headings)
    if linked:
        most = MAX_LINKS if bounded else None
        markdown.core.ruler.push("link_addresses", partial(_link_addresses, most=most))
    if bounded:
        bound(markdown)
    return markdown
