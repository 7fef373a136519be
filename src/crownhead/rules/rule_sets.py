"""How the pieces of each variant move and capture, citing the article or source for each rule.

Sources: WCDF = rules of the World Checkers/Draughts Federation; FMJD = FMJD annex 1 (2015);
FMJD-64 = rules of the 64-square section; FID = regolamento of the Federazione Italiana Dama;
APCA = tournament rules of the American Pool Checkers Association; ČFD = rules of the Česká federace
dámy; FRI = official rules for Frisian draughts (2011); BK = rule pages of BrainKing, by their numbers.
Other numbers are articles.
"""

from __future__ import annotations

from dataclasses import replace

from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_FORWARD,
    FORWARD_OR_SIDEWAYS,
    NOWHERE,
    ORTHOGONALLY,
    Crowning,
    Direction,
    Landing,
    PieceKind,
    Priority,
    Promotion,
    Removal,
    Rules,
)

# ------------------------------------------------------------------------------ short kings, checkered
AMERICAN = Rules(
    flying_king=False,  # WCDF 1.17
    man_captures=DIAGONALLY_FORWARD,  # WCDF 1.18
    promotion=Promotion.STOP,  # WCDF 1.19
    priority=(),  # WCDF 1.20: any capture
)
ITALIAN = Rules(
    flying_king=False,  # FID 4.7
    man_captures_king=False,  # FID 5.3
    promotion=Promotion.STOP,
    priority=(
        Priority.MAX_PIECES,  # FID 6.6
        Priority.WITH_KING,  # FID 6.7
        Priority.MAX_KINGS,  # FID 6.8
        Priority.KINGS_FIRST,  # FID 6.9
    ),
)

# ----------------------------------------------------------------------------- flying kings, checkered
INTERNATIONAL = Rules(
    flying_king=True,  # FMJD 3.9
    man_captures=DIAGONALLY,  # FMJD 4.1
    promotion=Promotion.PASS,  # FMJD 3.5, 4.15
    priority=(Priority.MAX_PIECES,),  # FMJD 4.13, 4.14: a king counts as one
    removal=Removal.AFTER_MOVE,  # FMJD 4.11
)
RUSSIAN = Rules(
    flying_king=True,  # FMJD-64 1.4.5
    man_captures=DIAGONALLY,  # FMJD-64 1.5.3
    promotion=Promotion.CONTINUE,  # FMJD-64 1.5.15
)
POOL = Rules(
    flying_king=True,  # APCA 15
    man_captures=DIAGONALLY,  # APCA 14
    promotion=Promotion.PASS,  # APCA 16, 22, 23
    priority=(),  # APCA 20: any capture
)
CZECH = Rules(
    flying_king=True,
    promotion=Promotion.STOP,
    priority=(Priority.WITH_KING,),  # ČFD 4.14
)
IBERIAN = Rules(
    flying_king=True,
    promotion=Promotion.STOP,
    # BK 121: the law of quantity, then that of quality
    priority=(Priority.MAX_PIECES, Priority.MAX_KINGS),
)
THAI = Rules(
    flying_king=True,
    promotion=Promotion.STOP,
    landing=Landing.BEHIND,  # BK table: the queen lands on the square right behind
    removal=Removal.AT_ONCE,  # eightygames.wordpress.com; on BrainKing UNVERIFIED
    may_reverse=True,  # coldmoon.io, page 387
)
FRISIAN = Rules(
    flying_king=True,  # FRI 9
    man_captures=ANYWHERE,  # FRI 7
    king_steps=DIAGONALLY,  # FRI 9
    king_captures=ANYWHERE,  # FRI 9
    promotion=Promotion.PASS,  # FRI 8
    priority=(Priority.MAX_VALUE, Priority.WITH_KING),  # FRI 11, 12
    removal=Removal.AFTER_MOVE,  # FRI 14
    king_run=3,  # FRI 17
)
KILLER = replace(INTERNATIONAL, landing=Landing.BEHIND_LAST_KING)
CORNER = replace(CZECH, crowning=Crowning.FAR_CORNER)  # BK 30
ONE_WAY = replace(CZECH, one_way=True)  # BK 31
# BK 32. Whether the jump may go on once the piece has become a man is UNVERIFIED; here it ends.
PARACHUTE = replace(CZECH, marked=PieceKind.PARACHUTIST)

# ------------------------------------------------------------------------------------- every square
TURKISH = Rules(
    flying_king=True,
    man_steps=FORWARD_OR_SIDEWAYS,
    man_captures=FORWARD_OR_SIDEWAYS,
    king_steps=ORTHOGONALLY,
    king_captures=ORTHOGONALLY,
    promotion=Promotion.STOP,  # sources differ; the move ends by setupgroup.com and Neto's collection
    priority=(Priority.MAX_PIECES,),  # draughts.github.io; a king counts as one
    removal=Removal.AT_ONCE,
    may_reverse=False,  # draughts.github.io: no turn by 180° within a move
)
# BK 36: the site does not mention turning round, so a king may.
BRAINKING_TURKISH = replace(TURKISH, may_reverse=True)
ARMENIAN = Rules(
    flying_king=True,
    man_steps=DIAGONALLY_FORWARD | FORWARD_OR_SIDEWAYS,
    man_captures=FORWARD_OR_SIDEWAYS,
    king_steps=ANYWHERE,
    king_captures=ORTHOGONALLY,
    promotion=Promotion.STOP,  # UNVERIFIED
    priority=(Priority.MAX_PIECES,),
    removal=Removal.AT_ONCE,
)
_FIVE_WAYS = DIAGONALLY_FORWARD | FORWARD_OR_SIDEWAYS
GOTHIC = Rules(  # BK 35
    flying_king=False,
    man_steps=_FIVE_WAYS,
    man_captures=_FIVE_WAYS,
    king_steps=ANYWHERE,
    king_captures=ANYWHERE,
    promotion=Promotion.STOP,
)
ALTDEUTSCHE = replace(
    GOTHIC,
    man_steps=DIAGONALLY_FORWARD,  # Neto's collection, "Gothic checkers"
    priority=(Priority.MAX_PIECES,),
)
DAMEO = Rules(  # BK 123
    flying_king=True,
    man_steps=DIAGONALLY_FORWARD | {Direction.FORWARD},
    man_captures=ORTHOGONALLY,
    king_steps=ANYWHERE,
    king_captures=ORTHOGONALLY,
    promotion=Promotion.PASS,
    priority=(Priority.MAX_PIECES,),
    lines_step=True,
)
ALQUERQUE = Rules(  # BK 53
    flying_king=False,
    man_steps=_FIVE_WAYS,
    man_captures=_FIVE_WAYS,
    man_goes_on=ANYWHERE,
    king_steps=NOWHERE,
    king_captures=NOWHERE,
    crowning=Crowning.NEVER,
    rests_on_far_row=True,
)
HAWAIIAN = Rules(  # BK 94
    flying_king=False,
    man_steps=NOWHERE,
    man_captures=ORTHOGONALLY,
    king_steps=NOWHERE,
    king_captures=NOWHERE,
    crowning=Crowning.NEVER,
    jumps_only=True,
)
