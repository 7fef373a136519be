"""The help pages and the FAQ: Markdown files, in the reader's language if there are any."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import select_template
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language

from crownhead import VARIANTS
from crownhead.server.core.languages import folders_for
from crownhead.server.core.markup.markdown import render_markdown
from crownhead.server.core.problems import NotFound
from crownhead.server.core.texts import choose_one_of
from crownhead.server.problems.selectors import variants

# In the order in which one needs them; each is a file `locale/<language>/help/<topic>.md`, or one that the
# host has put into `texts/<language>/help/` of the data folder.
TOPICS = (
    "first-game",
    "board",
    "starting",
    "guests",
    "time",
    "ending",
    "plans",
    "computer",
    "ladders",
    "tournaments",
    "ratings",
    "teams",
    "messages",
    "notices",
    "account",
    "learning",
    "terms",
    "privacy",
    "api",
)
QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Topic:
    """A help page: ``lead`` is its first paragraph."""

    key: str
    title: str
    lead: str
    text: str

    @property
    def html(self) -> SafeString:
        """What follows the first paragraph."""
        return render_markdown(self.text, headings_from=2, trusted=True, wrapped=True)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer; ``anchor`` is its place on the page."""

    anchor: str
    title: str
    html: SafeString


def topic(request: HttpRequest, key: str) -> Topic:
    """Return a help page; raises ``NotFound``."""
    if key not in TOPICS:
        raise NotFound(choose_one_of(TOPICS, key))
    return _read(request, key)


def topics(request: HttpRequest) -> list[Topic]:
    """Return all help pages, in order."""
    return [_read(request, key) for key in TOPICS]


def questions(request: HttpRequest) -> tuple[Topic, list[tuple[str, list[Question]]]]:
    """Return the FAQ and its parts: a heading with its questions."""
    page = _read(request, QUESTIONS)
    parts = []
    for part in page.text.split("\n## ")[1:]:
        heading, *entries = part.split("\n### ")
        parts.append((heading.strip(), [_question(text) for text in entries]))
    return page, parts


def _question(text: str) -> Question:
    title, _, answer = text.partition("\n")
    return Question(
        slugify(title), title.strip(), render_markdown(answer, headings_from=4, trusted=True, wrapped=True)
    )


def _read(request: HttpRequest, key: str) -> Topic:
    languages = folders_for(get_language() or settings.LANGUAGE_CODE)
    template = select_template([f"{language}/help/{key}.md" for language in languages])
    facts = {
        "guests": settings.GUESTS,
        "limits": settings.LIMITS,
        "vacation_hours": settings.VACATION_HOURS,
    }
    context = {
        "club_name": settings.CLUB_NAME,
        "settings": facts,
        "variants": VARIANTS.values(),
        "with_problems": {row.key for row in variants()},
    }
    text = template.render(context, request)
    title, _, rest = text.strip().partition("\n")
    lead, _, body = rest.strip().partition("\n\n")
    return Topic(key, title.removeprefix("# "), " ".join(lead.split()), "\n" + body)
