// Tests of board/told.js: what the page does not say of a game's moves and positions is put together.
// @ts-check

import assert from "node:assert/strict";
import { NO_DATA } from "../../src/crownhead/server/static/crownhead/js/board/data.js";
import { parsePieces, replay } from "../../src/crownhead/server/static/crownhead/js/board/position.js";
import { fenAt, sentenceAt } from "../../src/crownhead/server/static/crownhead/js/board/told.js";

const WORDS = { black: "Red", white: "White", jumps: "{side} jumps {origin} to {target}, takes {squares}.", moves: "{side}: {origin}-{target}.", crowned: "Crowned." };
const STEP = { path: [15, 18], captures: [], kinds: "MM" };
const JUMP = { path: [22, 15], captures: [18], kinds: "MK" };

/** @param {Partial<import("../../src/crownhead/server/static/crownhead/js/board/data.js").BoardData>} data */
function line(data) {
  const start = parsePieces({ 15: "BM", 22: "WM" });
  const record = data.record ?? [STEP, JUMP];
  const squares = [15, 18, 22].map((number) => ({ number, name: `s${number}`, row: 0, column: 0, algebraic: "" }));
  const positions = replay(start, record.map((move) => ({ ...move, notation: "" })));
  return { data: { ...NO_DATA, ...data, record }, positions, squares, words: WORDS };
}

Deno.test("a sentence that the page has not said is put together, with the squares' own names", () => {
  assert.equal(sentenceAt(line({}), 1), "Red: s15-s18.");
  assert.equal(sentenceAt(line({}), 2), "White jumps s22 to s15, takes s18. Crowned.");
  assert.equal(sentenceAt(line({ record: [{ ...STEP, sentence: "as it was told" }] }), 1), "as it was told");
});

Deno.test("a piece that becomes a man, or was a king before, is not crowned", () => {
  assert.equal(sentenceAt(line({ record: [{ ...STEP, kinds: "PM" }] }), 1), "Red: s15-s18.");
  assert.equal(sentenceAt(line({ record: [{ ...STEP, kinds: "KK" }] }), 1), "Red: s15-s18.");
});

Deno.test("a position that the page has not said is written, with the side to move", () => {
  assert.deepEqual([0, 1, 2].map((ply) => fenAt(line({}), ply)), ["B:Ws22:Bs15", "W:Ws22:Bs18", "B:WKs15:B"]);
  assert.equal(fenAt(line({ record: [], turn: "black" }), 0), "B:Ws22:Bs15");
  assert.equal(fenAt(line({ fens: { 1: "as it was told" } }), 1), "as it was told");
});
