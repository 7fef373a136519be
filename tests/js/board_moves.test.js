// Tests of moves in the form that the board needs.
// @ts-check

import assert from "node:assert/strict";
import { boardMove, boardMoves, moveAlong, recordedMove } from "../../src/crownhead/server/static/crownhead/js/board_moves.js";
import { isSame } from "../../src/crownhead/server/static/crownhead/js/board_routes.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/rules/rules.js").Position} Position */

const LAWS = { crowning: {}, kingRun: 0 };

/**
 * @param {Record<number, string>} kinds  of black pieces
 * @param {import("../../src/crownhead/server/static/crownhead/js/rules/rules.js").Move[]} moves
 */
function position(kinds, moves = []) {
  const squares = Array.from({ length: 50 }, (_, at) => String(at + 1));
  return /** @type {Position} */ (/** @type {unknown} */ ({
    turn: "black",
    rules: { row: { squares, algebraic: [] } },
    piece: (/** @type {number} */ at) => kinds[at] && { colour: "black", kind: kinds[at] },
    legalMoves: () => moves,
    notations: () => moves.map(({ path }) => path.join("x")),
  }));
}

const texts = { moves: "{side} moves {origin} to {target}.", jumps: "{side} jumps {origin} to {target}, takes {squares}.", crowned: "Crowned." };

Deno.test("a man stays a man until its move ends on the last row", () => {
  const move = { path: [22, 31, 24], captures: [26, 27], crowns: false };
  assert.equal(boardMove(position({ 22: "man" }), move, LAWS).kinds, "MMM");
  assert.equal(boardMove(position({ 25: "man" }), { path: [25, 29], captures: [], crowns: true }, LAWS).kinds, "MK");
  assert.equal(boardMove(position({ 25: "king" }), { path: [25, 29], captures: [], crowns: false }, LAWS).kinds, "KK");
});

Deno.test("where the law crowns amid a move, the man goes on as a king from there", () => {
  const move = { path: [22, 31, 24, 15], captures: [26, 27, 19], crowns: true };
  const crowning = { black: [29, 30, 31, 32] };
  assert.equal(boardMove(position({ 22: "man" }), move, { crowning }).kinds, "MKKK");
});

Deno.test("a man crowned amid its capture goes on as a king where the rules say so", () => {
  /** @type {any} */
  const before = { piece: () => ({ colour: "white", kind: "man" }) };
  const move = { path: [26, 10, 3, 12], captures: [20, 6, 8], crowns: true };
  assert.equal(boardMove(before, move, { crowning: { white: [1, 2, 3, 4] } }).kinds, "MMKK");
  assert.equal(boardMove(before, move, { crowning: {} }).kinds, "MMMK");
  assert.equal(boardMove(before, { ...move, crowns: false }, { crowning: { white: [3] } }).kinds, "MMMM");
});

Deno.test("a parachutist is a man after its capture", () => {
  assert.equal(boardMove(position({ 5: "parachutist" }), { path: [5, 14], captures: [9], crowns: false }, LAWS).kinds, "PM");
});

Deno.test("a move is recorded with its sentence", () => {
  const move = { path: [25, 29], captures: [], crowns: true };
  const shown = recordedMove(position({ 25: "man" }), move, LAWS, { texts, words: { black: "Red" } });
  assert.deepEqual(shown, { path: [25, 29], captures: [], kinds: "MK", sentence: "Red moves 25 to 29. Crowned." });
});

Deno.test("the board gets each legal move with its notation, and finds it by its path", () => {
  const moves = [{ path: [1, 10], captures: [6], crowns: false }, { path: [1, 10, 17], captures: [6, 14], crowns: false }];
  const here = position({ 1: "man" }, moves);
  assert.deepEqual(boardMoves(here, LAWS).legal.map(({ notation }) => notation), ["1x10", "1x10x17"]);
  assert.equal(moveAlong(here, [1, 10, 17]), moves[1]);
  assert.equal(moveAlong(here, [1]), undefined);
});

Deno.test("the pieces taken tell moves over the same squares apart", () => {
  const moves = [{ path: [1, 10], captures: [6], crowns: false }, { path: [1, 10], captures: [5], crowns: false }];
  const here = position({ 1: "king" }, moves);
  assert.equal(moveAlong(here, [1, 10], [5]), moves[1]);
  assert.equal(moveAlong(here, [1, 10], [7]), undefined);
});

Deno.test("a king is barred that has stepped as often in a row as it may", () => {
  /** @param {number[]} bytes @param {boolean} [countsRuns] */
  const barred = (bytes, countsRuns = true) => {
    const here = position({});
    const turn = bytes[0] ? "white" : "black";
    const counting = { ...here, turn, bytes: Uint8Array.from(bytes), rules: { row: { ...here.rules.row, countsRuns } } };
    return boardMoves(/** @type {Position} */ (/** @type {unknown} */ (counting)), { crowning: {}, kingRun: 3 }).barred;
  };
  assert.deepEqual([barred([0, 46, 3, 5, 2]), barred([1, 46, 3, 5, 2]), barred([1, 46, 2, 5, 3])], [46, 0, 5]);
  assert.equal(barred([0, 46, 3, 5, 2], false), 0);
});

Deno.test("a capture is the same move by each of its routes", () => {
  const move = { path: [2, 9, 18, 11, 2], captures: [6, 14, 15, 7], crowns: false };
  assert.ok(isSame(move, { path: [2, 11, 18, 9, 2], captures: [7, 15, 14, 6] }));
  assert.ok(!isSame(move, { path: [2, 11, 18, 9, 2], captures: [7, 15, 13, 6] }));
  assert.ok(!isSame(move, { path: [2, 9, 18, 11, 4], captures: [6, 14, 15, 7] }));
});
