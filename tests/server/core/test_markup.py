"""Markdown becomes safe HTML."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest

from crownhead.server.core.markup import REL, plain_text, render_markdown


class ElementCollector(HTMLParser):
    """Collects tags, attributes and link addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name == "href"]


def test_common_markdown_is_rendered() -> None:
    html = render_markdown("Some **bold**, *soft* and ~~old~~ words.\n\n- one\n- two\n\n> said\n\n`22x15`")
    for part in (
        "<strong>bold</strong>",
        "<em>soft</em>",
        "<s>old</s>",
        "<li>one</li>",
        "<code>22x15</code>",
    ):
        assert part in html
    assert "<blockquote>\n<p>said</p>" in html


def test_line_breaks_are_kept_unless_the_text_is_wrapped() -> None:
    assert "one<br>" in render_markdown("one\ntwo")
    assert render_markdown("one\ntwo", wrapped=True) == "<p>one\ntwo</p>\n"


def test_headings_are_lowered_below_those_of_the_page() -> None:
    assert render_markdown("# High\n\n## Low") == "<h3>High</h3>\n<h4>Low</h4>\n"
    assert render_markdown("# High\n\n###### Low", headings_from=2) == "<h2>High</h2>\n<h6>Low</h6>\n"


def test_tables_are_rendered() -> None:
    assert "<td>2</td>" in render_markdown("| a | b |\n|---|---|\n| 1 | 2 |")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[here](javascript:alert(1))",
        "[here](JaVaScRiPt:alert(1))",
        "[here](data:text/html,<script>alert(1)</script>)",
        "[here](vbscript:x)",
        "<javascript:alert(1)>",
        "![seen](https://spy.example/p.png)",
        "<a href='https://x.example' onclick='alert(1)'>here</a>",
        "<style>body{display:none}</style>",
        '[here](https://x.example "a\\" onmouseover=\\"alert(1)")',
        'https://x.example/"onmouseover=alert(1)',
    ],
)
def test_scripts_and_unsafe_links_are_removed(text: str) -> None:
    found = ElementCollector()
    found.feed(render_markdown(text))
    assert found.tags <= {"p", "a", "br"}
    assert found.attributes <= {"href", "rel", "title"}
    assert all(address.startswith("https://") for address in found.addresses)


def test_a_bare_url_becomes_a_link_without_trailing_punctuation() -> None:
    html = render_markdown("See https://club.example/rules_(old), or (https://club.example/new).")
    assert (
        f'<a href="https://club.example/rules_(old)" rel="{REL}">https://club.example/rules_(old)</a>,'
        in html
    )
    assert ">https://club.example/new</a>)." in html


def test_a_url_in_a_link_or_in_code_is_left_alone() -> None:
    html = render_markdown("[https://a.example](https://b.example) `https://c.example`")
    assert html.count("<a ") == 1
    assert "<code>https://c.example</code>" in html


def test_links_by_members_have_a_rel_and_trusted_links_do_not() -> None:
    assert f'rel="{REL}"' in render_markdown("[x](https://x.example)")
    assert "rel=" not in render_markdown("[x](/help/)", trusted=True)


@pytest.mark.parametrize("text", ["[" * 5000, "*a_" * 5000, ">" * 5000, "- " * 5000, "http://a" * 3000])
def test_hostile_texts_are_rendered_quickly(text: str) -> None:
    started = time.perf_counter()
    render_markdown(text)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Some **bold**, *soft* and ~~old~~ words", "Some bold, soft and old words"),
        ("# Rules\n\n1. one\n2. two\n\n> said", "Rules one two said"),
        (
            "a line\nand a [link](https://x.example) to https://y.example.",
            "a line and a link to https://y.example.",
        ),
        ("`22x15`\n\n    12-16\n\n```\n11-15 * 2\n```", "22x15 12-16 11-15 * 2"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("half <b>html</b> & more", "half <b>html</b> & more"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n", "a b 1 2"),
        ("", ""),
    ],
)
def test_plain_text_drops_the_markup(text: str, words: str) -> None:
    assert plain_text(text) == words
