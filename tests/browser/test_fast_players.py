"""Two fast players of live games, fifty milliseconds between their actions: no click and no move is lost."""

from __future__ import annotations

import random
from functools import partial

import pytest
from playwright.sync_api import expect

from crownhead import Game, Move
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import middle
from tests.browser.test_game_life import start_live
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser
# Whether what shows moves has come.
SHOWS_MOVES = "performance.getEntriesByType('resource').some(({ name }) => name.includes('game_news'))"

PAUSE = 50  # milliseconds between two actions of a player
FEW_PLIES, MAX_PLIES = 16, 60  # in CI, and at night
_PLIES = "() => document.querySelector('checkers-board').data.record.length"
# The move reached the page of the other player; in the time of a frame or two, not of an assertion.
_ARRIVES = """([plies, timeout]) => new Promise((done) => {
  const until = performance.now() + timeout;
  const look = () => {
    const board = document.querySelector("checkers-board");
    if (board.data.record.length === plies && board.data.legal.length) done(true);
    else if (!document.querySelector("script#news")) done(true);
    else if (performance.now() > until) done(false);
    else setTimeout(look, 5);
  };
  look();
})"""


@pytest.mark.parametrize(
    ("seed", "most"),
    [(1, FEW_PLIES), *(pytest.param(seed, MAX_PLIES, marks=pytest.mark.nightly) for seed in range(1, 11))],
)
def test_a_game_of_two_fast_players_loses_no_click_and_no_move(
    new_visitor: NewVisitor, seed: int, most: int
) -> None:
    red, white = start_live(new_visitor, f"fast-red-{seed}-{most}", f"fast-white-{seed}-{most}", seconds=900)
    dice, game = random.Random(seed), Game("american")
    # On one machine both pages share the mouse of their own window.
    places = {player.name: {n: middle(player, n) for n in range(1, 33)} for player in (red, white)}

    while game.outcome() is None and len(game.moves) < most:
        player, other = (red, white) if len(game.moves) % 2 == 0 else (white, red)
        moves = game.position.legal_moves()
        move = dice.choice(moves)
        clicks = make(player, move, len(game.moves), places[player.name])
        game.push(move)
        assert player.page.evaluate(_PLIES) == len(game.moves), f"{clicks} clicks of {move.path} made no move"
        assert other.page.evaluate(_ARRIVES, [len(game.moves), 5000]), f"ply {len(game.moves)} did not arrive"

    for player in (red, white):
        texts = player.page.locator(".plies a").all_inner_texts()
        assert texts == list(game.notations())


def make(player: Visitor, move: Move, plies: int, places: dict[int, tuple[float, float]]) -> int:
    """Click the piece and its squares until the move is made, as somebody who does not wait; the clicks."""
    for clicks, square in enumerate(move.path, start=1):
        player.page.mouse.click(*places[square])
        player.page.wait_for_timeout(PAUSE)
        if player.page.evaluate(_PLIES) > plies:
            return clicks
    return len(move.path)


def test_a_click_as_the_opponents_move_arrives_is_the_first_of_the_move(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "meanwhile-red", "meanwhile-white", seconds=600)

    white.square(22).click()  # it is Red's turn still
    red.square(11).click()
    red.square(15).click()
    expect(white.status).to_have_text("Your turn.")
    white.square(18).click()

    red.expect_move_made(2)
    expect(red.page.locator(".plies a").last).to_have_text("22-18")


def test_a_press_that_began_before_the_opponents_move_is_a_click_on_the_board_after_it(
    new_visitor: NewVisitor,
) -> None:
    red, white = start_live(new_visitor, "press-red", "press-white", seconds=600)

    white.page.mouse.move(*middle(white, 22))
    white.page.mouse.down()
    red.square(11).click()
    red.square(15).click()
    expect(white.status).to_have_text("Your turn.")
    white.page.mouse.up()
    white.square(18).click()

    red.expect_move_made(2)
    expect(red.page.locator(".plies a").last).to_have_text("22-18")


def test_a_move_goes_at_once_and_asks_for_no_page(new_visitor: NewVisitor) -> None:
    red, white = start_live(new_visitor, "once-red", "once-white", seconds=600)
    asked: list[str] = []
    red.page.on("request", lambda request: asked.append(request.url.removeprefix(red.address)))

    red.square(11).click()
    red.square(15).click()
    white.expect_turn()

    expect(red.status).to_have_text("White to move.")
    expect(red.page.locator("checkers-board [data-live]")).to_have_text("")  # nothing waits to be sent
    pages = [path for path in asked if path not in {"/badges/"} and "/static/" not in path]
    assert pages == [f"/api/v1{red.path}moves"]


def test_a_move_made_without_a_connection_is_kept_and_sent_when_it_is_back(new_visitor: NewVisitor) -> None:
    red, white = start_live(
        partial(new_visitor, service_workers="allow"), "kept-red", "kept-white", seconds=600
    )
    lost = red.page.locator("[data-connection-lost]")
    while not red.page.evaluate(SHOWS_MOVES):  # which the page fetches once it is at leisure
        red.page.wait_for_timeout(20)

    red.page.context.set_offline(True)
    expect(lost).to_have_text("Your connection was lost. Reconnecting …")
    red.square(11).click()
    red.square(15).click()
    expect(lost).to_have_text("Your connection was lost. Your move will be sent when it is back.")
    expect(red.square(15)).to_have_accessible_name("15, red man, last move")
    red.page.context.set_offline(False)

    white.expect_turn()
    expect(lost).to_have_text("")
    expect(red.status).to_have_text("White to move.")
    red.console_errors.clear()  # the browser says that it was offline


def test_two_tabs_of_a_player_stay_in_step(new_visitor: NewVisitor) -> None:
    red, _white = start_live(new_visitor, "tabs-red", "tabs-white", seconds=600)
    other = red.page.context.new_page()
    other.goto(red.page.url)
    expect(other.locator(".status strong")).to_have_text("Your turn.")

    red.square(11).click()
    red.square(15).click()

    expect(other.locator(".status strong")).to_have_text("White to move.")
    expect(other.locator(".plies a")).to_have_count(1)
    expect(red.page.locator(".plies a")).to_have_count(1)
