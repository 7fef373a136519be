"""Boards on which nobody plays: whose they are, and what the page of the match shows."""

from __future__ import annotations

from random import Random

import pytest

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.locking import lock
from crownhead.server.core.problems import Forbidden
from crownhead.server.teams import services
from crownhead.server.teams.models import Board, TeamMatch
from crownhead.server.teams.presenters.matches import match_page
from crownhead.server.teams.selectors import matches
from crownhead.server.teams.services import founding
from crownhead.server.teams.services.match_games import MAX_AT_ONCE, begin_more
from tests.server.play.factories import NOW
from tests.server.teams.factories import let_play, make_accepted_match, make_team_of

pytestmark = pytest.mark.django_db


def line_up(match: TeamMatch, *users: User) -> None:
    let_play(match, *users)
    names = [user.username for user in users]
    services.line_up(user=users[0], match_id=match.public_id, usernames=names, now=NOW)


def test_a_board_of_two_who_blocked_each_other_counts_for_neither_though_one_is_suspended() -> None:
    home, ours = make_team_of("dogs", 2)
    away, theirs = make_team_of("cats", 2)
    match = make_accepted_match(home, away, boards=2, games_each=1)
    block(user=theirs[1], other=ours[1], now=NOW)
    line_up(match, *ours)
    lock(user=ours[1])
    line_up(match, *theirs)
    assert Board.objects.get(number=2).lost_by == ""


@pytest.mark.parametrize(("gone", "points"), [((0,), ("0", "1")), ((1,), ("1", "0")), ((0, 1), ("", ""))])
def test_a_board_is_lost_by_the_side_whose_player_is_gone_unless_both_are(
    gone: tuple[int, ...], points: tuple[str, str]
) -> None:
    home, ours = make_team_of("dogs", MAX_AT_ONCE + 3)
    away, theirs = make_team_of("cats", MAX_AT_ONCE + 3)
    match = make_accepted_match(home, away, boards=len(ours), games_each=1)
    line_up(match, *ours)
    line_up(match, *theirs)
    for side in gone:
        lock(user=(ours, theirs)[side][-1])
    while begin_more(match_id=match.public_id, now=NOW, dice=Random(1)):
        pass
    last = match_page(matches.access_match(match.public_id), ours[0]).boards[-1]
    assert (last.home_points, last.away_points) == points


def test_no_text_of_others_is_rendered_for_an_edit_that_is_refused(
    bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    team, _members = make_team_of("dogs", 2)
    rendered: list[str] = []
    monkeypatch.setattr(founding, "render_ahead", rendered.append)
    with pytest.raises(Forbidden):
        services.edit_team(
            user=bob, team_id=team.public_id, name="Dogs", about_text="*a*", joining="open", now=NOW
        )
    assert not rendered
