"""The board of a team: who writes, who reads, who takes down."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden, NotFound, Unprocessable
from crownhead.server.teams import selectors, services
from tests.server.play.factories import NOW
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
