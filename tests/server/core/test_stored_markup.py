"""The HTML of a text that a member wrote is made once and kept."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import Profile, User
from crownhead.server.core.markup import stored
from crownhead.server.core.markup.markdown import render_markdown
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.social.models import News
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def renderings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were rendered."""
    texts: list[str] = []

    def note(text: str, *, trusted: bool) -> str:
        texts.append(text)
        return render_markdown(text, trusted=trusted)

    monkeypatch.setattr(stored, "render_markdown", note)
    return texts


def read(user: User) -> str:
    """The profile as a page reads it, from the database."""
    return stored_html(Profile.objects.get(user=user))


def test_a_text_is_rendered_when_it_is_saved_and_never_when_it_is_read(
    alice: User, renderings: list[str]
) -> None:
    Profile.objects.create(user=alice, text="*one*")
    assert renderings == ["*one*"]

    assert {read(alice) for _ in range(3)} == {"<p><em>one</em></p>\n"}
    Profile.objects.get(user=alice).save()

    assert renderings == ["*one*"]


def test_a_changed_text_is_rendered_again(alice: User, renderings: list[str]) -> None:
    profile = Profile.objects.create(user=alice, text="one")
    profile.text = "two"
    profile.save()
    assert renderings == ["one", "two"]
    assert read(alice) == "<p>two</p>\n"


def test_a_text_changed_past_the_column_is_rendered_once_by_the_first_reader(
    alice: User, renderings: list[str]
) -> None:
    Profile.objects.create(user=alice, text="one")
    Profile.objects.filter(user=alice).update(text="two")
    assert {read(alice) for _ in range(3)} == {"<p>two</p>\n"}
    assert renderings == ["one", "two"]


def test_rows_from_before_the_column_are_rendered_once(alice: User, renderings: list[str]) -> None:
    Profile.objects.create(user=alice, text="one")
    Profile.objects.filter(user=alice).update(html="")
    assert {read(alice) for _ in range(3)} == {"<p>one</p>\n"}
    assert renderings == ["one", "one"]


def test_another_renderer_renders_once_more(
    alice: User, renderings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Profile.objects.create(user=alice, text="one")
    monkeypatch.setattr(stored, "RENDERER", "another")
    assert {read(alice) for _ in range(3)} == {"<p>one</p>\n"}
    assert renderings == ["one", "one"]


def test_no_text_is_no_html_and_nothing_is_rendered(alice: User, renderings: list[str]) -> None:
    assert stored_html(Profile(user=alice)) == ""
    assert renderings == []


def test_news_is_by_the_site_and_its_links_are_trusted(alice: User) -> None:
    row = News.objects.create(
        title="News", text="[rules](/rules/)", author=alice, written_at=NOW, changed_at=NOW
    )
    assert stored_html(News.objects.get(pk=row.pk)) == '<p><a href="/rules/">rules</a></p>\n'
