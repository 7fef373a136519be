"""Notifications about games: what, to whom, once, and only while it is true."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

import pytest

from crownhead.server.accounts.models import Ignored, User
from crownhead.server.core import clock
from crownhead.server.live.models import Outbox
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice
from crownhead.server.notices.selectors.reading import notices_of, unread_count
from crownhead.server.notices.services import reading
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import accept_draw, decline_draw, offer_draw, resign
from crownhead.server.play.games import contests, endings
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting, send_reminders
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.staff.selectors import appeals
from crownhead.server.play.staff.services import adjourn, adjudicate, answer_appeal, appeal
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from tests.server.notices.factories import MINUTE, kinds, set_timing, subjects
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_game_from, make_offer, play_moves

pytestmark = pytest.mark.django_db

LIVE = LiveClock(initial=300, increment=3)


def invite(creator: User, opponent: User) -> Game:
    return invitation_services.invite(
        creator=creator,
        opponent=opponent.username,
        options=GameOptions(variant="american", colour="first", days_per_move=3),
        message="",
        site="",
        now=NOW,
    )


def test_a_player_who_took_a_game_is_notified_whose_turn_it_is_and_its_creator_that_it_has_begun(
    alice: User, bob: User
) -> None:
    make_game(alice, bob)
    assert subjects(alice) == ["Your game against bob has started"]
    assert kinds(alice) == ["paired"]
    assert subjects(bob) == []


def test_the_one_who_took_it_and_moves_first_is_notified(alice: User, bob: User) -> None:
    game = make_offer(alice, colour="second")
    game_services.join(user=bob, game_id=game.public_id, now=NOW, dice=Random(1))
    assert kinds(bob) == ["turn"]
    assert kinds(alice) == ["paired"]


def test_a_move_tells_the_opponent_and_withdraws_what_the_mover_was_sent(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    assert subjects(bob) == ["Your turn against alice"]
    (notice,) = notices_of(bob)
    assert notice.text == (
        "alice played 11-15 in American checkers. Your time runs out on 4 March 2026, 12:00 UTC."
    )
    assert notice.link == f"/games/{game.public_id}/"
    play_moves(game, "22-18")
    assert subjects(bob) == []
    assert subjects(alice) == ["Your turn against bob", "Your game against bob has started"]


def test_a_move_sent_twice_is_announced_once(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    play_move(user=alice, game_id=game.public_id, move="11-15", version=0, now=NOW)
    assert Notice.objects.filter(user=bob).count() == 1


def test_a_planned_answer_leaves_nothing_to_tell_its_owner(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    play_moves(game, "22-18")
    assert "Your turn against bob" not in subjects(alice)
    assert subjects(bob) == ["Your turn against alice"]


def test_in_a_live_game_only_its_beginning_and_end_are_announced(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, days_per_move=None, clock=LIVE), "11-15", "22-18")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    accept_draw(user=bob, game_id=game.public_id, now=NOW)
    assert kinds(alice) == ["ended", "paired"]
    assert kinds(bob) == ["ended"]


def test_a_draw_offer_is_announced_and_withdrawn_when_it_lapses(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    assert subjects(bob)[0] == "alice offers a draw"
    play_moves(game, "22-18")
    assert subjects(bob) == []


def test_a_declined_draw_is_announced_to_the_one_who_offered_it(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    decline_draw(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice)[0] == "bob declined the draw"
    assert subjects(bob) == []


def test_a_take_back_is_announced_asked_given_and_refused(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)
    assert subjects(bob)[0] == "alice asks to take back a move"
    decline_take_back(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(bob) == ["Your turn against alice"]
    assert subjects(alice)[0] == "bob declined your take-back"
    play_moves(fresh(game), "22-18", "15x22")
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)
    accept_take_back(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice)[0] == "bob accepted your take-back"
    assert subjects(bob) == []


def test_words_beside_the_board_are_announced_once_until_they_are_read(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    for words in ("Hello", "Anybody there?"):
        send_message(user=alice, game_id=game.public_id, text=words, now=NOW)
    assert subjects(bob) == ["alice wrote to you"]
    assert Notice.objects.get(user=bob).text == "Read it in the chat of your game of American checkers."
    reading.mark_all_read(user=bob, now=NOW)
    with clock.stopped(NOW + MINUTE):
        send_message(user=alice, game_id=game.public_id, text="Ah.", now=NOW + MINUTE)
    assert unread_count(bob) == 1


@pytest.mark.parametrize(
    ("hours", "kind", "subject"),
    [
        (36, "half", "Half of your time is left against bob"),
        (58, "fifth", "A fifth of your time is left against bob"),
        (70, "two-hours", "Two hours left against bob"),
    ],
)
def test_time_that_runs_short_is_announced(
    alice: User, bob: User, hours: int, kind: str, subject: str
) -> None:
    make_game(alice, bob)
    send_reminders(now=NOW + hours * DAY / 24)
    assert (kinds(alice)[0], subjects(alice)[0]) == (kind, subject)
    assert subjects(bob) == []


def test_reminders_are_withdrawn_when_the_move_is_made(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    send_reminders(now=NOW + 1.5 * DAY)
    play_moves(game, "11-15", now=NOW + 1.5 * DAY)
    assert kinds(alice) == ["paired"]


def test_the_end_is_announced_to_both_but_not_to_the_one_who_resigned(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice)[0] == "You won against bob"
    assert notices_of(alice)[0].text == "American checkers: You won by resignation."
    assert kinds(bob) == []


def test_a_reminder_that_cannot_be_sent_holds_up_no_other(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, game = (make_game(alice, bob, days_per_move=3) for _ in range(2))
    settle = endings.settle

    def settle_others(row: Game, now: datetime) -> None:
        if row.pk == broken.pk:
            raise ValueError("this one is broken")
        settle(row, now)

    monkeypatch.setattr(endings, "settle", settle_others)
    assert send_reminders(now=NOW + 2 * DAY) == 1
    assert f"of game {broken.public_id} nobody can be reminded" in caplog.text
    assert fresh(game).remind_of != fresh(broken).remind_of


def test_a_loss_on_time_is_announced_to_both_and_reminds_nobody_any_more(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18", "15x22", "25x18")
    send_reminders(now=NOW + 2 * DAY)
    end_overdue_games(now=NOW + 4 * DAY)
    assert fresh(game).status == "finished"
    assert subjects(alice) == ["You lost to bob", "Your game against bob has started"]
    assert subjects(bob) == ["You won against alice"]


def test_a_move_that_ends_the_game_leaves_no_turn_to_announce(alice: User, bob: User) -> None:
    play_moves(make_game_from("W:W22,30:B18", alice, bob), "22x15")
    assert kinds(alice)[0] == "ended"
    assert "turn" not in kinds(alice) + kinds(bob)


def test_an_invitation_is_announced_and_withdrawn_with_it(alice: User, bob: User) -> None:
    game = invite(alice, bob)
    assert subjects(bob) == ["alice invites you to a game of American checkers"]
    game_services.withdraw_waiting(user=alice, game_id=game.public_id, now=NOW)
    assert unread_count(bob) == 0


def test_what_is_written_with_an_invitation_stands_in_its_notice(alice: User, bob: User) -> None:
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    for words in ("Once more,\nwith feeling?", "x" * 900, ""):
        invitation_services.invite(
            creator=alice, opponent="bob", options=terms, message=words, site="", now=NOW
        )
    plain, long, first = (row.text for row in Notice.objects.filter(user=bob).order_by("-pk"))
    assert first == "“Once more, with feeling?” Accept or decline before 15 March 2026, 12:00 UTC."
    assert "x…” Accept" in long
    assert len(long) < 400
    assert plain == "Accept or decline before 15 March 2026, 12:00 UTC."


def test_an_accepted_invitation_is_announced_to_who_sent_it(alice: User, bob: User) -> None:
    game = invite(alice, bob)
    invitation_services.accept(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice) == ["bob accepted your invitation"]
    assert kinds(alice) == ["answered"]
    assert notices_of(alice)[0].text.startswith("You play American checkers as Red. It is your turn.")
    assert unread_count(bob) == 0


def test_a_declined_invitation_is_announced_to_who_sent_it(alice: User, bob: User) -> None:
    game = invite(alice, bob)
    invitation_services.decline(user=bob, game_id=game.public_id, now=NOW)
    assert subjects(alice) == ["bob declined your invitation"]


def test_a_game_that_nobody_took_is_announced_to_who_offered_it(alice: User) -> None:
    make_offer(alice)
    expire_waiting(now=NOW + 14 * DAY)
    assert subjects(alice) == ["Nobody joined your game of American checkers"]


def test_a_pairing_is_announced_to_both_with_the_contest(alice: User, bob: User) -> None:
    contest = contests.Contest("ladder", "abc", "The long ladder", "/ladders/abc/")
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    start_game(first=alice, second=bob, options=options, now=NOW, dice=Random(1), contest=contest)
    assert kinds(alice) == kinds(bob) == ["paired"]
    assert notices_of(bob)[0].text == "You play American checkers (The long ladder) as White."


def test_a_short_game_of_a_rated_contest_is_said_to_be_unrated_and_one_of_none_not_to_count(
    alice: User, bob: User
) -> None:
    contest = contests.Contest("cup", "abc", "The cup", "/cup/")
    for rated in (True, False):
        options = GameOptions(variant="american", colour="first", days_per_move=3, rated=rated)
        start_game(first=alice, second=bob, options=options, now=NOW, dice=Random(1), contest=contest)
    make_game(alice, bob)
    end_overdue_games(now=NOW + 4 * DAY)
    texts = " ".join(row.text for row in notices_of(bob) if row.kind == "ended")
    assert texts.count("You won on time.") == 3
    assert texts.count("Not rated: each side must make at least two moves.") == 1
    assert texts.count("The game does not count.") == 1


def test_a_player_who_wants_no_pairings_but_their_turns_is_notified_of_the_first_one(
    alice: User, bob: User
) -> None:
    set_timing(alice, Kind.PAIRED, Channel.MAIL, Timing.NEVER)
    make_game(alice, bob)
    (delivery,) = Delivery.objects.filter(user=alice)
    assert (delivery.kind, delivery.timing) == ("turn", "away")


def test_the_next_game_of_a_match_is_announced_to_both_and_its_end_too(alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=3)
    for user in (alice, bob):
        Notice.objects.filter(user=user).delete()
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert set(kinds(alice)) == {"ended", "paired"}
    assert kinds(bob) == ["paired"]


def test_the_end_of_a_match_is_announced(alice: User, bob: User) -> None:
    make_game(alice, bob, games=2)
    for game in Game.objects.all():
        resign(user=bob, game_id=game.public_id, now=NOW)
    assert "You won your match" in subjects(alice)
    assert "You lost your match" in subjects(bob)


def test_what_the_staff_decide_is_announced_to_both(alice: User, bob: User, charlie: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    charlie.is_staff = True
    charlie.save()
    appeal(user=alice, game_id=game.public_id, claim="win", reason="My opponent is gone.", now=NOW)
    assert kinds(charlie) == ["staff"]
    adjudicate(
        by=charlie, game_id=game.public_id, result="first", reason="My opponent is gone indeed.", now=NOW
    )
    assert kinds(bob) == ["appeal"]
    assert notices_of(bob)[0].text == (
        "American checkers: You lost by adjudication. From the staff: My opponent is gone indeed."
    )


def test_nothing_personal_comes_from_somebody_who_is_blocked(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    Ignored.objects.create(user=bob, ignored=alice, created_at=NOW)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)
    assert kinds(bob) == ["turn"]  # the game itself goes on, and its clock


def test_no_row_is_made_for_a_player_who_wants_no_notifications(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    for channel in Channel:
        set_timing(bob, Kind.TURN, channel, Timing.NEVER)
    play_moves(game, "11-15")
    assert not Notice.objects.filter(user=bob).exists()


def test_open_pages_hear_of_a_notice_in_the_same_transaction(alice: User, bob: User) -> None:
    play_moves(make_game(alice, bob), "11-15")
    event = Outbox.objects.filter(kind="notice", topic=f"user:{bob.pk}").get()
    assert event.payload["subject"] == "Your turn against alice"


def test_an_adjourned_game_is_announced_to_both(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    adjourn(by=charlie, game_id=game.public_id, until=NOW + DAY, reason="A storm.", now=NOW, as_director=True)
    assert subjects(alice)[0] == "Your game against bob is adjourned"
    assert notices_of(bob)[0].text == (
        "The clock in American checkers is stopped until 2 March 2026, 12:00 UTC."
    )
    adjourn(by=charlie, game_id=game.public_id, until=None, reason="It is over.", now=NOW, as_director=True)
    assert "Your game against bob continues" in subjects(alice)


def test_of_several_adjournments_only_the_latest_is_announced(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    before = len(subjects(alice))
    facts: dict[str, Any] = {"game_id": game.public_id, "reason": "A storm.", "as_director": True}
    for minutes, until in enumerate((NOW + DAY, NOW + 2 * DAY, None, NOW + DAY)):
        with clock.stopped(NOW + minutes * MINUTE):
            adjourn(by=charlie, until=until, now=NOW + minutes * MINUTE, **facts)
    assert len(subjects(alice)) == before + 1
    assert notices_of(alice)[0].text.endswith("is stopped until 2 March 2026, 12:00 UTC.")


def test_an_answered_appeal_is_announced_to_who_made_it(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    charlie.is_staff = True
    charlie.save()
    appeal(user=bob, game_id=game.public_id, claim="draw", reason="A book draw.", now=NOW)
    (asked,) = appeals(game=game, viewer=None)
    answer_appeal(staff=charlie, appeal_id=asked.pk, granted=False, answer="Not yet.", now=NOW)
    assert kinds(bob) == ["appeal"]
    assert kinds(alice) == ["paired"]
