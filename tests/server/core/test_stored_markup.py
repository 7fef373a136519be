"""The HTML of a text that a member wrote is made once and kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client

from crownhead.server.accounts.models import Profile, User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.competitions.services import hosting
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.markup import stored
from crownhead.server.core.markup.markdown import render_markdown
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.social.models import News
from crownhead.server.teams.services import board, founding
from tests.server.competitions.factories import MAIN, make_tournament
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_ahead() -> None:
    """Forget what other tests had rendered."""
    stored._html.cache_clear()  # noqa: SLF001


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
    stored._html.cache_clear()  # noqa: SLF001 - as in another process
    assert {read(alice) for _ in range(3)} == {"<p>one</p>\n"}
    assert renderings == ["one", "one"]


def test_another_renderer_renders_once_more(
    alice: User, renderings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Profile.objects.create(user=alice, text="one")
    monkeypatch.setattr(stored, "RENDERER", "another")
    stored._html.cache_clear()  # noqa: SLF001 - as in another process
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


def make_team(user: User, text: str) -> None:
    founding.create_team(user=user, name="Kings", about_text=text, joining="open", now=NOW)


def edit_team(user: User, text: str) -> None:
    team = founding.create_team(user=user, name="Kings", about_text="", joining="open", now=NOW)
    founding.edit_team(
        user=user, team_id=team.public_id, name="Kings", about_text=text, joining="open", now=NOW
    )


def post(user: User, text: str) -> None:
    team = founding.create_team(user=user, name="Kings", about_text="", joining="open", now=NOW)
    board.write(user=user, team_id=team.public_id, text=text, now=NOW)


def write_profile(user: User, text: str) -> None:
    set_profile(user=user, text=text, now=NOW)


def make(user: User, text: str) -> None:
    make_tournament(user, about=text)


def edit(user: User, text: str) -> None:
    key = make_tournament(user).public_id
    wanted = Announcement(name="Spring cup", game=MAIN, format="round-robin", start="hand", about=text)
    hosting.edit(user=user, tournament_id=key, wanted=wanted, now=NOW)


def write_news(_user: User, text: str) -> None:
    host = make_user("hostess", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(host)
    client.post("/staff/social/news/add/", {"title": "Spring", "text": text})
    assert News.objects.get().author == host


@pytest.mark.parametrize("save", [make_team, edit_team, post, write_profile, make, edit, write_news])
def test_a_text_is_rendered_before_the_transaction_in_which_it_is_saved(
    alice: User, save: Callable[[User, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    depths: list[int] = []

    def note(text: str, *, trusted: bool) -> str:
        if text == "a *new* text":
            depths.append(len(connection.savepoint_ids))
        return render_markdown(text, trusted=trusted)

    monkeypatch.setattr(stored, "render_markdown", note)
    save(alice, "a *new* text ")
    assert depths == [len(connection.savepoint_ids)]
