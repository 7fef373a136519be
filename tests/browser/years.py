"""A club that people have lived in: ``python -m tests.browser.years FOLDER`` fills a data folder with it.

All of it comes about by the services, on a clock that is moved to the moments at which it happens. What the
pages of the club need to be found by is printed as JSON.
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
FORMATS = ("sections", "round-robin", "swiss", "single-elimination", "double-elimination", "arena")


class Years:
    """What is done, one thing after the other; ``facts`` are the names for the table of pages."""

    def __init__(self, today: datetime) -> None:
        """The people, who come three weeks before today."""
        from tests.server.conftest import PASSWORD as USUAL
        from tests.server.conftest import make_user

        self.today, self.facts = today, dict[str, str]()
        with self.at(21):
            self.people = [make_user(name, date_joined=self.moment(21)) for name in NAMES]
            self.hostess = make_user("hostess", is_staff=True, is_superuser=True)
        self.member, self.others = self.people[0], self.people[1:]
        self.facts |= {"member": MEMBER, "other": NAMES[1], "password": USUAL}

    def moment(self, days_ago: float) -> datetime:
        return self.today - days_ago * DAY

    def at(self, days_ago: float) -> Any:
        """The clock stands there meanwhile."""
        from crownhead.server.core import clock

        return clock.stopped(self.moment(days_ago))


def know_each_other(years: Years) -> None:
    """Profiles, buddies, somebody ignored, messages, reports, news, a friend who was told."""
    from crownhead.server.accounts.contacts import services as contact_services
    from crownhead.server.accounts.preferences import services as preferences_services
    from crownhead.server.accounts.services import invitation_opt_out
    from crownhead.server.notices.kinds import Kind
    from crownhead.server.notices.services import unsubscribe
    from crownhead.server.people.models import ToldFriend
    from crownhead.server.people.services import friends
    from crownhead.server.social.models import News
    from crownhead.server.social.services import messages, news, reports

    member, other = years.member, years.others[0]
    now = years.moment(3)
    text = "I learned the game from my **grandfather**.\n\n- plays slowly\n- likes the *Single Corner*"
    preferences_services.set_profile(user=member, text=text, country="NL")
    for person, country in zip(years.others, ("GB", "US", "BB", "SE", "SE", "GB-SCT", "CZ"), strict=False):
        preferences_services.set_profile(user=person, text="", country=country[:2])
    contact_services.add_buddy(
        user=member, other=other, now=now, note="Plays the *Double Corner* only; patient."
    )
    contact_services.add_buddy(user=member, other=years.others[3], now=now)
    contact_services.ignore(user=member, other=years.others[7], now=now)
    talk = [
        (other, member, "The spring cup", "Do you play in the spring cup? I have entered yesterday."),
        (member, other, "", "I do! See the [rules](/rules/american/) first, the draws are **different**."),
        (other, member, "", "Thanks. Shall we play two games before it begins?"),
        (years.others[2], member, "A good game", "That ending was new to me. Where did you find it?"),
        (member, years.others[4], "Friday", "We meet at eight."),
    ]
    for number, (sender, to, subject, words) in enumerate(talk):
        then = years.moment(2 - number / 4)
        row = messages.write(user=sender, to=to.username, subject=subject, text=words, now=then)
        if number == 0:
            years.facts |= {"talk": row.conversation.public_id, "message": row.public_id}
    messages.mark_read(user=member, conversation_id=years.facts["talk"])
    reports.report(user=member, kind="player", key=NAMES[8], reason="He writes the same to all.", now=now)
    told = News.objects.create(
        title="The spring cup begins", text="On **Monday** the first round is paired.\n\n- eight players\n",
        author=years.hostess, written_at=now, changed_at=now,
    )  # fmt: skip
    news.publish(staff=years.hostess, news=told, now=now)
    years.facts["news"] = told.public_id
    friends.tell(user=member, address="a.friend@club.example", message="Join us!", site="http://x", now=now)
    years.facts |= {
        "friend": ToldFriend.objects.get().token,
        "no_more": invitation_opt_out.token_for("somebody@club.example"),
        "stop": unsubscribe.link_to_stop(user=member, kinds=[Kind.TURN]).split("/")[-2],
    }


def play_games(years: Years) -> None:
    """Three weeks of games that are over, and some that go on."""
    from random import Random

    from tests.server.competitions.hall import chance, play_out
    from tests.server.play.table import begin, play

    dice = Random(5)
    for number in range(30):
        other = years.others[number % 6]
        variant = "international" if number % 4 == 0 else "american"
        with years.at(20 - number / 5):
            now = years.moment(20 - number / 5)
            game = begin(years.member, other, now=now, rated=True, variant=variant)
            play_out(game.public_id, winner=chance(dice), now=now + timedelta(hours=3))
    for number, other in enumerate(years.others[:4]):
        with years.at(1):
            game = begin(years.member, other, now=years.moment(1), rated=True)
            play(game, *("11-15", "23-19", "8-11")[: number + 1], now=years.moment(1 - number / 10))
    years.facts["game"] = game.public_id


def climb(years: Years) -> None:
    """A ladder of each style, with challenges that are over and one that goes on."""
    from crownhead.server.ladders import services
    from crownhead.server.ladders.models import Ladder
    from tests.server.ladders.rungs import challenge, decided

    services.ensure_defaults(now=years.moment(21))
    for style in ("places", "stairs"):
        ladder = Ladder.objects.get(variant="american", style=style)
        years.facts[style] = ladder.public_id
        for number, person in enumerate([*years.others[:6], years.member]):
            with years.at(11.5 - number / 8):
                services.join(user=person, ladder_id=ladder.public_id, now=years.moment(11.5 - number / 8))
        with years.at(10):
            decided(ladder, years.member, years.others[5], years.member, now=years.moment(10))
            decided(ladder, years.others[3], years.others[2], years.others[2], now=years.moment(10))
        with years.at(9):
            decided(ladder, years.others[4], years.others[3], years.others[4], now=years.moment(9))
        with years.at(1):
            challenge(ladder, years.member, years.others[2], now=years.moment(1))


def team_up(years: Years) -> None:
    """Two teams, of which one has a board that is written on, and somebody who waits for an answer."""
    from crownhead.server.teams import services

    now = years.moment(16)
    about = "We play *slowly* and talk a lot."
    home = services.create_team(
        user=years.member, name="The Long Diagonal", about_text=about, joining="open", now=now
    )
    away = services.create_team(user=years.others[0], name="Blue Dogs", about_text="", joining="ask", now=now)
    for person in years.others[1:5]:
        services.join(user=person, team_id=home.public_id, now=years.moment(15))
    for person in years.others[5:9]:
        services.join(user=person, team_id=away.public_id, now=years.moment(15))
        services.answer(
            user=years.others[0], team_id=away.public_id, username=person.username, accepted=True,
            now=years.moment(14),
        )  # fmt: skip
    services.join(user=years.others[10], team_id=away.public_id, message="May I?", now=years.moment(1))
    services.invite(user=years.member, team_id=home.public_id, username=NAMES[-1], now=years.moment(1))
    for number, text in enumerate(("Who plays on **Friday**?", "I do.", "Me too, on board two.")):
        writer = (years.member, *years.others[1:5])[number]
        services.write(user=writer, team_id=home.public_id, text=text, now=years.moment(3 - number / 2))
    years.facts |= {"team": home.public_id, "rivals": away.public_id}


def meet(years: Years) -> None:
    """A match of the two teams that is over, one that goes on, one that is proposed."""
    from crownhead.server.play.choices import Seat
    from crownhead.server.play.models import Game
    from crownhead.server.teams import services
    from crownhead.server.teams.models import TeamMatch
    from tests.server.competitions.hall import play_out
    from tests.server.teams.squads import MAIN

    def line_up(match: TeamMatch, now: datetime) -> None:
        captain = years.others[0]
        services.answer_match(user=captain, match_id=match.public_id, accepted=True, now=now)
        ours, theirs = [MEMBER, NAMES[2], NAMES[3]], [NAMES[1], NAMES[6], NAMES[7]]
        services.line_up(user=years.member, match_id=match.public_id, usernames=ours, now=now)
        services.line_up(user=captain, match_id=match.public_id, usernames=theirs, now=now)

    def propose(ago: float, **terms: Any) -> TeamMatch:
        return services.propose(
            user=years.member, home_id=years.facts["team"], away_id=years.facts["rivals"], options=MAIN,
            now=years.moment(ago), **terms,
        )  # fmt: skip

    with years.at(8):
        over = propose(8, boards=3, games_each=2)
        line_up(over, years.moment(8))
        games = Game.objects.filter(contest_key=over.public_id).order_by("pk")
        for number, key in enumerate(games.values_list("public_id", flat=True)):
            play_out(key, winner=(None, Seat.FIRST, Seat.SECOND)[number % 3], now=years.moment(7))
    with years.at(1):
        running = propose(1, boards=3, games_each=2)
        line_up(running, years.moment(1))
    proposed = propose(0.5, boards=2, games_each=1, message="Once more, with *feeling*?")
    years.facts |= {
        "match_over": over.public_id,
        "match": running.public_id, "match_proposed": proposed.public_id,
    }  # fmt: skip


def compete_before(years: Years) -> None:
    """A tournament of every format that is over."""
    for number, key in enumerate(FORMATS):
        _held(years, key, "over", 12.5, games=None, count=12 if key == "sections" else 7 + number % 2)


def compete_now(years: Years) -> None:
    """One of every format that goes on, one whose games are played by appointment, two open for entry."""
    from tests.server.competitions.hall import LIVE, Hall, hold

    for number, key in enumerate(FORMATS):
        ago = 0.4 if key != "arena" else 0.01
        _held(years, key, "on", ago, games=5, count=12 if key == "sections" else 7 + number % 2)
    with years.at(0.1):
        terms = {"format": "round-robin", "game": LIVE, "appointment_days": 5, "name": "Blitz by appointment"}
        live = hold(years.member, now=years.moment(0.1), **terms)
    _begin(years, live, 0.1, count=4)
    _go_on(Hall(live, now=years.moment(0.1)), years, most=0)
    _appoint(years, live)
    now = years.moment(0.2)
    for name, fmt, entered in (("open", "swiss", 4), ("new", "round-robin", 0)):
        with years.at(0.2):
            row = hold(
                years.member, now=now, name=f"Summer {fmt.replace('-', ' ')}", format=fmt, prizes=("The cup",)
            )
            for person in years.others[:entered]:
                _enter(person, row, now)
        years.facts[f"cup_{name}"] = row.public_id


def ask_the_engine(years: Years) -> None:
    """A game that was reviewed, one that was not, and two positions that were looked at."""
    from crownhead.server.analysis.engine import search
    from crownhead.server.analysis.reviews import services as review_services
    from crownhead.server.analysis.reviews import steps
    from crownhead.server.analysis.studies import services as study_services
    from crownhead.server.play.draws.services import resign
    from tests.server.play.table import begin, play

    now = years.moment(0.3)
    moves = "11-15 23-19 9-14 22-17 8-11 19-16 11x20 26-23 6-9 25-22".split()  # 19-16 gives a man
    for name, made in (("reviewed", moves), ("not_reviewed", moves[:4])):
        with years.at(0.3):
            game = play(begin(years.member, years.others[0], now=now), *made, now=now)
            resign(user=years.others[0], game_id=game.public_id, now=now)
        years.facts[name] = game.public_id
    asked = review_services.ask(
        user=years.member, game_id=years.facts["reviewed"], depth=review_services.Depth.QUICK, now=years.today
    )
    while steps.go_on(review_id=asked.pk):
        pass
    years.facts["fault"] = str(moves.index("19-16") + 1)
    for name, variant, fen in (("study", "international", ""), ("proven", "american", "W:WK18,K19,K32:BK1")):
        wish = study_services.Wish(variant=variant, fen=fen, lines=3, seconds=1)
        caller = f"user:{years.member.pk}"
        found = study_services.begin(user=years.member, caller=caller, wish=wish, now=years.today)
        search.look(study_id=found.pk)
        years.facts[name] = urlencode({"variant": variant, "fen": fen, "study": found.public_id})


def _held(years: Years, key: str, state: str, ago: float, *, games: int | None, count: int) -> None:
    """A tournament of a format, of which so many games are over; None: all."""
    from random import Random

    from tests.server.competitions.hall import LIVE, Hall, hold

    terms: dict[str, Any] = {"game": LIVE, "minutes": 60} if key == "arena" else {}
    name = f"{('Winter', 'Spring')[state == 'on']} {key.replace('-', ' ')}"
    prizes = ("The golden crown", "The silver crown")
    with years.at(ago):
        row = hold(
            years.member, now=years.moment(ago), max_players=12, name=name, format=key, prizes=prizes,
            about="The first of the year. *Be kind.*", **terms,
        )  # fmt: skip
    _begin(years, row, ago, count=count)
    _go_on(Hall(row, now=years.moment(ago), dice=Random(count)), years, most=games)
    years.facts[f"{key}-{state}".replace("-", "_")] = row.public_id


def _appoint(years: Years, live: Any) -> None:
    """The member proposes a time for his game of the first round."""
    from django.db.models import Q

    from crownhead.server.competitions import jobs, services
    from crownhead.server.competitions.models import Pairing

    with years.at(0.1):
        jobs.go_on(years.moment(0.1))
        mine = Q(first__user=years.member) | Q(second__user=years.member)
        table = Pairing.objects.filter(mine, round__tournament=live, round__number=1).get().table
        services.propose_appointment(
            user=years.member, tournament_id=live.public_id, number=1, table=table,
            at=years.today + DAY, now=years.moment(0.1),
        )  # fmt: skip
    years.facts |= {"live": live.public_id, "live_table": str(table)}


def _enter(person: Any, row: Any, now: datetime) -> None:
    from crownhead.server.competitions import services

    services.enter(user=person, tournament_id=row.public_id, now=now)


def _begin(years: Years, row: Any, ago: float, *, count: int) -> None:
    from crownhead.server.competitions import services

    with years.at(ago):
        for person in years.people[:count]:
            _enter(person, row, years.moment(ago))
        services.start(user=years.member, tournament_id=row.public_id, now=years.moment(ago))


def _go_on(hall: Any, years: Years, *, most: int | None) -> None:
    """Play a tournament to its end, or some games of it."""
    from crownhead.server.core import clock
    from tests.server.competitions.hall import chance, end, fresh, open_rows

    while fresh(hall.tournament).status in {"entry", "running"} and (most is None or hall.ended < most):
        with clock.stopped(min(hall.now, years.today)):
            hall.work()
            rows = open_rows(hall.tournament)
            if rows:
                row = hall.dice.choice(rows)
                end(row.game_id, winner=chance(hall.dice), by=hall.tournament.host, now=hall.now)
                hall.ended += 1
            hall.now += timedelta(minutes=5 if most is None else 1)


def fill(folder: Path) -> dict[str, str]:
    """Fill an empty folder; what the pages are found by."""
    from crownhead.server.ops import commands

    commands.open_folder(folder)
    from crownhead.server.ops import upkeep

    upkeep.migrate()
    years = Years(datetime.now(UTC))
    parts = (play_games, compete_before, know_each_other, climb, team_up, meet, compete_now, ask_the_engine)
    for part in parts:
        part(years)
    return years.facts


if __name__ == "__main__":
    sys.stdout.write(json.dumps(fill(Path(sys.argv[1]))))
