"""The board of a team: who writes, who reads, who takes down."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden, NotFound, Unprocessable
from crownhead.server.teams import selectors, services
from crownhead.server.teams.models import Post, Team
from crownhead.server.teams.services import board
from tests.server.play.factories import NOW, api_of
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db


def test_members_write_and_members_read(alice: User, bob: User, charlie: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    for user, text in ((alice, "First"), (bob, "  Second ")):
        services.write(user=user, team_id=team.public_id, text=text, now=NOW)
    assert [post.text for post in selectors.posts(bob, team)] == ["Second", "First"]
    with pytest.raises(Forbidden, match="can read its message board"):
        selectors.posts(charlie, team)
    with pytest.raises(Forbidden, match="Only members"):
        services.write(user=charlie, team_id=team.public_id, text="Let me in", now=NOW)


@pytest.mark.parametrize("text", ["", "   ", "x" * 4001])
def test_too_little_or_too_much_is_refused(alice: User, text: str) -> None:
    team = make_team(alice)
    with pytest.raises(Unprocessable, match="text: Use 1 to 4000 characters"):
        services.write(user=alice, team_id=team.public_id, text=text, now=NOW)


def test_messages_of_blocked_people_are_hidden(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    services.write(user=bob, team_id=team.public_id, text="Look at me", now=NOW)
    contact_services.block(user=alice, other=bob, now=NOW)
    assert list(selectors.posts(alice, team)) == []
    assert len(selectors.posts(bob, team)) == 1


def test_messages_are_taken_down_by_their_author_and_the_captain(alice: User, bob: User) -> None:
    team = make_team(alice)
    services.join(user=bob, team_id=team.public_id, now=NOW)
    posts = [
        services.write(user=user, team_id=team.public_id, text="So", now=NOW) for user in (alice, bob, bob)
    ]
    with pytest.raises(Forbidden):
        services.take_down(user=bob, team_id=team.public_id, post_id=posts[0].pk)
    services.take_down(user=bob, team_id=team.public_id, post_id=posts[1].pk)
    services.take_down(user=alice, team_id=team.public_id, post_id=posts[2].pk)
    assert list(selectors.posts(bob, team)) == [posts[0]]
    with pytest.raises(NotFound):
        services.take_down(user=alice, team_id=team.public_id, post_id=posts[2].pk)


def test_who_cannot_read_a_board_is_not_told_what_is_on_it(alice: User, bob: User, charlie: User) -> None:
    team, other = make_team(alice), make_team(bob, "Red Cats")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    mine = services.write(user=alice, team_id=team.public_id, text="So", now=NOW)
    left = services.write(user=bob, team_id=team.public_id, text="I was here", now=NOW)
    services.leave(user=bob, team_id=team.public_id, now=NOW)
    paths = [f"/teams/{team.public_id}/posts/{post}" for post in (mine.pk, left.pk, left.pk + 1)]
    elsewhere = f"/teams/{other.public_id}/posts/{mine.pk}"
    told = [api_of(charlie).delete(path) for path in (*paths, elsewhere)]
    assert [answer.status_code for answer in told] == [403] * 4
    assert len({answer.content for answer in told[:3]}) == 1
    assert api_of(alice).delete(paths[2]).status_code == 404
    assert api_of(bob).delete(paths[1]).status_code == 204  # their own


def say(team: Team, user: User, *texts: str) -> None:
    """Write several messages."""
    for text in texts:
        services.write(user=user, team_id=team.public_id, text=text, now=NOW)


def said(team: Team) -> list[str]:
    """What is on the board, the oldest first."""
    return list(Post.objects.filter(team=team).order_by("pk").values_list("text", flat=True))


def test_who_writes_very_much_on_a_board_pushes_out_their_own_messages_alone(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MAX_OF_MEMBER", 3)
    team, other = make_team(alice), make_team(alice, "Red Cats")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    say(other, alice, "Elsewhere")
    say(team, bob, "b1")
    say(team, alice, "a1", "a2", "a3", "a4", "a5")
    say(team, bob, "b2")
    assert said(team) == ["b1", "a3", "a4", "a5", "b2"]
    assert said(other) == ["Elsewhere"]


def test_of_very_many_messages_on_a_board_the_oldest_go(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MAX_POSTS", 3)
    team, other = make_team(alice), make_team(bob, "Red Cats")
    services.join(user=bob, team_id=team.public_id, now=NOW)
    say(other, bob, "1", "2", "3")
    say(team, alice, "a1", "a2")
    say(team, bob, "b1", "b2")
    assert said(team) == ["a2", "b1", "b2"]
    assert said(other) == ["1", "2", "3"]


def test_several_who_flood_a_board_push_out_their_own_messages(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MAX_POSTS", 6)
    team = make_team(alice)
    for user in (bob, charlie):
        services.join(user=user, team_id=team.public_id, now=NOW)
    say(team, alice, "a1", "a2")
    for number in range(20):
        say(team, (bob, charlie)[number % 2], str(number))
    assert said(team) == ["a1", "a2", "16", "17", "18", "19"]


def test_a_board_that_was_without_an_end_shrinks_a_few_messages_at_a_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "MAX_POSTS", 3)
    monkeypatch.setattr(board, "_AT_ONCE", 5)
    team = make_team(alice)
    Post.objects.bulk_create(
        Post(team=team, author=alice, text=f"{number}", written_at=NOW) for number in range(10)
    )
    say(team, alice, "New")
    assert said(team) == ["5", "6", "7", "8", "9", "New"]
    say(team, alice, "Newer")
    assert said(team) == ["9", "New", "Newer"]


def test_who_has_read_to_the_end_of_a_board_is_told_how_much_it_keeps(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"team_posts": "none"}
    team, client = make_team(alice), Client()
    client.force_login(alice)
    say(team, alice, *map(str, range(31)))
    address = f"/teams/{team.public_id}/board/"
    first = client.get(address)
    assert b"The board keeps" not in first.content
    last = client.get(f"{address}{first.context['games'].older}").content.decode()
    assert "keeps 5000 messages, of each member the latest 500" in " ".join(last.split())
