"""What members do during a visit: they answer, play, chat and offer games."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db.models import Q

from crownhead import VARIANTS
from crownhead.notation.moves import write_full
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.core.problems import Problem
from crownhead.server.play.chat.services import send_message
from crownhead.server.play.draws.services import accept_draw, claim_draw, decline_draw, offer_draw, resign
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import BankClock, GameOptions, LiveClock
from crownhead.server.play.games.selectors import replay
from crownhead.server.play.games.services import create_game
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from crownhead.server.play.vacation import services as vacation_services
from crownhead.server.social.services import messages as social
from tests.server.simulation.calendar import HOUR
from tests.server.simulation.club import Club
from tests.server.simulation.people import Member

SITE = "https://club.example"
_VARIANTS = tuple(VARIANTS)


def come_by(club: Club, member: Member) -> None:
    """One visit, which takes about a minute."""
    club.count["visits"] += 1
    assert club.api(member).get("/me").status_code == 200
    answer_invitations(club, member)
    play(club, member)
    habit = member.habit
    for chance, act in (
        (habit.talks, write),
        (habit.ignores, ignore),
        (habit.vacations, go_on_vacation),
        (25, look_around),
        (60, find_a_game),
    ):
        if club.dice.randrange(100) < chance:
            club.calendar.advance(timedelta(seconds=7))
            act(club, member)


def games_of(member: Member) -> list[Game]:
    """The games in which it is their turn, the most urgent first."""
    mine = Q(first_player=member.key, turn=Seat.FIRST) | Q(second_player=member.key, turn=Seat.SECOND)
    rows = Game.objects.filter(mine, status=Status.PLAYING)
    return list(rows.order_by("deadline_at", "pk").select_related("first_player", "second_player"))


def play(club: Club, member: Member) -> None:
    """Make a move in some games, or end them."""
    games = games_of(member)
    for game in games[: member.habit.moves]:
        club.calendar.advance(timedelta(seconds=5))
        with suppress(Problem):
            _answer_offer(club, member, game)
            club.calendar.advance(timedelta(seconds=2))
            _one_turn(club, member, game)


def _answer_offer(club: Club, member: Member, game: Game) -> None:
    """Answer the opponent's offer of a draw or request to take back."""
    facts: dict[str, Any] = {"user": member.user, "game_id": game.public_id, "now": club.calendar.now}
    mine = Seat.FIRST if game.first_player_id == member.key else Seat.SECOND
    roll = club.dice.randrange(100)
    if game.draw_offer_by == mine.opponent:
        if roll < 50 + member.habit.draws // 2:
            accept_draw(**facts)
        elif roll < 90:
            decline_draw(**facts)
    elif game.take_back_by == mine.opponent:
        (accept_take_back if roll < 50 else decline_take_back)(**facts)


def _one_turn(club: Club, member: Member, before: Game) -> None:
    """Move, or end the game if it has lasted long enough."""
    game = Game.objects.get(pk=before.pk)
    course = replay.replay_game(game)
    mine = Seat.FIRST if game.first_player_id == member.key else Seat.SECOND
    if game.status != Status.PLAYING or game.turn != mine:
        return
    habit, roll = member.habit, club.dice.randrange(100)
    facts: dict[str, Any] = {"user": member.user, "game_id": game.public_id, "now": club.calendar.now}
    if course.claimable_draws() and roll < 60:
        claim_draw(**facts)
        return
    patience = habit.patience if not game.contest_kind else min(habit.patience, 8)
    if len(course.moves) - course.opening_plies >= patience and roll < habit.gives_up:
        resign(**facts)
        return
    if roll < habit.draws:
        offered = offer_draw(**facts)
        club.calendar.advance(timedelta(seconds=2))
        if offered.status != Status.PLAYING:  # the opponent had offered one as well
            return
    _move(club, member, game)
    if roll >= 96 and not game.rated and not game.contest_kind:
        club.calendar.advance(timedelta(seconds=2))
        ask_take_back(**{**facts, "now": club.calendar.now})
    if club.dice.randrange(200) < habit.talks:
        club.calendar.advance(timedelta(seconds=2))
        send_message(**{**facts, "now": club.calendar.now}, text="A fine game so far.")


def _move(club: Club, member: Member, game: Game) -> None:
    """Make a random move, through the API or the service, sometimes with conditional moves."""
    course = replay.replay_game(game)
    text = write_full(course.position, club.dice.choice(course.position.legal_moves()))
    club.count["moves"] += 1
    if club.dice.random() < 0.3:
        body = {"move": text, "version": game.version}
        answer = club.api(member).post(f"/games/{game.public_id}/moves", body)
        too_late = game.deadline_at is not None and game.deadline_at <= club.calendar.now
        assert answer.status_code == 200 or (too_late and answer.status_code == 409), answer.content
        return
    play_move(
        user=member.user, game_id=game.public_id, move=text, version=game.version, now=club.calendar.now
    )
    if club.dice.random() < 0.08:
        _plan(club, member, game)


def _plan(club: Club, member: Member, before: Game) -> None:
    game = Game.objects.get(pk=before.pk)
    course = replay.replay_game(game)
    if course.outcome() is not None or game.status != Status.PLAYING:
        return
    line: list[str] = []
    for _ in range(2):
        if course.outcome() is not None:
            return
        chosen = club.dice.choice(course.position.legal_moves())
        line.append(write_full(course.position, chosen))
        course.push(chosen)
    with suppress(Problem):
        set_plan(
            user=member.user,
            game_id=game.public_id,
            version=0,
            lines=[tuple(line)],
            now=club.calendar.now,
        )


def answer_invitations(club: Club, member: Member) -> None:
    """Accept most invitations, decline some, ignore some."""
    for game in invitation_selectors.received(user=member.user, now=club.calendar.now)[:5]:
        roll = club.dice.randrange(10)
        if roll == 0:
            continue
        club.calendar.advance(timedelta(seconds=3))
        facts: dict[str, Any] = {"user": member.user, "game_id": game.public_id, "now": club.calendar.now}
        with suppress(Problem):
            if roll < 8:
                invitation_services.accept(**facts, dice=club.dice)
            else:
                invitation_services.decline(**facts)


def find_a_game(club: Club, member: Member) -> None:
    """Join a game, or create one for everybody or for somebody."""
    now = club.calendar.now
    if Game.objects.running_or_waiting_of(member.user).count() >= member.habit.games:
        return
    waiting = Game.objects.filter(status=Status.WAITING, open=True).exclude(creator=member.user)
    rows = list(waiting.order_by("created_at", "pk")[:6])
    with suppress(Problem):
        if rows and club.dice.random() < 0.6:
            game = club.dice.choice(rows)
            game_services.join(user=member.user, game_id=game.public_id, now=now, dice=club.dice)
        elif club.dice.random() < 0.5:
            create_game(creator=member.user, options=_terms(club), now=now)
        else:
            _invite(club, member)


def _invite(club: Club, member: Member) -> None:
    """Invite a random member; nobody who has blocked the inviter may get it."""
    other = club.dice.choice(club.here)
    options = _terms(club)
    if other is member:
        return
    try:
        invitation_services.invite(
            creator=member.user,
            opponent=other.name,
            options=options,
            message="Shall we?",
            site=SITE,
            now=club.calendar.now,
        )
    except Problem:
        if member.key in other.ignored:
            club.count["unheard"] += 1
        return
    assert member.key not in other.ignored, f"{other.name} has blocked {member.name} but was invited by them"


def _terms(club: Club) -> GameOptions:
    """The next variant, and a random clock."""
    dice = club.dice
    variant = _VARIANTS[club.count["offers"] % len(_VARIANTS)]
    club.count["offers"] += 1
    clock: LiveClock | BankClock | None = None
    roll = dice.randrange(20)
    if roll == 0:
        clock = LiveClock(initial=300, increment=3)
    elif roll < 6:
        clock = BankClock(time=48, bonus=12, limit=96)
    still = not isinstance(clock, LiveClock)
    several = dice.choice((1,) * 14 + (2, 3))
    terms: dict[str, Any] = {
        "variant": variant,
        "colour": dice.choice(("first", "second", "random")),
        "clock": clock,
        "days_per_move": None if clock else dice.choice((1, 2, 2, 3, 7)),
        "weekends_off": still and dice.random() < 0.2,
        "vacation": still and dice.random() < 0.5,
        "rated": dice.random() < 0.6,
        "hidden": dice.random() < 0.1,
        "games": several,
    }
    return GameOptions(**terms | {"rated": terms["rated"] and not terms["hidden"]})


def write(club: Club, member: Member) -> None:
    """Send a message through the API."""
    other = club.dice.choice(club.here)
    if other is member:
        return
    body = {"to": other.name, "subject": club.dice.choice(("", "Hello")), "text": "How are you today?"}
    answer = club.api(member).post("/messages", body)
    assert answer.status_code in ({409} if other.key in member.ignored else {201}), answer.content
    club.count["messages"] += 1


def ignore(club: Club, member: Member) -> None:
    """Block or unblock a random member, and note it."""
    now = club.calendar.now
    if member.ignored and club.dice.random() < 0.3:
        key = club.dice.choice(sorted(member.ignored))
        contact_services.unblock(user=member.user, other=club.people[key].user)
        member.ignored.discard(key)
        return
    other = club.dice.choice(club.here)
    if other is not member:
        contact_services.block(user=member.user, other=other.user, now=now)
        member.ignored.add(other.key)
        _write_while_blocked(club, other, by=member)


def _write_while_blocked(club: Club, member: Member, *, by: Member) -> None:
    """A blocked member writes: the message is not delivered, and they don't learn that."""
    if by.key in member.ignored:
        return
    club.calendar.advance(timedelta(seconds=1))
    social.write(user=member.user, to=by.name, subject="Why?", text="Are you there?", now=club.calendar.now)
    club.count["unheard"] += 1


def go_on_vacation(club: Club, member: Member) -> None:
    """Take a vacation of some days, from the next hour."""
    whole = club.calendar.now.replace(minute=0, second=0, microsecond=0) + HOUR
    with suppress(Problem):
        vacation_services.plan(
            user=member.user,
            begins=whole,
            ends=whole + club.dice.randint(10, 60) * HOUR,
            now=club.calendar.now,
        )


def look_around(club: Club, member: Member) -> None:
    """Open a page of their own, and try to see a hidden game of others."""
    mine = games_of(member)
    if mine:
        assert club.open_page(member, f"/games/{club.dice.choice(mine).public_id}/") == 200
    others = Game.objects.filter(hidden=True, status=Status.PLAYING).exclude(
        Q(first_player=member.key) | Q(second_player=member.key)
    )
    hidden = others.exclude(Q(creator=member.key) | Q(invited=member.key)).order_by("-pk").first()
    if hidden is not None and not member.user.is_staff:
        assert club.api(member).get(f"/games/{hidden.public_id}").status_code == 404
        answer = club.api(member).post(f"/games/{hidden.public_id}/resign")
        assert answer.status_code == 404
