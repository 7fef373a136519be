"""A muted member writes nowhere that others read: one rule for every text of the club."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from crownhead.server.accounts.models import Profile, User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Forbidden
from crownhead.server.people.services import friends
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations.services import invite, invite_again
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from crownhead.server.social.services import messages, moderation
from crownhead.server.teams import services as teams
from crownhead.server.teams.models import Team
from tests.server.competitions.factories import MAIN, make_tournament
from tests.server.conftest import make_user
from tests.server.play.factories import make_game
from tests.server.ratings.factories import make_rated_game
from tests.server.social.conftest import NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db
RUDE = "You are all patzers"
CUP: dict[str, Any] = {"name": "Cup", "format": "round-robin", "game": MAIN, "min_players": 3}
SINGLE = GameOptions(variant="american", colour="first", days_per_move=3)


class Scene:
    """What Alice has before she is muted: a team, a tournament, a game, a confirmed address."""

    def __init__(self, alice: User, bob: User) -> None:
        self.alice = alice
        self.team: Team = make_team(alice)
        self.others: Team = make_team(bob, "Red Cats")
        self.tournament: Tournament = make_tournament(alice, name="Cup")
        self.game: Game = make_game(alice, bob)
        self.over: Game = make_rated_game(alice, bob)
        EmailAddress.objects.filter(user=alice).update(verified=True)

    def by(self, **facts: Any) -> dict[str, Any]:
        """The arguments that most services take."""
        return {"user": self.alice, "now": NOW} | facts


Act = Callable[[Scene], object]
ACTS: dict[str, Act] = {
    "a profile": lambda it: set_profile(text=RUDE, **it.by()),
    "a message": lambda it: messages.write(to="bob", text=RUDE, subject="", **it.by()),
    "chat": lambda it: send_message(game_id=it.game.public_id, text=RUDE, **it.by()),
    "a message with a move": lambda it: play_move(
        game_id=it.game.public_id, move="11-15", version=0, message=RUDE, **it.by()
    ),
    "an invitation": lambda it: invite(
        creator=it.alice, opponent="bob", options=SINGLE, message=RUDE, site="", now=NOW
    ),
    "a rematch": lambda it: invite_again(game_id=it.over.public_id, message=RUDE, **it.by()),
    "a mail to a friend": lambda it: friends.invite(
        address="d@example.org", message=RUDE, site="", **it.by()
    ),
    "a new team": lambda it: teams.create_team(name="Patzers", about_text=RUDE, joining="open", **it.by()),
    "a team": lambda it: teams.edit_team(
        team_id=it.team.public_id, name=it.team.name, about_text=RUDE, joining="open", **it.by()
    ),
    "the name of a team": lambda it: teams.edit_team(
        team_id=it.team.public_id, name="All patzers", about_text="", joining="open", **it.by()
    ),
    "a team's board": lambda it: teams.write(team_id=it.team.public_id, text=RUDE, **it.by()),
    "a request to join": lambda it: teams.join(team_id=it.others.public_id, message=RUDE, **it.by()),
    "an invitation to a team": lambda it: teams.invite(
        team_id=it.team.public_id, username="bob", message=RUDE, **it.by()
    ),
    "a match of teams": lambda it: teams.propose(
        home_id=it.team.public_id,
        away_id=it.others.public_id,
        options=SINGLE,
        boards=1,
        games_each=1,
        message=RUDE,
        **it.by(),
    ),
    "a new tournament": lambda it: make_tournament(it.alice, about=RUDE, now=NOW),
    "a trophy": lambda it: make_tournament(it.alice, prizes=(RUDE,), now=NOW),
    "a tournament": lambda it: tournaments.edit(
        tournament_id=it.tournament.public_id, wanted=Announcement(**CUP, about=RUDE), **it.by()
    ),
    "a director's reason": lambda it: tournaments.cancel(
        tournament_id=it.tournament.public_id, reason=RUDE, **it.by()
    ),
}


@pytest.fixture
def scene(alice: User, bob: User) -> Scene:
    """Alice is muted for a day."""
    made = Scene(alice, bob)
    staff = make_user("judge", is_staff=True)
    moderation.mute(staff=staff, user=alice, until=NOW + timedelta(days=1), reason="Swearing", now=NOW)
    return made


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
def test_a_muted_member_cannot_write(scene: Scene, act: Act) -> None:
    with pytest.raises(Forbidden, match="Swearing"):
        act(scene)


def test_what_an_older_version_stored_as_browsers_sent_it_may_stay(scene: Scene, alice: User) -> None:
    Profile.objects.update_or_create(user=alice, defaults={"text": "one line\r\nanother"})
    set_profile(text="one line\r\nanother", country="NL", **scene.by())
    with pytest.raises(Forbidden, match="Swearing"):
        set_profile(text="one line\r\nanother one", **scene.by())


@pytest.mark.parametrize(
    "moved",
    [
        {"about": "Zugzwang", "prizes": (RUDE, "Gold")},
        {"about": f"Zugzwang\n{RUDE}\nGold", "prizes": ()},
        {"name": "Zugzwang", "about": RUDE, "prizes": ("Gold",)},
    ],
)
def test_a_muted_host_moves_no_line_to_where_it_says_something_else(
    scene: Scene, moved: dict[str, Any]
) -> None:
    Tournament.objects.update(about=f"Zugzwang\n{RUDE}", prizes=["Gold"])
    act = scene.by(tournament_id=scene.tournament.public_id)
    with pytest.raises(Forbidden, match="Swearing"):
        tournaments.edit(wanted=Announcement(**CUP | moved), **act)
    tournaments.edit(wanted=Announcement(**CUP, about="", prizes=("Gold",)), **act)
    assert list(Tournament.objects.values_list("about", "prizes")) == [("", ["Gold"])]


def test_what_stood_there_before_may_stay(scene: Scene, alice: User) -> None:
    set_profile(country="NL", **scene.by())
    set_profile(text="", **scene.by())
    teams.edit_team(
        team_id=scene.team.public_id, name=scene.team.name, about_text="", joining="ask", **scene.by()
    )
    wanted = Announcement(**CUP, max_players=6)
    tournaments.edit(tournament_id=scene.tournament.public_id, wanted=wanted, **scene.by())
    play_move(game_id=scene.game.public_id, move="11-15", version=0, **scene.by())
