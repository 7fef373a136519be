"""Letters and notifications are in the language of those who get them, and not of those who cause them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from django.utils import translation
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services import letters
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.presenters.log import pairing_in_words
from crownhead.server.competitions.selectors.starts import cancel_reason
from crownhead.server.core import clock
from crownhead.server.notices.presenters.games import ended, seated_game
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.notices.selectors.recipients import person
from crownhead.server.play.choices import NO_SHOW, Seat
from crownhead.server.play.staff.services import forfeit
from crownhead.server.social.services import bans, moderation, reports
from crownhead.server.teams.services import availability
from tests.server.competitions.factories import enter_players, fresh, make_running_tournament, make_tournament
from tests.server.conftest import make_user
from tests.server.languages import second_language
from tests.server.play.factories import DAY, NOW, make_game
from tests.server.teams.factories import make_accepted_match, make_team_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of all that is marked in the sources."""
    return second_language(tmp_path_factory.mktemp("locale"), "nl")


@pytest.fixture(autouse=True)
def second(settings: Settings, locale: Path) -> None:
    """The club speaks a second language."""
    settings.LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
    settings.LOCALE_PATHS = [locale]


def in_dutch(user: User) -> User:
    """The user, who has chosen the second language."""
    set_preferences(user=user, changes={"language": "nl"})
    return User.objects.get(pk=user.pk)


def test_a_host_reads_in_their_language_that_a_round_waits_to_be_released(alice: User) -> None:
    make_running_tournament(in_dutch(alice), 4, format="swiss", held_rounds=True)
    notice = notices_of(alice).get(subject__contains="needs a decision")
    assert notice.text == "«Round 1 is paired and waits to be released.»"


def test_players_read_in_their_language_why_the_club_has_cancelled_a_tournament(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + DAY, min_players=5)
    users = enter_players(tournament, 4)
    in_dutch(users[0])
    jobs.advance_due(NOW + DAY)
    sentence = "It needs at least 5 players; 4 have entered."
    told = [notices_of(user).get(subject__contains="was cancelled").text for user in users[:2]]
    assert told == [f"«{sentence}»", sentence]
    with translation.override("nl"):
        assert cancel_reason(fresh(tournament)) == f"«{sentence}»"


def test_directors_reasons_are_read_as_they_wrote_them(alice: User) -> None:
    tournament = make_tournament(alice)
    (player,) = enter_players(tournament, 1)
    in_dutch(player)
    services.cancel(user=alice, tournament_id=tournament.public_id, reason="Rules", now=NOW)
    assert notices_of(player).get().text == "Rules"


def test_players_read_in_their_language_that_they_did_not_come_in_time(alice: User, bob: User) -> None:
    game, judge = make_game(alice, bob), make_user("judge", is_staff=True)
    forfeit(by=judge, game_id=game.public_id, loser=Seat.FIRST, reason=NO_SHOW, now=NOW)
    with translation.override("nl"):
        text = ended(seated_game(game.public_id), Seat.SECOND, person(bob)).text
        browser = Client(headers={"accept-language": "nl"})
        page = browser.get(f"/games/{game.public_id}/").content.decode()
    assert "«Reason: «alice did not come to the board in time.»»" in page
    assert text.endswith("«alice did not come to the board in time.»")


def test_players_read_in_their_language_against_whom_a_game_was_decided() -> None:
    with translation.override("nl"):
        assert pairing_in_words("1.2 ann – bob, against bob") == "«1.2 ann – bob, against bob»"
        assert pairing_in_words("1.2 ann – bob, against both") == "«1.2 ann – bob, against both»"
        assert pairing_in_words("ann → bob") == "ann → bob"


def test_captains_read_in_their_language_who_can_play() -> None:
    home, members = make_team_of("Blue Dogs", 2)
    away, _others = make_team_of("Red Cats", 2)
    match = make_accepted_match(home, away)
    captain, member = in_dutch(home.captain), next(user for user in members if user != home.captain)
    availability.be_available(user=member, match_id=match.public_id, available=True, now=NOW)
    assert notices_of(captain).filter(subject__startswith=f"«{member.username} can play in").exists()


def test_players_who_are_suspended_read_it_in_their_own_language(
    alice: User, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    judge = make_user("judge", is_staff=True)
    in_dutch(bob)
    with django_capture_on_commit_callbacks(execute=True):
        bans.ban(staff=judge, user=bob, until=None, reason="Sells pills.", now=clock.now())
        with translation.override("nl"):  # the language of who acts
            bans.ban(staff=judge, user=alice, until=None, reason="Sells pills.", now=clock.now())
    theirs, hers = mail.outbox
    assert (theirs.to, "«The reason:»" in theirs.body) == (["bob@club.example"], True)
    assert (hers.to, "«" in f"{hers.subject}{hers.body}") == (["alice@club.example"], False)


def test_visitors_are_answered_in_the_language_of_the_club(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    judge = make_user("judge", is_staff=True)
    row = reports.letter(user=None, address="guest@example.org", reason="Hello!", now=NOW)
    with django_capture_on_commit_callbacks(execute=True), translation.override("nl"):
        moderation.decide(staff=judge, report_id=row.public_id, decision="answered", note="Hi!", now=NOW)
    assert [letter.subject for letter in mail.outbox if letter.to == ["guest@example.org"]] == [
        "[Crownhead] Answer to your message"
    ]


def test_letters_about_an_account_are_in_the_language_that_its_owner_has_chosen(alice: User) -> None:
    context = {"user": in_dutch(alice), "club_name": "Crownhead"}
    letters.send(template="account/email/password_set_by_staff", to=alice.email, context=context)
    assert "«" in mail.outbox[0].body


def test_who_has_chosen_no_language_is_not_written_to_in_that_of_the_staff(alice: User) -> None:
    context = {"user": alice, "club_name": "Crownhead"}
    with translation.override("nl"), letters.in_words_for(alice):
        letters.send(template="account/email/password_set_by_staff", to=alice.email, context=context)
    assert "«" not in mail.outbox[0].body
