// Tests of board/premove.js: choosing a move in advance, and finding the legal move that fits it.
// @ts-check

import assert from "node:assert/strict";
import { parsePieces } from "../../src/crownhead/server/static/crownhead/js/board/position.js";
import { extendPremove, resolvePremove } from "../../src/crownhead/server/static/crownhead/js/board/premove.js";

/** @param {...number} path */
const move = (...path) => ({ notation: path.join("x"), path, captures: [], kinds: "" });

Deno.test("a premove is a piece, then a square, then nothing", () => {
  const pieces = parsePieces({ 11: "BM", 12: "BM", 23: "WM" });
  const after = (/** @type {number[]} */ chosen, /** @type {number} */ square) => extendPremove(chosen, square, pieces, "black");
  assert.deepEqual(after([], 23), []);
  assert.deepEqual(after([], 11), [11]);
  assert.deepEqual(after([11], 12), [12]);
  assert.deepEqual(after([11], 11), []);
  assert.deepEqual(after([11], 15), [11, 15]);
  assert.deepEqual(after([11, 15], 11), []);
});

Deno.test("a premove is extended by empty squares only", () => {
  const pieces = parsePieces({ 11: "BM", 23: "WM" });
  assert.deepEqual(extendPremove([11, 18], 25, pieces, "black"), [11, 18, 25]);
  assert.deepEqual(extendPremove([11, 18], 23, pieces, "black"), []);
  assert.deepEqual(extendPremove([11, 18, 25], 18, pieces, "black"), []);
});

Deno.test("a premove is played if one legal move fits it", () => {
  const moves = [move(26, 17, 10, 1), move(26, 17, 10, 3)];
  assert.deepEqual(resolvePremove(moves, [26, 1]), [26, 17, 10, 1]);
  assert.deepEqual(resolvePremove(moves, [26, 17]), []);
  assert.deepEqual(resolvePremove(moves, [12, 8]), []);
  assert.deepEqual(resolvePremove(moves.slice(0, 1), [26, 17]), [26, 17, 10, 1]);
});

Deno.test("a premove may go by any route of a move, and routes of one move leave no doubt", () => {
  const [right, left] = [move(2, 9, 18, 11, 2), move(2, 11, 18, 9, 2)].map((route) => ({ ...route, notation: "2x2" }));
  assert.deepEqual(resolvePremove([right, left], [2, 11, 18]), left.path);
  assert.deepEqual(resolvePremove([right, left], [2, 18]), right.path);
  assert.deepEqual(resolvePremove([right, left, move(2, 9, 18, 25)], [2, 18]), []);
});

Deno.test("of captures that end alike the one over the chosen squares is played", () => {
  const moves = [move(5, 14, 23, 32), move(5, 16, 23, 32), move(5, 14, 21)];
  assert.deepEqual(resolvePremove(moves, [5, 32]), []);
  assert.deepEqual(resolvePremove(moves, [5, 14, 32]), [5, 14, 23, 32]);
  assert.deepEqual(resolvePremove(moves, [5, 16, 23]), [5, 16, 23, 32]);
  assert.deepEqual(resolvePremove(moves, [5, 23, 14]), []);
  assert.deepEqual(resolvePremove(moves, [5, 21]), [5, 14, 21]);
});
