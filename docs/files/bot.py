"""A bot that keeps a game open in the waiting room of a site and plays against anyone who joins.

Usage: python bot.py http://127.0.0.1:8000 Deepling "a long password" russian
"""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

from crownhead import Colour, Move, Position

DEPTH = 4
WON = 100_000


class Site:
    """A client of the API of a site."""

    def __init__(self, address: str) -> None:
        """``address`` is the root of the site."""
        self.root = f"{address.rstrip('/')}/api/v1"
        self.token = ""

    def call(self, method: str, path: str, body: object = None) -> Any:
        """The body of the response; raises ``HTTPError`` for an error status."""
        with self._open(method, path, body) as answer:
            return json.load(answer)

    def sign_in(self, name: str, password: str) -> None:
        """Create the account if it doesn't exist, and get a token."""
        account = {"username": name, "email": f"{name}@bots.example", "password": password}
        try:
            self.call("POST", "/accounts", account)
        except urllib.error.HTTPError as error:
            if error.code != 409:  # the name is taken: by this bot, if the password is right
                raise
        self.token = self.call("POST", "/tokens", {"username": name, "password": password})["token"]

    def events(self) -> Iterator[str]:
        """Yield when something has happened in one of the games of the bot, and once at the start."""
        yield "start"
        with self._open("GET", "/events") as stream:
            for line in stream:
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    yield value

    def _open(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.urlopen(urllib.request.Request(self.root + path, data, headers, method=method))


def keep_a_game_open(site: Site, variant: str) -> None:
    """Create a game, unless one is already waiting."""
    if not site.call("GET", "/games?mine=1&status=waiting")["items"]:
        site.call("POST", "/games", {"variant": variant, "colour": "random", "days_per_move": 1})


def make_moves(site: Site) -> None:
    """Move in every game in which it is the turn of the bot."""
    for game in site.call("GET", "/games?mine=1&turn=me&status=playing")["items"]:
        position = Position.from_fen(game["fen"], game["variant"])
        move = {"move": position.notation(best(position, DEPTH)), "version": game["version"]}
        try:
            site.call("POST", f"/games/{game['id']}/moves", move)
        except urllib.error.HTTPError as error:
            if error.code != 409:  # the game has changed or is over; an event will follow
                raise


def best(position: Position, depth: int) -> Move:
    """The best move of a search; see the tutorial on search."""
    chosen, alpha = position.legal_moves()[0], -2 * WON
    for move in position.legal_moves():
        score = -_value(position.play(move), depth - 1, -2 * WON, -alpha)
        if score > alpha:
            chosen, alpha = move, score
    return chosen


def _value(position: Position, depth: int, alpha: int, beta: int) -> int:
    outcome = position.outcome()
    if outcome is not None:
        return (WON + depth) * (1 if outcome.winner is position.turn else -1)
    moves = position.legal_moves()
    if depth <= 0 and not moves[0].captures:
        return _material(position)
    for move in moves:
        alpha = max(alpha, -_value(position.play(move), depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def _material(position: Position) -> int:
    black = 100 * len(position.black_men) + 130 * len(position.black_kings)
    white = 100 * len(position.white_men) + 130 * len(position.white_kings)
    return black - white if position.turn is Colour.BLACK else white - black


def main(address: str, name: str, password: str, variant: str = "american") -> None:
    """Play until stopped."""
    site = Site(address)
    site.sign_in(name, password)
    for _ in site.events():
        keep_a_game_open(site, variant)
        make_moves(site)


if __name__ == "__main__":
    main(*sys.argv[1:])
