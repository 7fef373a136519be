"""The paths of home, game and variant pages for tests of all pages.

Other pages are rows of ``page_table``, or found by themselves (``site_pages``).
"""

from __future__ import annotations

from typing import Any

from tests.club import Club, Player

# For everyone.
PUBLIC = [
    "/",
    "/waiting-room/",
    "/watch/",
    "/analysis/?variant=canadian",
    "/analysis/?variant=turkish",
    "/analysis/?variant=alquerque",
    "/analysis/?variant=parachute",
    "/analysis/?setup=1",
    "/analysis/?setup=1&variant=mule&fen=W:W1,32,M3:BM30,K9",
    "/rules/",
    "/rules/turkish/",
    "/offline/",
    "/no-such-page/",
]

# For members.
OWN = ["/", "/new/", "/waiting-room/", "/invitations/", "/games/finished/", "/vacation/"]


def play_games(club: Club) -> tuple[Player, list[str]]:
    """Let two members play; one of them, and the pages of their games."""
    ada, ben = (Player(club.port, name) for name in ("ada-looks", "ben-looks"))
    for player in (ada, ben):
        player.register()
    games = [_game(ada, ben), _finished(ada, ben)]
    return ada, [
        *(f"/games/{game}/" for game in games),
        f"/games/{games[0]}/?ply=0",
        f"/games/{games[0]}/draw/",
        f"/games/{games[0]}/resign/",
    ]


def _game(ada: Player, ben: Player, **terms: Any) -> str:
    offer = {"variant": "american", "colour": "first", "days_per_move": 3, "rated": True, **terms}
    game: str = ada.expect(201, "POST", "/games", offer)["id"]
    ben.expect(200, "POST", f"/waiting-room/{game}/join")
    for version, move in enumerate(("11-15", "23-19")):
        (ada, ben)[version].expect(200, "POST", f"/games/{game}/moves", {"move": move, "version": version})
    ben.expect(200, "POST", f"/games/{game}/chat", {"message": "Good luck!"})
    return game


def _finished(ada: Player, ben: Player) -> str:
    game = _game(ada, ben)
    ben.expect(200, "POST", f"/games/{game}/resign")
    return game
