"""The games of a large club, with what they leave: ratings, notifications, events, talk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from big_club_games import Played
from big_club_people import People
from big_club_rows import write
from crownhead.server.core.ids import new_id
from crownhead.server.live.models import Outbox
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Delivery, Notice
from crownhead.server.play.choices import PaceKey, Seat, Status
from crownhead.server.play.models import ChatLine, Game, Note
from crownhead.server.ratings.models import Change, PlayerRating

_DAY = timedelta(days=1)
_YEARS = 4
_AT_ONCE = 50_000  # games held in memory
_CLOSED = (Status.EXPIRED, Status.WITHDRAWN)
_CLOSED_SHARE = 0.02


class Results:
    """Ratings as games come in; the figures of a simple Elo, for only their spread matters here."""

    def __init__(self) -> None:
        self._values: dict[tuple[int, str], list[float]] = {}  # value, won, drawn, lost, last

    def changes(self, game: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What one finished game does to its two players."""
        ids, variant = (game["first_player_id"], game["second_player_id"]), game["variant"]
        rows = [self._values.setdefault((user_id, variant), [1500.0, 0, 0, 0, 0]) for user_id in ids]
        before = [row[0] for row in rows]
        expected = 1 / (1 + 10 ** ((before[1] - before[0]) / 400))
        score = {None: 0.5, Seat.FIRST: 1.0, Seat.SECOND: 0.0}[game["winner"]]
        step = 32 * (score - expected)
        for at, (row, gained, mine) in enumerate(zip(rows, (step, -step), (score, 1 - score), strict=True)):
            row[0] += gained
            row[{1.0: 1, 0.5: 2, 0.0: 3}[mine]] += 1
            row[4] = game["ended_at"].timestamp()
            yield {
                "game_id": game["public_id"],
                "variant": variant,
                "user_id": ids[at],
                "opponent_id": ids[1 - at],
                "score": {1.0: "won", 0.5: "drawn", 0.0: "lost"}[mine],
                "at": game["ended_at"],
                "previous_at": game["started_at"],
                "value_before": before[at],
                "deviation_before": 80.0,
                "volatility_before": 0.06,
                "opponent_value": before[1 - at],
                "opponent_deviation": 80.0,
                "value": row[0],
                "deviation": 79.0,
                "volatility": 0.06,
            }

    def ratings(self, now: datetime) -> Iterator[dict[str, Any]]:
        """A row for each player and variant; who has played five games is on the leaderboard."""
        for (user_id, variant), (value, won, drawn, lost, last) in self._values.items():
            total, at = int(won + drawn + lost), datetime.fromtimestamp(last, now.tzinfo)
            yield {
                "user_id": user_id,
                "variant": variant,
                "value": value,
                "deviation": 79.0,
                "volatility": 0.06,
                "points": round(value),
                "games": total,
                "won": int(won),
                "drawn": int(drawn),
                "lost": int(lost),
                "updated_at": at,
                "listed_until": now + 60 * _DAY if total >= 3 else None,
            }


def games(
    count: int, played: Sequence[Played], people: People, *, dice: Random, running: float, waiting: float
) -> None:
    """Write the games, the oldest first, and what belongs to them."""
    results = Results()
    for first in range(1, count + 1, _AT_ONCE):
        rows = [
            _game(key, played, people, dice, (running, waiting, key / count))
            for key in range(first, min(first + _AT_ONCE, count + 1))
        ]
        write(Game, rows, note=f"to {rows[-1]['id']:,}")
        _leave(rows, results, people, dice)
    write(PlayerRating, results.ratings(people.now))
    write(Delivery, _deliveries(people, dice))


def _game(
    key: int, played: Sequence[Played], people: People, dice: Random, shares: tuple[float, float, float]
) -> dict[str, Any]:
    luck, record = dice.random(), dice.choice(played)
    running, waiting, along = shares
    created = people.now - _YEARS * 365 * _DAY * (1.001 - along)
    if luck < running:
        row = _running(record, people, dice)
    elif luck < running + waiting:
        row = _waiting(record, people, dice)
    elif luck < running + waiting + _CLOSED_SHARE:
        row = _closed(record, people, dice, created)
    else:
        row = _finished(record, people, dice, created)
    return {"id": key, "public_id": new_id()} | row


def _leave(rows: Sequence[dict[str, Any]], results: Results, people: People, dice: Random) -> None:
    """Write what some games leave behind."""
    over = [row for row in rows if row["status"] == Status.FINISHED]
    going = [row for row in rows if row["status"] == Status.PLAYING]
    write(Change, (change for row in over if row["rated"] for change in results.changes(row)), note="")
    write(ChatLine, _chat(over, dice), note="")
    write(Note, _notes(over, dice), note="")
    write(Notice, _notices(going, over, people, dice), note="")
    write(Outbox, _events(going, people, dice), note="")


def _offer(record: Played, created: datetime, dice: Random) -> dict[str, Any]:
    bank = dice.random() < 0.1
    return {
        "variant": record.variant,
        "start_fen": record.start_fen,
        "rated": dice.random() < 0.6,
        "created_at": created,
        "expires_at": created + 14 * _DAY,
        "pace": PaceKey.BANK if bank else PaceKey.DAYS,
        "days_per_move": None if bank else dice.choice((1, 2, 3, 3, 5, 7, 10, 14)),
        "clock_initial": 10 * _DAY if bank else None,
        "clock_bonus": _DAY if bank else None,
        "clock_limit": 20 * _DAY if bank else None,
        "first_left": 10 * _DAY if bank else None,
        "second_left": 10 * _DAY if bank else None,
    }


def _seated(record: Played, created: datetime, people: People, dice: Random) -> dict[str, Any]:
    first = second = people.some(dice)
    while second == first:
        second = people.some(dice)
    return _offer(record, created, dice) | {
        "creator_id": dice.choice((first, second)),
        "first_player_id": first,
        "second_player_id": second,
        "hidden": dice.random() < 0.02,
        "started_at": created + _DAY / 4,
    }


def _moves(record: Played, plies: int) -> dict[str, Any]:
    return {"moves": " ".join(record.tokens[:plies]), "version": plies}


def _running(record: Played, people: People, dice: Random) -> dict[str, Any]:
    created = people.now - 90 * _DAY * dice.random() - _DAY
    plies = dice.randrange(len(record.tokens))
    since = people.now - _DAY / 2 * dice.random()
    game = _seated(record, created, people, dice) | _moves(record, plies)
    deadline = since + _DAY * (game["days_per_move"] or 10)
    return game | {
        "status": Status.PLAYING,
        "rated": game["rated"] and not game["hidden"],
        "turn": record.turns[plies],
        "turn_since": since,
        "last_moved_at": since,
        "deadline_at": deadline,
        "remind_at": since + (deadline - since) / 2,
        "remind_of": "half",
    }


def _finished(record: Played, people: People, dice: Random, created: datetime) -> dict[str, Any]:
    game = _seated(record, created, people, dice)
    whole = record.termination and dice.random() < 0.6
    plies = len(record.tokens) if whole else dice.randrange(6, len(record.tokens))
    ended = min(created + 60 * _DAY * dice.random() + _DAY, people.now)
    winner, termination = record.winner, record.termination
    if not whole:
        termination = dice.choice(("resignation", "resignation", "time", "agreement"))
        winner = None if termination == "agreement" else dice.choice((Seat.FIRST, Seat.SECOND))
    return (
        game
        | _moves(record, plies)
        | {
            "status": Status.FINISHED,
            "rated": game["rated"] and not game["hidden"],
            "winner": winner,
            "termination": termination,
            "last_moved_at": ended,
            "ended_at": ended,
        }
    )


def _waiting(record: Played, people: People, dice: Random) -> dict[str, Any]:
    creator = people.some(dice)
    offer = _offer(record, people.now - 13 * _DAY * dice.random(), dice)
    return offer | {"status": Status.WAITING, "creator_id": creator, "first_player_id": creator}


def _closed(record: Played, people: People, dice: Random, created: datetime) -> dict[str, Any]:
    offer = _waiting(record, people, dice) | {"status": dice.choice(_CLOSED)}
    return offer | {"created_at": created, "expires_at": created + 14 * _DAY}


def _chat(over: Sequence[dict[str, Any]], dice: Random) -> Iterator[dict[str, Any]]:
    for row in over:
        for ply in range(dice.randrange(6) if dice.random() < 0.1 else 0):
            seat = dice.choice((Seat.FIRST, Seat.SECOND))
            yield {
                "game_id": row["id"],
                "seat": seat,
                "text": dice.choice(("Hello, have a good game!", "Thank you.", "Well played!")),
                "ply": ply,
                "written_at": row["started_at"],
            }


def _notes(over: Sequence[dict[str, Any]], dice: Random) -> Iterator[dict[str, Any]]:
    for row in over:
        if dice.random() < 0.03:
            yield {"game_id": row["id"], "user_id": row["creator_id"], "text": "The ending was instructive."}


def _notices(
    going: Sequence[dict[str, Any]], over: Sequence[dict[str, Any]], people: People, dice: Random
) -> Iterator[dict[str, Any]]:
    """Each turn that waits has one, and some that were withdrawn; each game that ended lately two."""
    for row in going:
        mover = row[f"{row['turn']}_player_id"]
        for old in range(3):
            sent = row["turn_since"] - old * _DAY / 2
            withdrawn = sent + _DAY / 4 if old else None
            yield _notice(Kind.TURN, mover, row, sent, f"{row['version'] - old}") | {
                "withdrawn_at": withdrawn
            }
    for row in over:
        if row["ended_at"] > people.now - 60 * _DAY:
            for seat in Seat:
                notice = _notice(Kind.ENDED, row[f"{seat}_player_id"], row, row["ended_at"], "over")
                yield notice | {"read_at": people.now if dice.random() < 0.7 else None}


def _notice(kind: Kind, user_id: int, row: dict[str, Any], at: datetime, key: str) -> dict[str, Any]:
    game = row["public_id"]
    return {
        "public_id": new_id(),
        "user_id": user_id,
        "kind": kind.value,
        "key": f"{kind}:{game}:{key}",
        "about": f"game:{game}",
        "subject": f"{kind} in your game of {row['variant']}",
        "text": "Your opponent has moved.",
        "link": f"/games/{game}/",
        "created_at": at,
    }


def _deliveries(people: People, dice: Random) -> Iterator[dict[str, Any]]:
    for key, user_id in Notice.objects.values_list("pk", "user_id").iterator():
        if dice.random() < 0.3:
            waits = dice.random() < 0.02
            yield {
                "notice_id": key,
                "user_id": user_id,
                "channel": "mail",
                "kind": Kind.TURN.value,
                "timing": "daily",
                "state": "waiting" if waits else "sent",
                "due_at": people.now + _DAY / 2,
                "done_at": None if waits else people.now,
            }


def _events(going: Sequence[dict[str, Any]], people: People, dice: Random) -> Iterator[dict[str, Any]]:
    """Of the last two days: three for each move."""
    times = sorted(people.now - 2 * _DAY * dice.random() for _ in going)
    for at, row in zip(times, going, strict=True):
        payload = {
            "id": row["public_id"],
            "version": row["version"],
            "status": row["status"].value,
            "turn": row["turn"].value,
        }
        topics = [f"game:{row['public_id']}", *(f"user:{row[f'{seat}_player_id']}" for seat in Seat)]
        for topic in topics:
            kind = "game" if topic.startswith("game") else "me"
            yield {"topic": topic, "kind": kind, "payload": payload, "created_at": at}
