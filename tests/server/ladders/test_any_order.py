"""Random sequences of events leave all members where the rules put them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from crownhead.contest.ladders import Ending
from crownhead.contest.ladders import places as places_rules
from crownhead.contest.ladders import stairs as stairs_rules
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import services
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.models import Challenge, ChallengeGame, Ladder, Line, Member
from crownhead.server.ladders.selectors.played import was_played
from crownhead.server.ladders.services import challenges, checking
from crownhead.server.ladders.services.challenges import Result
from crownhead.server.play.models import Game
from tests.server.conftest import make_user
from tests.server.ladders.factories import games_of, make_ladder, names_by_place, steps
from tests.server.play.factories import NOW

CAST = 7
WHO = st.integers(0, CAST - 1)
HOW = st.sampled_from(["won", "lost", "drawn", "void", "fled", "opponent fled"])
ACTS = st.one_of(
    st.tuples(st.just("join"), WHO, WHO),
    st.tuples(st.just("leave"), WHO, st.just(0)),
    st.tuples(st.just("leave after two moves"), WHO, st.just(0)),
    st.tuples(st.just("challenge"), WHO, WHO),
    st.tuples(st.just("challenge"), WHO, WHO),
    st.tuples(st.just("end"), st.integers(0, 9), HOW),
    st.tuples(st.just("end"), st.integers(0, 9), HOW),
    st.tuples(st.just("place"), WHO, st.integers(1, CAST)),
)
_POINTS = {"won": (2, 0), "lost": (0, 2), "drawn": (1, 1), "fled": (0, 2), "opponent fled": (2, 0)}


@dataclass(slots=True)
class Paper:
    """A ladder kept on paper, by the rules alone."""

    stairs: bool
    order: tuple[str, ...] = ()
    steps: dict[str, int] = field(default_factory=dict)

    def join(self, name: str) -> None:
        self.order = (*self.order, name)
        self.steps[name] = 1

    def leave(self, name: str) -> None:
        self.order = places_rules.without(self.order, name)
        del self.steps[name]

    def place(self, name: str, rank: int) -> None:
        rest = list(places_rules.without(self.order, name))
        self.order = (*rest[: rank - 1], name, *rest[rank - 1 :])
        self.steps[name] = rank

    def end(self, winner: str, loser: str, ending: Ending) -> None:
        if self.stairs:
            self.steps[winner], self.steps[loser] = stairs_rules.new_ranks(
                self.steps[winner], self.steps[loser], ending
            )
        else:
            self.order = places_rules.after(self.order, winner, loser, ending)


class TestWhateverHappens(TestCase):
    """Against a ladder on paper."""

    def setUp(self) -> None:
        self.cast = [make_user(f"player{number}") for number in range(CAST)]

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(acts=st.lists(ACTS, max_size=40), style=st.sampled_from(list(Style)))
    def test_players_stand_where_the_rules_put_them(
        self, acts: list[tuple[str, int, int | str]], style: Style
    ) -> None:
        ladder, paper = make_ladder(style=style), Paper(style == Style.STAIRS)
        for number, (act, one, two) in enumerate(acts):
            self._do(ladder, paper, act, one, two, number)
            if style == Style.PLACES:
                assert tuple(names_by_place(ladder)) == paper.order
            else:
                assert steps(ladder) == paper.steps
        lines = Line.objects.filter(ladder=ladder)
        standing = lines.filter(kind="joined").count() - lines.filter(kind="left").count()
        assert standing == Member.objects.filter(ladder=ladder).count()
        assert list(checking.findings(repair=False)) == []

    def _do(self, ladder: Ladder, paper: Paper, act: str, one: int, two: int | str, number: int) -> None:
        now = NOW + timedelta(days=number)
        if act == "end":
            self._end(ladder, paper, one, str(two), number)
            return
        user = self.cast[one]
        try:
            if act == "join":
                services.join(user=user, ladder_id=ladder.public_id, now=now)
                paper.join(user.username)
            elif act.startswith("leave"):
                self._leave(ladder, paper, one, number, played=act != "leave")
            elif act == "challenge":
                other = self.cast[int(two)].username
                services.challenge(
                    user=user, ladder_id=ladder.public_id, opponent=other, now=now, dice=Random(number)
                )
            else:
                staff = make_user(f"staff{number}", is_staff=True)
                services.place(
                    staff=staff, ladder_id=ladder.public_id, user=user, rank=int(two), reason="So.", now=now
                )
                paper.place(user.username, int(two))
        except Problem:
            pass  # refused: nothing changed, as the comparison shows

    def _leave(self, ladder: Ladder, paper: Paper, who: int, number: int, *, played: bool) -> None:
        user = self.cast[who]
        open_ones = list(Challenge.objects.filter(ladder=ladder, ended_at=None).order_by("id"))
        if played:
            games = ChallengeGame.objects.filter(challenge__in=open_ones).values("game_id")
            Game.objects.filter(public_id__in=games).update(moves="11-15 23-19 8-11 22-17", version=4)
        open_ones = [made for made in open_ones if was_played(made)]
        services.leave(user=user, ladder_id=ladder.public_id, now=NOW + timedelta(days=number))
        for made in open_ones:
            if user.pk in {made.challenger_id, made.challenged_id}:
                other = made.challenged if made.challenger_id == user.pk else made.challenger
                paper.end(other.username, user.username, Ending.FLED)
        paper.leave(user.username)

    def _end(self, ladder: Ladder, paper: Paper, which: int, how: str, number: int) -> None:
        running = list(Challenge.objects.filter(ladder=ladder, ended_at=None).order_by("id"))
        if not running:
            return
        made = running[which % len(running)]
        (game,) = games_of(made)
        first = game.first_player_id == made.challenger_id
        points = _POINTS.get(how)
        fled = {"fled": "first" if first else "second", "opponent fled": "second" if first else "first"}
        result = Result(
            game_id=game.public_id,
            first_id=game.first_player_id or 0,
            half_points=points if points is None or first else points[::-1],
            fled=fled.get(how),
        )
        for _ in range(2):  # told twice, it counts once
            challenges.count(ladder_id=ladder.public_id, result=result, now=NOW + timedelta(days=number))
        won = how in {"won", "opponent fled"}
        names = (made.challenger.username, made.challenged.username)
        ending = {"drawn": Ending.DRAWN, "void": Ending.VOID, "won": Ending.PLAYED, "lost": Ending.PLAYED}
        paper.end(*(names if won else names[::-1]), ending.get(how, Ending.FLED))
