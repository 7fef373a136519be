"""A site with weeks of sample data: ``python -m tests.browser.sample_club FOLDER`` creates its data folder.

Everything is done through the services, with the clock stopped at the time of each action. The facts that the
URLs of its pages need are printed as JSON.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

DAY = timedelta(days=1)
MEMBER = "marion"
PASSWORD = "a corner by the window"
NAMES = (
    MEMBER, "derek-oldbury", "tinsley", "ron-king", "asa", "hellman", "wyllie", "the-longest-name-here",
    "jim", "lindus", "alex-moiseyev", "patricia-b",
)  # fmt: skip
SETTINGS = "early_leaves_per_day = 1000\n"  # whose games are short
# How many play in each format: cross tables are wide, of others a few will do.
PLAYERS = {
    "sections": 10, "round-robin": 8, "swiss": 5,
    "single-elimination": 6, "double-elimination": 5, "arena": 6,
}  # fmt: skip


class Builder:
    """Builds the data step by step; ``facts`` are the values for the page table."""

    def __init__(self, today: datetime) -> None:
        """Create the members, three weeks before today."""
        from tests.server.conftest import PASSWORD as DEFAULT_PASSWORD
        from tests.server.conftest import make_user

        self.today, self.facts = today, dict[str, str]()
        with self.at(21):
            self.people = [make_user(name, date_joined=self.moment(21)) for name in NAMES]
            self.staff = make_user("hostess", is_staff=True, is_superuser=True)
        self.member, self.others = self.people[0], self.people[1:]
        self.facts |= {"member": MEMBER, "other": NAMES[1], "password": DEFAULT_PASSWORD}

    def moment(self, days_ago: float) -> datetime:
        return self.today - days_ago * DAY

    def at(self, days_ago: float) -> Any:
        """Stop the clock there."""
        from crownhead.server.core import clock

        return clock.stopped(self.moment(days_ago))


def add_people_and_messages(builder: Builder) -> None:
    """Profiles, buddies, a blocked member, messages, a report, news, and an invited friend."""
    from crownhead.server.accounts.contacts import services as contact_services
    from crownhead.server.accounts.preferences import services as preferences_services
    from crownhead.server.social.models import News
    from crownhead.server.social.services import messages, news, reports

    member, other = builder.member, builder.others[0]
    now = builder.moment(3)
    text = "I learned the game from my **grandfather**.\n\n- plays slowly\n- likes the *Single Corner*"
    preferences_services.set_profile(now=now, user=member, text=text, country="NL")
    for person, country in zip(builder.others, ("GB", "US", "BB", "SE", "SE", "GB-SCT", "CZ"), strict=False):
        preferences_services.set_profile(now=now, user=person, text="", country=country[:2])
    contact_services.add_buddy(
        user=member, other=other, now=now, note="Plays the *Double Corner* only; patient."
    )
    contact_services.add_buddy(user=member, other=builder.others[3], now=now)
    contact_services.block(user=member, other=builder.others[7], now=now)
    talk = [
        (other, member, "The spring cup", "Do you play in the spring cup? I have entered yesterday."),
        (member, other, "", "I do! See the [rules](/rules/american/) first, the draws are **different**."),
        (other, member, "", "Thanks. Shall we play two games before it begins?"),
        (builder.others[2], member, "A good game", "That ending was new to me. Where did you find it?"),
        (member, builder.others[4], "Friday", "We meet at eight."),
    ]
    for number, (sender, to, subject, words) in enumerate(talk):
        then = builder.moment(2 - number / 4)
        row = messages.write(user=sender, to=to.username, subject=subject, text=words, now=then)
        if number == 0:
            builder.facts |= {"talk": row.conversation.public_id, "message": row.public_id}
    messages.mark_read(user=member, conversation_id=builder.facts["talk"])
    reports.report(
        user=member, kind="player", key=NAMES[8], reason="They write the same to everyone.", now=now
    )
    told = News.objects.create(
        title="The spring cup begins", text="On **Monday** the first round is paired.\n\n- eight players\n",
        author=builder.staff, written_at=now, changed_at=now,
    )  # fmt: skip
    news.publish(staff=builder.staff, news=told, now=now)
    builder.facts["news"] = told.public_id


def add_links(builder: Builder) -> None:
    """What mails lead to: an invited friend, an unlocked browser, a change of address, no more mails."""
    from crownhead.server.accounts.addresses.selectors import token_of
    from crownhead.server.accounts.models import EmailChange
    from crownhead.server.accounts.security import throttle
    from crownhead.server.accounts.services import invitation_opt_out
    from crownhead.server.notices.kinds import Kind
    from crownhead.server.notices.selectors.unsubscribe import unsubscribe_link
    from crownhead.server.people.models import ToldFriend
    from crownhead.server.people.services import friends

    member, now = builder.member, builder.moment(3)
    friends.invite(user=member, address="a.friend@club.example", message="Join us!", site="http://x", now=now)
    moving = builder.others[4]
    change = EmailChange.objects.create(
        user=moving, old=moving.email, new="new@club.example", asked_at=builder.moment(0)
    )
    builder.facts |= {
        "friend": ToldFriend.objects.get().token,
        "no_more": invitation_opt_out.token_for("somebody@club.example"),
        "unlock": throttle.unlock_token(builder.others[4]),
        "email_change": token_of(change),
        "stop": unsubscribe_link(user=member, kinds=[Kind.TURN]).split("/")[-2],
    }


def play_games(builder: Builder) -> None:
    """Three weeks of finished games, and some running ones."""
    from random import Random

    from tests.server.competitions.factories import play_out, random_winner
    from tests.server.play.factories import make_game, play_moves

    dice = Random(5)
    for number in range(30):
        other = builder.others[number % 6]
        variant = "international" if number % 4 == 0 else "american"
        with builder.at(20 - number / 5):
            now = builder.moment(20 - number / 5)
            game = make_game(builder.member, other, now=now, rated=True, variant=variant)
            play_out(game.public_id, winner=random_winner(dice), now=now + timedelta(hours=3))
    for number, other in enumerate(builder.others[:4]):
        with builder.at(1):
            game = make_game(builder.member, other, now=builder.moment(1), rated=True)
            play_moves(game, *("11-15", "23-19", "8-11")[: number + 1], now=builder.moment(1 - number / 10))
    builder.facts["game"] = game.public_id


def add_ladders(builder: Builder) -> None:
    """A ladder of each style, with finished challenges and a running one."""
    from crownhead.server.ladders import services
    from crownhead.server.ladders.models import Ladder
    from tests.server.ladders.factories import challenge, make_finished_challenge

    services.ensure_defaults(now=builder.moment(21))
    for style in ("places", "stairs"):
        ladder = Ladder.objects.get(variant="american", style=style)
        builder.facts[style] = ladder.public_id
        for number, person in enumerate([*builder.others[:6], builder.member]):
            with builder.at(11.5 - number / 8):
                services.join(user=person, ladder_id=ladder.public_id, now=builder.moment(11.5 - number / 8))
        with builder.at(10):
            make_finished_challenge(
                ladder, builder.member, builder.others[5], builder.member, now=builder.moment(10)
            )
            make_finished_challenge(
                ladder, builder.others[3], builder.others[2], builder.others[2], now=builder.moment(10)
            )
        with builder.at(9):
            make_finished_challenge(
                ladder, builder.others[4], builder.others[3], builder.others[4], now=builder.moment(9)
            )
        with builder.at(1):
            challenge(ladder, builder.member, builder.others[2], now=builder.moment(1))


def add_teams(builder: Builder) -> None:
    """Two teams, one with posts on its board, and a pending join request."""
    from crownhead.server.teams import services

    now = builder.moment(16)
    about = "We play *slowly* and talk a lot."
    home = services.create_team(
        user=builder.member, name="The Long Diagonal", about_text=about, joining="open", now=now
    )
    away = services.create_team(
        user=builder.others[0], name="Blue Dogs", about_text="", joining="ask", now=now
    )
    for person in builder.others[1:5]:
        services.join(user=person, team_id=home.public_id, now=builder.moment(15))
    for person in builder.others[5:9]:
        services.join(user=person, team_id=away.public_id, now=builder.moment(15))
        services.answer(
            user=builder.others[0], team_id=away.public_id, username=person.username, accepted=True,
            now=builder.moment(14),
        )  # fmt: skip
    services.join(user=builder.others[10], team_id=away.public_id, message="May I?", now=builder.moment(1))
    services.invite(user=builder.member, team_id=home.public_id, username=NAMES[-1], now=builder.moment(1))
    for number, text in enumerate(("Who plays on **Friday**?", "I do.", "Me too, on board two.")):
        writer = (builder.member, *builder.others[1:5])[number]
        services.write(user=writer, team_id=home.public_id, text=text, now=builder.moment(3 - number / 2))
    builder.facts |= {"team": home.public_id, "rivals": away.public_id}


def add_team_matches(builder: Builder) -> None:
    """A finished, a running and a proposed match of the two teams."""
    from crownhead.server.play.choices import Seat
    from crownhead.server.play.models import Game
    from crownhead.server.teams import services
    from crownhead.server.teams.models import TeamMatch
    from tests.server.competitions.factories import play_out
    from tests.server.teams.factories import MAIN, let_play

    def line_up(match: TeamMatch, now: datetime) -> None:
        captain = builder.others[0]
        services.answer_match(user=captain, match_id=match.public_id, accepted=True, now=now)
        ours, theirs = [MEMBER, NAMES[2], NAMES[3]], [NAMES[1], NAMES[6], NAMES[7]]
        let_play(match, *(person for person in builder.people if person.username in {*ours, *theirs}))
        services.line_up(user=builder.member, match_id=match.public_id, usernames=ours, now=now)
        services.line_up(user=captain, match_id=match.public_id, usernames=theirs, now=now)

    def propose(ago: float, **terms: Any) -> TeamMatch:
        return services.propose(
            user=builder.member, home_id=builder.facts["team"], away_id=builder.facts["rivals"], options=MAIN,
            now=builder.moment(ago), **terms,
        )  # fmt: skip

    with builder.at(8):
        over = propose(8, boards=3, games_each=2)
        line_up(over, builder.moment(8))
        games = Game.objects.filter(contest_key=over.public_id).order_by("pk")
        for number, key in enumerate(games.values_list("public_id", flat=True)):
            play_out(key, winner=(None, Seat.FIRST, Seat.SECOND)[number % 3], now=builder.moment(7))
    with builder.at(1):
        running = propose(1, boards=3, games_each=2)
        line_up(running, builder.moment(1))
    proposed = propose(0.5, boards=2, games_each=1, message="Once more, with *feeling*?")
    builder.facts |= {
        "match_over": over.public_id,
        "match": running.public_id, "match_proposed": proposed.public_id,
    }  # fmt: skip


def add_finished_tournaments(builder: Builder) -> None:
    """A finished tournament of every format."""
    for key, count in PLAYERS.items():
        _held(builder, key, "over", 12.5, games=None, count=count)


def add_running_tournaments(builder: Builder) -> None:
    """A running tournament of every format, one by appointment, and two open for entry."""
    from crownhead.server.competitions import services
    from tests.server.competitions.factories import LIVE, Playthrough, make_tournament

    for key, count in PLAYERS.items():
        ago = 0.4 if key != "arena" else 0.01
        _held(builder, key, "on", ago, games=5, count=count)
    with builder.at(0.1):
        terms = {"format": "round-robin", "game": LIVE, "appointment_days": 5, "name": "Blitz by appointment"}
        live = make_tournament(builder.member, now=builder.moment(0.1), **terms)
    _begin(builder, live, 0.1, count=4)
    _go_on(Playthrough(live, now=builder.moment(0.1)), builder, most=0)
    _appoint(builder, live)
    now = builder.moment(0.2)
    for name, fmt, entered in (("open", "swiss", 4), ("new", "round-robin", 0)):
        with builder.at(0.2):
            row = make_tournament(
                builder.member,
                now=now,
                name=f"Summer {fmt.replace('-', ' ')}",
                format=fmt,
                prizes=("The cup",),
            )
            for person in builder.others[:entered]:
                _enter(person, row, now)
            services.invite(user=builder.member, tournament_id=row.public_id, usernames=NAMES[7:9], now=now)
        builder.facts[f"cup_{name}"] = row.public_id


def add_analyses(builder: Builder) -> None:
    """A reviewed game, one of the same moves without a review, and two analysed positions."""
    from crownhead.server.analysis.choices import Depth
    from crownhead.server.analysis.engine import search
    from crownhead.server.analysis.reviews import services as review_services
    from crownhead.server.analysis.reviews import steps
    from crownhead.server.analysis.studies import services as study_services
    from crownhead.server.play.draws.services import resign
    from tests.server.play.factories import make_game, play_moves

    now = builder.moment(0.3)
    moves = "11-15 23-19 9-14 22-17 8-11 19-16 11x20 26-23 6-9 25-22".split()  # 19-16 gives a man
    for name in ("reviewed", "not_reviewed"):
        with builder.at(0.3):
            game = play_moves(make_game(builder.member, builder.others[0], now=now), *moves, now=now)
            resign(user=builder.others[0], game_id=game.public_id, now=now)
        builder.facts[name] = game.public_id
    asked = review_services.request_review(
        user=builder.member,
        game_id=builder.facts["reviewed"],
        depth=Depth.QUICK,
        now=builder.today,
    )
    while steps.continue_review(review_id=asked.pk):
        pass
    builder.facts["fault"] = str(moves.index("19-16") + 1)
    for name, variant, fen in (("study", "international", ""), ("proven", "american", "W:WK18,K19,K32:BK1")):
        query = study_services.AnalysisRequest(variant=variant, fen=fen, lines=3, seconds=1)
        caller = f"user:{builder.member.pk}"
        study = study_services.create_study(
            user=builder.member, caller=caller, query=query, now=builder.today
        )
        search.search_study(study_id=study.pk)
        builder.facts[name] = urlencode({"variant": variant, "fen": fen, "study": study.public_id})


def _held(builder: Builder, key: str, state: str, ago: float, *, games: int | None, count: int) -> None:
    """A tournament of a format with so many finished games; None: all."""
    from random import Random

    from crownhead.server.competitions import services
    from tests.server.competitions.factories import LIVE, Playthrough, make_tournament

    terms: dict[str, Any] = {"game": LIVE, "minutes": 60} if key == "arena" else {}
    name = f"{('Winter', 'Spring')[state == 'on']} {key.replace('-', ' ')}"
    prizes = ("The golden crown", "The silver crown")
    with builder.at(ago):
        row = make_tournament(
            builder.member, now=builder.moment(ago), max_players=12, name=name, format=key, prizes=prizes,
            about="The first of the year. *Be kind.*", **terms,
        )  # fmt: skip
    _begin(builder, row, ago, count=count)
    _go_on(Playthrough(row, now=builder.moment(ago), dice=Random(count)), builder, most=games)
    if key == "arena" and games is not None:  # else the member is taken to new live games from every page
        services.be_here(user=builder.member, tournament_id=row.public_id, here=False, now=builder.today)
    builder.facts[f"{key}-{state}".replace("-", "_")] = row.public_id


def _appoint(builder: Builder, live: Any) -> None:
    """The member proposes a time for their game of the first round."""
    from django.db.models import Q

    from crownhead.server.competitions import jobs, services
    from crownhead.server.competitions.models import Pairing

    with builder.at(0.1):
        jobs.advance_due(builder.moment(0.1))
        mine = Q(first__user=builder.member) | Q(second__user=builder.member)
        table = Pairing.objects.filter(mine, round__tournament=live, round__number=1).get().table
        services.propose_appointment(
            user=builder.member, tournament_id=live.public_id, number=1, table=table,
            at=builder.today + DAY, now=builder.moment(0.1),
        )  # fmt: skip
    builder.facts |= {"live": live.public_id, "live_table": str(table)}


def _enter(person: Any, row: Any, now: datetime) -> None:
    from crownhead.server.competitions import services

    services.enter(user=person, tournament_id=row.public_id, now=now)


def _begin(builder: Builder, row: Any, ago: float, *, count: int) -> None:
    from crownhead.server.competitions import services
    from crownhead.server.live import signs

    with builder.at(ago):
        for person in builder.people[:count]:
            _enter(person, row, builder.moment(ago))
            signs.note_heard(person.pk)  # live games begin while their players are here
        services.start(user=builder.member, tournament_id=row.public_id, now=builder.moment(ago))


def _go_on(playthrough: Any, builder: Builder, *, most: int | None) -> None:
    """Play a tournament to its end, or some games of it."""
    from crownhead.server.core import clock
    from tests.server.competitions.factories import end, fresh, open_rows, random_winner

    while fresh(playthrough.tournament).status in {"entry", "running"} and (
        most is None or playthrough.ended < most
    ):
        with clock.stopped(min(playthrough.now, builder.today)):
            playthrough.work()
            rows = open_rows(playthrough.tournament)
            if rows:
                row = playthrough.dice.choice(rows)
                end(
                    row.game_id,
                    winner=random_winner(playthrough.dice),
                    by=playthrough.tournament.host,
                    now=playthrough.now,
                )
                playthrough.ended += 1
            playthrough.now += timedelta(minutes=5 if most is None else 1)


def fill(folder: Path) -> dict[str, str]:
    """Fill an empty folder; what the pages are found by."""
    from crownhead.server.ops import commands

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.toml").write_text(SETTINGS, "utf-8")
    commands.open_folder(folder)
    from crownhead.server.ops.starting import upkeep

    upkeep.migrate()
    builder = Builder(datetime.now(UTC))
    parts = (
        play_games,
        add_finished_tournaments,
        add_people_and_messages,
        add_links,
        add_ladders,
        add_teams,
        add_team_matches,
        add_running_tournaments,
        add_analyses,
    )
    for part in parts:
        part(builder)
    return builder.facts


if __name__ == "__main__":
    sys.stdout.write(json.dumps(fill(Path(sys.argv[1]))))
