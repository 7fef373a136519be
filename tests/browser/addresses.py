"""The pages that are looked at by every test of looks: a page is one line here."""

from __future__ import annotations

from typing import Any

from tests.club import Club, Player

# For everybody.
PUBLIC = [
    "/",
    "/waiting-room/",
    "/watch/",
    "/try/",
    "/try/?variant=international",
    "/try/?variant=canadian",
    "/try/?variant=turkish",
    "/try/?variant=alquerque",
    "/try/?variant=parachute",
    "/editor/",
    "/editor/?variant=mule&fen=W:W1,32,M3:BM30,K9",
    "/rules/",
    "/rules/turkish/",
    "/ratings/",
    "/ratings/american/",
    "/ladders/",
    "/tournaments/",
    "/teams/",
    "/players/",
    "/news/",
    "/help/",
    "/questions/",
    "/contact/",
    "/offline/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/no-such-page/",
]

# For members.
OWN = [
    "/",
    "/new/",
    "/waiting-room/",
    "/invitations/",
    "/games/finished/",
    "/vacation/",
    "/ladders/",
    "/ladders/challenges/",
    "/tournaments/",
    "/tournaments/new/",
    "/teams/",
    "/teams/new/",
    "/players/",
    "/buddies/",
    "/ignored/",
    "/friends/",
    "/messages/",
    "/messages/sent/",
    "/messages/search/?q=game",
    "/messages/new/",
    "/reports/",
    "/notices/",
    "/notices/preferences/",
    "/profile/",
    "/preferences/",
    "/my-data/",
    "/close-account/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/security/",
    "/accounts/sessions/",
    "/accounts/tokens/",
]

# Addresses without gaps that need not be looked at: they lead on, are files, or show what is shown elsewhere.
NO_PAGES = {
    "accounts/confirm-email/": "shown after signing up where a club asks for it",
    "accounts/inactive/": "as /no-such-page/",
    "accounts/logout/": "a question and a button",
    "accounts/password/reset/key/done/": "as /accounts/password/reset/done/",
    "accounts/password/set/": "leads on where there is a password",
    "accounts/reauthenticate/": "the form of signing in",
    "accounts/tokens/new/": "takes a form",
    "accounts/tokens/end/": "takes a form",
    "badges/": "numbers",
    "diagram.png": "a picture",
    "diagram.svg": "a picture",
    "games/finished/all.pdn": "a file",
    "games/next/": "leads on",
    "health": "a word",
    "manifest.webmanifest": "a file",
    "messages/picked/": "takes a form",
    "news/feed.xml": "a file",
    "notices/read/": "takes a form",
    "sw.js": "a script",
}
_STEPS_OF_SIGNING_IN = ("accounts/second-factor/", "accounts/recovery-codes/", "accounts/passkeys/")


def is_a_page(route: str) -> bool:
    """Whether an address of the site ought to be in the lists."""
    if "<" in route or "(" in route or route.startswith(("api/", "^api/", "staff/", *_STEPS_OF_SIGNING_IN)):
        return False
    return route not in NO_PAGES


def live_in(club: Club) -> tuple[Player, list[str]]:
    """Give a club some life; somebody who takes part in all of it, and the pages that tell of it."""
    ada, ben = (Player(club.port, name) for name in ("ada-looks", "ben-looks"))
    for player in (ada, ben):
        player.register()
    games = [_game(ada, ben), _finished(ada, ben)]
    team = ada.expect(201, "POST", "/teams", {"name": "The Long Diagonal", "about": "We play *slowly*."})[
        "id"
    ]
    ben.call("POST", f"/teams/{team}/join", {})
    ada.expect(201, "POST", f"/teams/{team}/posts", {"text": "Who plays on Friday?"})
    terms = {"variant": "american", "days_per_move": 2, "max_players": 8}
    cup = {"name": "Spring Cup", "format": "round-robin", **terms}
    tournament = ada.expect(201, "POST", "/tournaments", cup)["id"]
    for player in (ada, ben):
        player.call("POST", f"/tournaments/{tournament}/enter", {})
    ben.expect(201, "POST", "/messages", {"to": "ada-looks", "subject": "Hello", "text": "A **good** game!"})
    talk = ada.expect(200, "GET", "/conversations")["items"][0]["id"]
    ladder = _ladder(ada, ben)
    return ada, [
        *(f"/games/{game}/" for game in games),
        f"/games/{games[0]}/?ply=0",
        f"/games/{games[0]}/resign/",
        "/players/ada-looks/",
        "/players/ben-looks/",
        "/players/ben-looks/games/",
        "/players/ben-looks/ratings/american/",
        "/ratings/american/",
        *(f"/teams/{team}/{part}" for part in ("", "edit/", "members/", "board/", "challenge/")),
        *(
            f"/tournaments/{tournament}/{part}"
            for part in ("", "edit/", "rounds/", "players/", "log/", "direct/")
        ),
        *(f"/ladders/{ladder}/{part}" for part in ("", "rules/", "challenges/", "history/")),
        f"/messages/{talk}/",
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


def _ladder(*players: Player) -> str:
    ladder: str = players[0].expect(200, "GET", "/ladders")[0]["id"]
    for player in players:
        player.expect(200, "POST", f"/ladders/{ladder}/join")
    return ladder
