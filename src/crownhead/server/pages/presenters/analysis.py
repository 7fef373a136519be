"""The page of the analysis board: moves for both sides, with what the engine says about the position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import Colour, Position
from crownhead.engine import LEVELS, Score
from crownhead.server.analysis.choices import RUNNING, Progress
from crownhead.server.analysis.engine.selectors import with_official_draws
from crownhead.server.analysis.selectors import Study
from crownhead.server.analysis.studies.services import MAX_LINES
from crownhead.server.pages.presenters.arrows import arrows
from crownhead.server.pages.presenters.try_out import Trial, TrialPage, trial_page
from crownhead.server.play.draws.presenters import draw_rules_sentence
from crownhead.server.play.presenters.board.boards import BoardPresenter
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.presenters.board.touch import BoardQuery, bottom_side
from crownhead.server.play.presenters.board.words import side

_SHOWN_PLIES = 10
_TIMES = (3, 10, 20, 60)
_USUAL_LEVEL = 3
_SURE = 20_000  # hundredths of a man beyond which a score is no measure of pieces


@dataclass(frozen=True, slots=True)
class AnalysisTrial(Trial):
    """The moves on the analysis board; ``against``: the level of the computer that answers them."""

    against: int = 0

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Play what a query says; raises ``Unprocessable`` where it cannot be played."""
        level = query.get("against", "")
        known = level in {str(one.number) for one in LEVELS}
        return replace(super(AnalysisTrial, cls).of(query), against=int(level) if known else 0)

    def address(self, moves: tuple[str, ...] | None = None, *, flip: bool = False) -> str:
        """The address of this board with other moves."""
        against = f"&against={self.against}" if self.against else ""
        return f"{reverse('pages:analysis')}?{self.query(moves, flip=flip)}{against}"


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A line of play: what it is worth, its moves, and where its first move leads."""

    worth: str
    leaning: str  # the colour that is ahead; empty if neither is
    proven: bool
    moves: tuple[str, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of a study so far."""

    id: str
    running: bool
    sentence: str
    lines: tuple[EngineLine, ...]
    drawn: str  # where the draw rules would have ended the game
    rules: str  # the draw rules, if a win is in sight
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisPage:
    """What the template shows."""

    trial: TrialPage
    board: BoardPresenter
    findings: Findings | None
    over: bool
    counts: tuple[int, ...]
    times: tuple[int, ...]
    lines: int
    seconds: int
    levels: tuple[int, ...]
    level: int
    answered: str  # where to continue once the computer has answered


def analysis_page(
    trial: AnalysisTrial, board_query: BoardQuery, study: Study | None, *, most: int
) -> AnalysisPage:
    """The page; a study of another position is left out. ``most``: seconds to choose from."""
    board_page, position = trial_page(trial, board_query), trial.record.position
    if study is not None and not _is_of(study, trial):
        study = None
    times = (*(time for time in _TIMES if time < most), most)
    return AnalysisPage(
        trial=board_page,
        board=replace(board_page.board, arrows=_arrows(study, position, board_query) if study else ()),
        findings=findings(study, trial, board_query) if study else None,
        over=not trial.legal,
        counts=tuple(range(1, MAX_LINES + 1)),
        times=times,
        lines=study.lines if study else 3,
        seconds=study.seconds if study else min(10, most),
        levels=tuple(level.number for level in LEVELS),
        level=trial.against or _USUAL_LEVEL,
        answered=_answered(study, trial, board_query) if study else "",
    )


def findings(study: Study, trial: AnalysisTrial, board_query: BoardQuery) -> Findings:
    """A study as the page shows it."""
    report, position = study.report or {}, trial.record.position
    lines = report.get("lines", ())
    rules = draw_rules_sentence(position.variant.draws)
    return Findings(
        id=study.public_id,
        running=study.progress in RUNNING,
        sentence=_sentence(study, report),
        lines=tuple(_line(line, position, trial, board_query) for line in lines),
        drawn=_drawn(trial),
        rules=rules if any(_is_sure(Score(line["score"])) for line in lines) else "",
        address=trial_address(study, trial, board_query),
    )


def trial_address(study: Study, trial: AnalysisTrial, board_query: BoardQuery) -> str:
    """The address of the board with this study on it."""
    return f"{trial.address(flip=board_query.flip)}&study={study.public_id}"


def worth(score: Score, position: Position, *, proven: bool = True) -> str:
    """What a score means: who stands better and by how much, or who wins in how many moves, or has won.

    If it is not ``proven``, a draw rule may come first, and the text says so.
    """
    if not score.value:
        return _("equal")
    leader = side(position.turn if score.value > 0 else position.turn.opponent, position.variant)
    plies = score.win_in if score.value > 0 else score.loss_in
    if plies is not None:
        text = _end_in((plies + 1) // 2, leader)
        return text if proven else _("%(end)s, unless a draw rule comes first") % {"end": text}
    if _is_sure(score):
        return _("%(side)s wins, unless a draw rule comes first") % {"side": leader}
    return f"{leader} +{abs(score.value) / 100:.2f}"


def leaning(score: Score, turn: Colour) -> str:
    """The colour that is ahead; empty if neither is."""
    if score.value == 0:
        return ""
    return (turn if score.value > 0 else turn.opponent).value


def _is_of(study: Study, trial: AnalysisTrial) -> bool:
    replay = trial.record
    here = (replay.variant.key, replay.start.fen(), " ".join(replay.notations()))
    return here == (study.variant, study.start_fen, study.moves)


def _arrows(study: Study, position: Position, board_query: BoardQuery) -> Any:
    lines = (study.report or {}).get("lines", ())
    variant = position.variant
    bottom = bottom_side(bottom_of(variant, variant.start.first), board_query)
    return arrows(variant, [line["path"] for line in lines], bottom=bottom)


def _line(
    line: dict[str, Any], position: Position, trial: AnalysisTrial, board_query: BoardQuery
) -> EngineLine:
    score = Score(line["score"])
    moves = line["moves"]
    return EngineLine(
        worth=worth(score, position, proven=line["proven"]),
        leaning=leaning(score, position.turn),
        proven=line["proven"],
        moves=tuple(moves[:_SHOWN_PLIES]),
        address=trial.address((*trial.moves, *moves[:1]), flip=board_query.flip),
    )


def _end_in(moves: int, winner: str) -> str:
    if moves == 0:
        return _("%(side)s has won") % {"side": winner}
    text = ngettext("%(side)s wins in %(count)s move", "%(side)s wins in %(count)s moves", moves)
    return text % {"side": winner, "count": moves}


def _is_sure(score: Score) -> bool:
    """A win or a loss, by the search or by a table, draw rules apart."""
    return abs(score.value) > _SURE


def _drawn(trial: AnalysisTrial) -> str:
    replay = with_official_draws(trial.record)
    outcome, claims = replay.outcome(), replay.claimable_draws()
    if outcome is not None and outcome.winner is None:
        return _("Under the draw rules, this position would be a draw.")
    return _("Under the draw rules, a player could claim a draw here.") if claims else ""


def _answered(study: Study, trial: AnalysisTrial, board_query: BoardQuery) -> str:
    reply = (study.report or {}).get("reply", "")
    return trial.address((*trial.moves, reply), flip=board_query.flip) if reply else ""


def _sentence(study: Study, report: dict[str, Any]) -> str:
    if study.progress == Progress.FAILED:
        return _("The engine failed on this position. The staff can see why in the log.")
    if study.level is not None and study.progress in RUNNING:
        return _("The computer is thinking …")
    if not report.get("lines"):
        return _("Starting the engine …") if study.progress in RUNNING else _("Stopped.")
    if report.get("tables"):
        return _("The endgame tables know this position.")
    depth = report["depth"]
    facts = {"depth": depth, "nodes": f"{report['nodes']:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")}
    text = ngettext(
        "%(depth)s ply deep, %(nodes)s positions searched.",
        "%(depth)s plies deep, %(nodes)s positions searched.",
        depth,
    )
    return text % facts
