"""Tables of the variants, generated from the variant table."""

from __future__ import annotations

from collections.abc import Iterable

from crownhead import VARIANTS, Colour, Variant
from crownhead.rules.schema import (
    BalanceDraw,
    Corner,
    Crowning,
    Direction,
    DrawRule,
    DrawRules,
    Grid,
    Landing,
    MaterialDraw,
    NoProgressDraw,
    Objective,
    Priority,
    Promotion,
    Removal,
    RepetitionDraw,
    Rules,
)

HEADINGS = ("variant", "board", "men", "begins", "men capture", "kings", "must take", "game type")

_ARROWS = {
    Direction.FORWARD_LEFT: "↖",
    Direction.FORWARD: "↑",
    Direction.FORWARD_RIGHT: "↗",
    Direction.LEFT: "←",
    Direction.RIGHT: "→",
    Direction.BACKWARD_LEFT: "↙",
    Direction.BACKWARD: "↓",
    Direction.BACKWARD_RIGHT: "↘",
}
_PRIORITIES = {
    Priority.MAX_PIECES: "most pieces",
    Priority.MAX_VALUE: "most value",
    Priority.WITH_KING: "with a king",
    Priority.MAX_KINGS: "most kings",
    Priority.KINGS_FIRST: "kings earliest",
}
_GRIDS = {
    Grid.CHECKERED: "squares of one colour",
    Grid.FULL: "every square",
    Grid.LINES: "crossings of lines",
}
_GRID_MARKS = {Grid.CHECKERED: "", Grid.FULL: ", all", Grid.LINES: ", lines"}
_PROMOTIONS = {
    Promotion.STOP: "is crowned and its move ends",
    Promotion.PASS: "continues as a man if it can, and is crowned only if the capture ends there",
    Promotion.CONTINUE: "is crowned at once and continues as a king",
}
_CROWNINGS = {Crowning.FAR_ROW: "far row", Crowning.FAR_CORNER: "far corner", Crowning.NEVER: "never"}
_LANDINGS = {
    Landing.ANYWHERE: "on any free square behind the piece",
    Landing.BEHIND: "directly behind the piece",
    Landing.BEHIND_LAST_KING: "on any free square, but directly behind a king that is captured last",
}
_REMOVALS = {Removal.AFTER_MOVE: "at the end of the move", Removal.AT_ONCE: "at once"}
_OBJECTIVES = {
    Objective.OPPONENT_WINS: "the side to move has no pieces or moves and loses",
    Objective.MOVER_WINS: "the side to move has no pieces or moves and wins",
    Objective.FIRST_KING: "a side crowns a man and wins, or has no pieces or moves and loses",
}
_CORNERS = {
    Corner.TOP_LEFT: "top left",
    Corner.TOP_RIGHT: "top right",
    Corner.BOTTOM_LEFT: "bottom left",
    Corner.BOTTOM_RIGHT: "bottom right",
}


def rows() -> list[tuple[str, ...]]:
    """Return a row for each variant, with the columns of ``HEADINGS``."""
    return [_row(variant) for variant in VARIANTS.values()]


def facts(variant: Variant) -> list[tuple[str, str]]:
    """Return the details of a variant as (label, value) pairs."""
    rules, notation = variant.rules, variant.notation
    data = [
        ("Board", f"{size(variant)}, {_GRIDS[variant.board.grid]} ({variant.board.squares})"),
        ("Men", f"{men(variant)} a side, {first(variant)} moves first"),
        ("Men step", _man_steps(rules)),
        ("Men capture", _man_captures(rules)),
        ("Crowned", _crowned(rules)),
    ]
    if rules.crowning is not Crowning.NEVER:
        data += [("Kings step", _far(rules, rules.king_steps)), ("Kings capture", _king_captures(rules))]
    if rules.marked is not None:
        data.append(("Special men", f"{len(variant.start.marked) // 2} {rules.marked.value}s a side"))
    return [
        *data,
        ("Among captures", obligation(rules)),
        ("Captured pieces are removed", _REMOVALS[rules.removal]),
        ("The game ends when", _OBJECTIVES[rules.objective]),
        ("Draws", draws(variant.draws)),
        ("Square 1", f"{_CORNERS[notation.first_square]}, as White sees it"),
        ("Squares are written", "by name" if notation.algebraic else "by number"),
        ("PDN GameType", "none" if notation.game_type is None else str(notation.game_type)),
    ]


def size(variant: Variant) -> str:
    """``8 × 8``."""
    return f"{variant.board.width}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{variant.board.height}"


def men(variant: Variant) -> int:
    """Return the number of pieces per side, including special men."""
    return len(variant.start.white)


def first(variant: Variant) -> str:
    """Return the name of the side that moves first."""
    return variant.dark_name if variant.start.first is Colour.BLACK else "White"


def arrows(directions: Iterable[Direction]) -> str:
    """Return directions as arrows, with forward up; all eight directions are a star."""
    arguments = frozenset(directions)
    if arguments == frozenset(Direction):
        return "✳"
    return "".join(arrow for direction, arrow in _ARROWS.items() if direction in arguments) or "not at all"


def obligation(rules: Rules) -> str:
    """Return which captures are compulsory if there are several."""
    return ", then ".join(_PRIORITIES[priority] for priority in rules.priority) or "free choice"


def draws(rules: DrawRules) -> str:
    """Return the draw rules with their articles."""
    data = [f"{_draw(rule)} ({rule.article})" for rule in rules.rules]
    return "; ".join(data) or "only by agreement"


def _row(variant: Variant) -> tuple[str, ...]:
    rules, notation = variant.rules, variant.notation
    number = "–" if notation.game_type is None else str(notation.game_type)
    board = (
        size(variant) + {Grid.CHECKERED: "", Grid.FULL: ", all", Grid.LINES: ", lines"}[variant.board.grid]
    )
    return (
        f"[{variant.name}](#variant-{variant.key})<br>`{variant.key}`",
        board,
        str(men(variant)),
        first(variant),
        arrows(rules.man_captures),
        _kings(rules),
        obligation(rules),
        number,
    )


def _kings(rules: Rules) -> str:
    if rules.crowning is Crowning.NEVER:
        return "none"
    far = "fly" if rules.flying_king else "short"
    return f"{far} {arrows(rules.king_captures)}"


def _man_steps(rules: Rules) -> str:
    line = ", also over a line of their own men" if rules.lines_step else ""
    rest = "; on the far row not at all" if rules.rests_on_far_row else ""
    return arrows(rules.man_steps) + line + rest


def _man_captures(rules: Rules) -> str:
    first, again = rules.man_captures, rules.man_captures_again
    data = arrows(first) if first == again else f"{arrows(first)}, then {arrows(again)}"
    kings = "" if rules.man_captures_king else ", but never a king"
    line = ", in one line, any number of pieces" if rules.jumps_only else ""
    return data + kings + line


def _crowned(rules: Rules) -> str:
    if rules.crowning is Crowning.NEVER:
        return "never"
    where = _CROWNINGS[rules.crowning] + (", the same for both sides" if rules.one_way else "")
    return f"on the {where}; a man that reaches it while capturing {_PROMOTIONS[rules.promotion]}"


def _far(rules: Rules, directions: Iterable[Direction]) -> str:
    run = f"; at most {rules.king_run} times in a row with the same king" if rules.king_run else ""
    return f"{arrows(directions)} {'any distance' if rules.flying_king else 'one square'}{run}"


def _king_captures(rules: Rules) -> str:
    data = _far(rules, rules.king_captures).partition(";")[0]
    if not rules.flying_king:
        return data
    turning = "; they may turn by 180°" if rules.may_reverse else ""
    return f"{data}; they land {_LANDINGS[rules.landing]}{turning}"


def _draw(rule: DrawRule) -> str:
    match rule:
        case RepetitionDraw(times=times):
            data = f"a position for the {times}th time" if times > 3 else "a position for the third time"
        case NoProgressDraw(moves_each=moves, resets=resets):
            what = " or ".join(sorted(reset.value.replace("-", " ") for reset in resets))
            data = f"{moves} moves each without a {what}"
        case MaterialDraw(moves_each=moves, strong=strong, weak=weak, on_main_road=road):
            where = " on the long diagonal" if road else ""
            data = f"{moves} moves each of {_forces(strong)} against {_forces(weak)}{where}"
        case BalanceDraw(pieces=(fewest, most), moves_each=moves):
            data = f"{moves} moves each with {fewest} to {most} pieces and no change of material"
    return data if rule.automatic else f"on claim, {data}"


def _forces(forces: frozenset[str]) -> str:
    ordered = sorted(forces, key=lambda force: (len(force), force))
    if len(ordered) > 4:
        return f"{ordered[0]} or more"
    return " or ".join(ordered)
