"""Rules and engine in Chromium: loaded from the site under its policy, then played without the network."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from crownhead import VARIANTS, Variant
from crownhead.engine.browser import row as browser_row
from tests.browser.conftest import NewVisitor
from tests.browser.visitors import Visitor
from tests.house_rows import ROWS, SMALL
from tests.wasm.random_games import ALL

pytestmark = pytest.mark.browser

SOME = (VARIANTS["american"], VARIANTS["frisian"], SMALL)
PACKAGE = "/static/crownhead/js/rules"
LONGEST = 400  # plies of a game

# The network goes once everything has been loaded, before the first move.
_LOAD = """async ([rows, folder]) => {
  const { Rules } = await import(`${folder}/rules.js`);
  const { Engine } = await import(`${folder}/engine.js`);
  const { Game } = await import(`${folder}/game.js`);
  window.tables = [];
  for (const [row, stock] of rows) {
    const weights = stock ? `/api/v1/variants/${row.key}/weights` : undefined;
    const engine = await Engine.load(row, { megabytes: 1, weights });
    const rules = await Rules.load(row);
    await engine.analyse(rules.start(), { depth: 1 });
    tables.push({ engine, rules, game: new Game(rules.start()) });
  }
}"""
# The computer answers moves of no plan; draws that can be claimed are.
_PLAY = """async ([level, longest]) => {
  let state = 1;
  const dice = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const endings = [];
  for (const { engine, rules, game } of tables) {
    while (!game.outcome() && !game.claimableDraws().length && game.moves.length < longest) {
      const moves = game.position.legalMoves();
      const mine = game.moves.length % 2 === 0;
      game.push(mine ? moves[Math.floor(dice() * moves.length)] : await engine.play(game, level, { dice }));
    }
    engine.close();
    endings.push([rules.row.key, game.moves.length < longest, game.moves.length]);
  }
  return endings;
}"""


def play_all(visitor: Visitor, rows: Sequence[Variant], *, level: int) -> list[tuple[str, bool]]:
    """Play a game by each of these rules without the network; whether each came to its end."""
    visitor.go("/")
    stock = {id(row) for row in VARIANTS.values()}
    given = [[browser_row(row), id(row) in stock] for row in rows]
    visitor.page.evaluate(_LOAD, [given, PACKAGE])
    visitor.page.context.set_offline(True)
    endings = visitor.page.evaluate(_PLAY, [level, LONGEST])
    visitor.page.context.set_offline(False)
    return [(key, ended) for key, ended, _ in endings]


def test_games_are_played_to_their_end_without_the_network(new_visitor: NewVisitor) -> None:
    assert play_all(new_visitor(), SOME, level=4) == [(row.key, True) for row in SOME]


@pytest.mark.nightly
def test_every_variant_and_house_variant_is_played_to_its_end_without_the_network(
    new_visitor: NewVisitor,
) -> None:
    assert play_all(new_visitor(), ALL, level=5) == [(row.key, True) for row in ALL]
    assert len(ROWS) >= 3


def test_a_search_tells_what_it_finds_and_can_be_stopped(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.go("/")
    found = visitor.page.evaluate(
        """async ([row, folder]) => {
          const { Rules } = await import(`${folder}/rules.js`);
          const { Engine } = await import(`${folder}/engine.js`);
          const start = (await Rules.load(row)).start();
          const engine = await Engine.load(row, { megabytes: 1 });
          const depths = [];
          const stop = new AbortController();
          const onReport = ({ depth }) => { depths.push(depth); if (depth === 4) stop.abort(); };
          const stopped = await engine.analyse(start, { seconds: 60 }, { onReport, signal: stop.signal })
            .then(() => "searched on", (error) => error.name);
          const again = await engine.analyse(start, { depth: 3, lines: 2 });
          engine.close();
          return [depths.slice(0, 4), stopped, again.depth, again.lines.length];
        }""",
        [browser_row("american"), PACKAGE],
    )
    assert found == [[1, 2, 3, 4], "AbortError", 3, 2]


def test_the_policy_lets_webassembly_be_compiled_and_no_text_be_run(new_visitor: NewVisitor) -> None:
    """Outside the evaluation, for what a debugger evaluates is under no policy."""
    visitor = new_visitor()
    visitor.go("/")
    allowed = visitor.page.evaluate(
        """() => new Promise((done) => setTimeout(() => {
          const tried = (act) => { try { act(); return "allowed"; } catch (error) { return error.name; } };
          const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
          done([tried(() => new WebAssembly.Module(empty)), tried(() => new Function("return 1"))]);
        }))"""
    )
    assert allowed == ["allowed", "EvalError"]
    visitor.console_errors.clear()  # the browser reports what it has refused


_ELSEWHERE = """async ([club, fen]) => {
  const { Rules } = await import(`${club}/static/crownhead/js/rules/rules.js`);
  const { Engine } = await import(`${club}/static/crownhead/js/rules/engine.js`);
  const address = `${club}/api/v1/variants/american`;
  const row = await (await fetch(`${address}/rules`)).json();
  const engine = await Engine.load(row, { weights: `${address}/weights`, megabytes: 1 });
  const position = (await Rules.load(row)).position(fen);
  const report = await engine.analyse(position, { depth: 7 });
  engine.close();
  return [location.origin, report.depth];
}"""


def test_a_page_of_another_site_plays_by_the_rules_of_a_club(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    elsewhere = visitor.address.replace("127.0.0.1", "localhost")  # the same club, but another origin
    visitor.page.goto(f"{elsewhere}/static/crownhead/img/badge-96.png")  # it has no policy of its own
    fen = "W:W21-32:B1-12"
    assert visitor.page.evaluate(_ELSEWHERE, [visitor.address, fen]) == [elsewhere, 7]
