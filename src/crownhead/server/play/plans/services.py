"""Conditional moves: a player's prepared answers, stored on the server and visible only to them.

A plan is a list of lines, each from the current position to an answer of the owner's; lines that begin alike
are one tree. Where the owner is to move, the lines begin with the owner's move, which they still make
themselves. When the opponent plays into the plan, the answer is made at once and the rest stays; when they
play something else, the plan is dropped. While an offer of the opponent waits for an answer, the plan waits
too, for half of the turn's time at most: nobody else can make its owner lose on time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError, Position
from crownhead.notation.moves import write_full
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import OutOfDate, Unprocessable
from crownhead.server.play.access import perform_action
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import PlanChanged, game_event
from crownhead.server.play.games.selectors.replay import replay_game
from crownhead.server.play.games.services.account_closing import is_gone
from crownhead.server.play.models import Game, Plan, Seat, Status
from crownhead.server.play.plans.selectors import LONGEST_LINE, MAX_LINES, Plans, Tree, plan_of
from crownhead.server.play.plans.selectors.lines import Line, check_lines, expect_few_moves


def set_plan(
    *,
    user: User,
    game_id: str,
    version: int,
    lines: Sequence[Sequence[str]],
    now: datetime,
    game_version: int | None = None,
) -> Game:
    """Replace the user's plan with these lines, or clear it; ``version``: of the plan to be replaced.

    ``game_version``: of the position from which the lines begin; where it is not given, the one that stands.
    Raises ``OutOfDate``, ``Unprocessable``.
    """

    def replace(game: Game, seat: Seat) -> None:
        if game_version not in (None, game.version):
            raise OutOfDate(
                _("The game is at version %(version)s, not %(game_version)s. Load it again.")
                % {"version": game.version, "game_version": game_version}
            )
        plan = plan_of(game, seat)
        have = plan.version if plan else 0
        if version != have:
            raise OutOfDate(
                _("The plan is at version %(have)s, not %(version)s. Load it again.")
                % {"have": have, "version": version}
            )
        replay = replay_game(game)
        plan = plan or Plan(game=game, seat=seat)
        plan.own = game.turn == seat
        plan.tree = _tree_from(replay.position, lines, own=plan.own)
        plan.ply, plan.version = len(replay.moves), have + 1
        plan.save()
        emit(game_event(PlanChanged, game, seat=seat))

    return perform_action(user=user, game_id=game_id, now=now, do=replace)


def save_lines(
    *, user: User, game_id: str, ply: int, version: int, lines: Sequence[Line], now: datetime
) -> Game:
    """Keep the lines as the whole plan, if the game stands after ``ply`` moves still; else ``OutOfDate``."""

    def keep(game: Game, seat: Seat) -> None:
        replay = replay_game(game)
        if len(replay.moves) != ply:
            raise OutOfDate(
                _("The game is at ply %(count)s, not %(ply)s. Load it again.")
                % {"count": len(replay.moves), "ply": ply}
            )
        checked = check_lines(replay.position, lines, own=game.turn == seat)
        set_plan(user=user, game_id=game_id, version=version, lines=checked, now=now)

    return perform_action(user=user, game_id=game_id, now=now, do=keep)


def next_planned_move(
    game: Game, replay: crownhead.Game, seat: Seat, plans: Plans, now: datetime
) -> str | None:
    """What the plan of the player on turn answers to the last move, if anything; the plan moves on.

    It waits where the player has an offer of the opponent's to answer first, until half of the time is gone.
    The plan of an account that is closed or suspended answers nothing.
    """
    plan, owner = plans.get(seat), game.first_player if seat is Seat.FIRST else game.second_player
    if plan is None or not plan.tree or plan.own or owner is None or is_gone(owner):
        return None
    branch = _branch_reached(plan, replay)
    if branch and waits_for_answer(game) and not timing.is_half_gone(game, now):
        return None
    _advance(plan, branch["then"] if branch else {})
    return branch["answer"] if branch else None


def waits_for_answer(game: Game) -> bool:
    """Whether the player on turn has an offer of the opponent's to answer: a plan waits for that, too."""
    return game.turn is not None and Seat(game.turn).opponent in (game.draw_offer_by, game.take_back_by)


def follow_owner(replay: crownhead.Game, seat: Seat, plans: Plans) -> None:
    """The owner has made a move: the plan continues if it has that move, and is dropped if not."""
    plan = plans.get(seat)
    if plan is None or not plan.tree:
        return
    played = write_full(replay.positions[-2], replay.moves[-1])
    if plan.own:
        _advance(plan, plan.tree.get(played, {}), plies=1)
        return
    branch = _branch_reached(plan, replay, before=1)
    _advance(plan, branch["then"] if branch and branch["answer"] == played else {})


def clear_plans(game_id: str) -> None:
    """Drop both plans: the position is another, or the game is over."""
    for plan in Plan.objects.filter(game__public_id=game_id):
        _advance(plan, {})


def delete_old() -> int:
    """Delete the plans of games that are over, which are empty by then; returns how many.

    There are few others: each is looked at, and no game that has no plan.
    """
    over = Game.objects.filter(pk=OuterRef("game"), status=Status.FINISHED)
    return sweep(Plan.objects.filter(Exists(over)))


def _branch_reached(plan: Plan, replay: crownhead.Game, *, before: int = 0) -> dict[str, Any] | None:
    """The branch of the opponent's last move, ``before`` so many others; None if the plan has none for it."""
    ply = len(replay.moves) - before - 1
    if plan.ply != ply:
        return None
    branch: dict[str, Any] | None = plan.tree.get(write_full(replay.positions[ply], replay.moves[ply]))
    return branch


def _advance(plan: Plan, tree: Tree, *, plies: int = 2) -> None:
    plan.tree, plan.own = tree, False
    plan.ply += plies
    plan.version += 1
    plan.save()


def _tree_from(start: Position, lines: Sequence[Sequence[str]], *, own: bool) -> dict[str, Any]:
    """The tree of some lines; raises ``Unprocessable`` with the place of what is wrong."""
    if len(lines) > MAX_LINES:
        raise Unprocessable(
            _("A plan has at most %(most_lines)s lines, not %(count)s.")
            % {"most_lines": MAX_LINES, "count": len(lines)},
            field="lines",
        )
    expect_few_moves(lines, field="lines")
    trees: dict[str, Tree] = {}
    for number, line in enumerate(lines):
        place = f"lines.{number}"
        if not 2 + own <= len(line) <= LONGEST_LINE or len(line) % 2 != own:
            raise Unprocessable(
                _("A line has %(least)s to %(most)s moves and ends with yours; this one has %(count)s.")
                % {"least": 2 + own, "most": LONGEST_LINE, "count": len(line)},
                field=place,
            )
        mine, position = _played(start, line[0], f"{place}.0") if own else ("", start)
        _add(trees.setdefault(mine, {}), position, line, first=int(own), place=place)
    return trees if own else trees.get("", {})


def _add(tree: Tree, start: Position, line: Sequence[str], *, first: int, place: str) -> None:
    position, branches = start, tree
    for ply in range(first, len(line), 2):
        theirs, position = _played(position, line[ply], f"{place}.{ply}")
        mine, position = _played(position, line[ply + 1], f"{place}.{ply + 1}")
        branch = branches.setdefault(theirs, {"answer": mine, "then": {}})
        if branch["answer"] != mine:
            raise Unprocessable(
                _("There can be only one answer to %(theirs)s, not %(given)s and %(mine)s.")
                % {"theirs": theirs, "given": branch["answer"], "mine": mine},
                field=f"{place}.{ply + 1}",
            )
        branches = branch["then"]


def _played(position: Position, text: str, place: str) -> tuple[str, Position]:
    try:
        move = position.parse(text)
        return write_full(position, move), position.play(move)
    except CrownheadError as error:
        raise Unprocessable(str(error), field=place) from error
