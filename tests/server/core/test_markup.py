"""Markdown becomes safe HTML."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from crownhead.server.core.markup.bounds import MAX_CELLS, MAX_LINKS, MAX_SIGNS, STEPS_EACH, is_crowded
from crownhead.server.core.markup.markdown import REL, plain_text, render_markdown


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


@pytest.mark.parametrize("unit", ["[a ", "[%", "[\n", "[a_", "[a\\"])
@pytest.mark.parametrize("end", ["", "](", "]"])
def test_open_brackets_are_not_followed_to_the_end_of_the_text_again_and_again(
    unit: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    look = ParserInline.skipToken

    def count(parser: ParserInline, state: StateInline) -> None:
        nonlocal looked
        looked += 1
        look(parser, state)

    monkeypatch.setattr(ParserInline, "skipToken", count)
    text = f"{unit * 400}{'!' * 2000} {'a word ' * 900}{end}"
    assert not is_crowded(text)
    render_markdown(text)
    assert looked <= STEPS_EACH * len(text)
    plain_text(f"{unit * 10}{'!' * 120} {'a word ' * 50}{end}")


def test_links_have_labels_with_brackets_and_marks() -> None:
    html = render_markdown("[a *soft* [b] \\] `]` word](https://a.example) and [one](/x) [two](/y)")
    assert html.count("<a ") == 3
    assert "<em>soft</em> [b] ] <code>]</code> word</a>" in html


@pytest.mark.parametrize("signs", [4000, 4001])
def test_a_text_of_nothing_but_signs_is_not_parsed(signs: int) -> None:
    assert is_crowded("!" * signs) == (signs > MAX_SIGNS)


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


LONGEST = 10_000  # characters, of what a member can write
WIDE = "|" + "a|" * 1000 + "\n|" + "-|" * 1000 + "\n" + "x\n" * 2500
LONG = "|" + "a|" * 20 + "\n|" + "-|" * 20 + "\n" + "x\n" * 4900
DEFINED = f"[a]: http://x.example/{'y' * 5000}\n\n" + "[a]" * 1600
PARTS = (
    *("[a](b)", "http://a.b ", "<http://a.b>", "> ", ">" * 10 + "a\n\n", "- " * 10 + "a\n\n", "-\n", "#\n"),
    *(
        "\n> a\n\n",
        "*a_",
        "*a*",
        "~~a~~",
        "[",
        "[[a](b)",
        "***\n",
        "a\\\n",
        "&",
        "+ a\n- b\n* c\n",
        "1) a\n2. b\n",
    ),
    *("a|b\n-|-\n\n", "a|b\n-|-\n", "|a\n", "`` ` ", "```\n", "<b>", "a\n===\n", "http://a"),
)


@pytest.mark.parametrize("text", [WIDE, LONG, DEFINED, *(part * (LONGEST // len(part)) for part in PARTS)])
def test_the_html_of_a_text_is_in_proportion_to_it(text: str) -> None:
    html = render_markdown(text[:LONGEST])

    assert len(html) <= 10 * LONGEST + 1000
    assert html.count("<td>") + html.count("<th>") <= MAX_CELLS
    assert html.count("<a ") <= MAX_LINKS


def test_html_out_of_proportion_gives_way_to_the_text_as_it_was_written() -> None:
    text = ">" * 15 + "*a* & b\n\n"
    html = render_markdown(text * 100)
    assert "<blockquote>" not in html
    assert html.count(f"<p>{escape(text.strip())}</p>") == 100


@pytest.mark.parametrize(
    "part",
    [
        "- - - - a\n",
        "1. 1. 1. a\n",
        "1. 1. http://a.example\n",
        "* * a\n",
        "> 1. a\n",
        "*[",
        "[",
        "~~a",
        "a_b",
        "> > > a\n",
        "<",
        "a\n",
        "a\r",
        "a\n\n",
        "# a\n",
    ],
)
def test_a_text_of_marks_or_lines_alone_is_not_parsed(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_arguments: object) -> None:
        raise AssertionError("the parser was called")

    text = part * (LONGEST // len(part))
    monkeypatch.setattr(MarkdownIt, "parse", parse)
    assert escape(part.strip()) in render_markdown(text)
    assert plain_text(text) == " ".join(text.split())


def test_a_long_text_as_people_write_it_is_parsed() -> None:
    """Six hundred moves, a table of forty rows, a list of a hundred links."""
    moves = " ".join(f"{n}. 11-15 23-19" for n in range(1, 301))
    table = "|a|b|c|\n|---|---|---|\n" + "|*x*|y|z|\n" * 40
    links = "".join(f"- [Game {n}](/g/{n}/)\n" for n in range(100))
    html = render_markdown(f"# Games\n\n{moves}\n\n{table}\n{links}")
    assert html.count("<a ") == 100
    assert html.count("<em>x</em>") == 40


def test_rows_beyond_a_table_stay_as_they_were_written() -> None:
    html = render_markdown("|a|b|\n|-|-|\n" + "".join(f"|{n}|x|\n" for n in range(300)))
    assert "<td>0</td>" in html
    assert "<td>299</td>" not in html
    assert "|299|x|" in html


def test_links_beyond_a_hundred_are_text() -> None:
    html = render_markdown(" ".join(f"http://a.example/{n}" for n in range(110)))
    assert html.count("<a ") == 100
    assert html.endswith("http://a.example/109</p>\n")


def test_addresses_beyond_a_hundred_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def normalized(_markdown: MarkdownIt, address: str) -> str:
        read.append(address)
        return address

    monkeypatch.setattr(MarkdownIt, "normalizeLink", normalized)
    render_markdown("".join(f"http://a.example/{n} " for n in range(400)))
    assert len(read) == MAX_LINKS


@pytest.mark.parametrize("end", [")" * 1900, ")." * 900, "(" * 900 + ")" * 950])
def test_an_address_before_many_brackets_is_a_link(end: str) -> None:
    html = render_markdown(f"see https://a.example/b{end}")
    kept = "(" * end.count("(") + ")" * end.count("(")
    assert f'<a href="https://a.example/b{kept}"' in html
    assert plain_text(f"see https://a.example/b{end}") == f"see https://a.example/b{end}"


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
