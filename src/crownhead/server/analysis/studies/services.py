"""Looking at a position for a while: asked for here, done by the worker, stopped when nobody wants more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError
from crownhead.engine import LEVELS
from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import tasks
from crownhead.server.analysis.access import expect_allowed, expect_may_ask, max_seconds
from crownhead.server.analysis.choices import RUNNING, Progress
from crownhead.server.analysis.models import Study
from crownhead.server.analysis.studies.selectors import find
from crownhead.server.core.jobs import sweep
from crownhead.server.core.limits import spend
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.core.queries.literals import literals
from crownhead.server.core.texts import is_storable
from crownhead.server.play.problems.reasons import refusal

MAX_LINES = 5
MAX_MOVES = 400
LONGEST_FEN = 400
MAX_AT_ADDRESS = 3  # analyses at once of people who are only known by their address
ANSWER_SECONDS = 2  # for which the highest level thinks
KEPT = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRequest:
    """What is to be looked at and how; ``moves`` lead to it from ``fen``, or from the start.

    ``level``: only for the move that the computer would make at it.
    """

    variant: str
    fen: str = ""
    moves: tuple[str, ...] = ()
    lines: int = 3
    seconds: int = 10
    level: int | None = None

    def replay(self, *, most: int) -> crownhead.Game:
        """The moves, played, to be looked at for at most so many seconds; raises ``Unprocessable``."""
        if len(self.fen) > LONGEST_FEN or len(self.moves) > MAX_MOVES:
            raise Unprocessable(
                _("Use at most %(most_moves)s moves and %(longest_fen)s characters of FEN.")
                % {"most_moves": MAX_MOVES, "longest_fen": LONGEST_FEN},
                field="moves",
            )
        bounds = [("lines", self.lines, MAX_LINES), ("seconds", self.seconds, most)]
        if self.level is not None:
            bounds.append(("level", self.level, len(LEVELS)))
        for name, value, highest in bounds:
            if not 1 <= value <= highest:
                raise Unprocessable(
                    _("Choose 1 to %(highest)s, not %(value)s.") % {"highest": highest, "value": value},
                    field=name,
                )
        try:
            replay = crownhead.Game(self.variant, start=self.fen or None, draw_rules="none")
        except CrownheadError as error:
            raise refusal(error) from error
        try:
            for move in self.moves:
                replay.push(move)
            over = not replay.position.legal_moves()
        except CrownheadError as error:
            raise refusal(error, replay.position) from error
        if over:
            raise Unprocessable(_("The game is already over in this position."), field="fen")
        return replay


def create_study(*, user: User | None, caller: str, query: AnalysisRequest, now: datetime) -> Study:
    """Start an analysis of a position and stop the caller's earlier one.

    Where several people may share the caller's address, the latest ones go on.

    Raises ``Unprocessable``, ``OwnGameInProgress`` for a position of the user's running game,
    ``Forbidden`` for a member who is blocked from the engine, and ``TooMany`` for guests of one address who
    ask for more seconds than they have.
    """
    expect_allowed(user)
    replay = query.replay(most=max_seconds(user))
    expect_may_ask(user=user, position=replay.position)
    if user is None or user.is_guest:
        amount = query.seconds if query.level is None else ANSWER_SECONDS
        spend(scope="guest_seconds", who=caller, amount=amount)
    with transaction.atomic():
        if user is not None:
            hold_user(user.pk)
        earlier = Study.objects.filter(caller=caller, progress__in=literals(RUNNING)).order_by("-pk")
        kept = MAX_AT_ADDRESS - 1 if user is None else 0
        Study.objects.filter(pk__in=[*earlier.values_list("pk", flat=True)[kept:]]).update(stop_asked=True)
        study = Study.objects.create(
            caller=caller,
            variant=replay.variant.key,
            start_fen=replay.start.fen(),
            moves=" ".join(replay.notations()),
            lines=query.lines,
            seconds=query.seconds,
            level=query.level,
            created_at=now,
        )
        tasks.look.enqueue(study.pk)
    return study


def stop(*, caller: str, study_id: str, now: datetime) -> Study:
    """Let it be; what was found by now is kept. Raises ``Forbidden`` for another's."""
    study = find(study_id)
    if study.caller != caller:
        raise Forbidden(_("This is not your analysis."))
    Study.objects.filter(pk=study.pk, progress=Progress.WAITING).update(
        progress=Progress.STOPPED, stop_asked=True, ended_at=now
    )
    Study.objects.filter(pk=study.pk, progress=Progress.THINKING).update(stop_asked=True)
    study.refresh_from_db()
    return study


def note_followed(*, study_id: str, here: bool, now: datetime) -> None:
    """Somebody follows a study now, or nobody any more; left alone it ends soon (see ``searching``)."""
    if not is_storable(study_id):
        return
    changed = Study.objects.filter(public_id=study_id, progress__in=RUNNING, left_at__isnull=not here)
    if changed.exists():  # mostly it is a game: nothing is written then
        changed.update(left_at=None if here else now)


def delete_old(*, now: datetime) -> None:
    """Drop what is a day old."""
    sweep(Study.objects.filter(created_at__lt=now - KEPT))
