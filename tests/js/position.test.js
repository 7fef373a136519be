// Tests of board/position.js: positions along a game, and in the middle of a move.
// @ts-check

import assert from "node:assert/strict";
import { afterPath, countLost, parsePiece, parsePieces, removesItself, replay } from "../../src/crownhead/server/static/crownhead/js/board/position.js";

const START = parsePieces({ 26: "WM", 22: "BM", 14: "BK", 6: "BM" });
const CAPTURE = { notation: "", path: [26, 17, 10, 1], captures: [22, 14, 6], kinds: "MMMK" };

Deno.test("a half-made capture removes only the pieces it has jumped", () => {
  const half = afterPath(START, CAPTURE, [26, 17, 10]);
  assert.deepEqual([...half.pieces.keys()], [6, 10]);
  assert.deepEqual([...half.taken.keys()], [22, 14]);
});

Deno.test("a capture that ends on the last row promotes, and leaves the position before it alone", () => {
  const whole = afterPath(START, CAPTURE, CAPTURE.path);
  assert.deepEqual([...whole.pieces], [[1, { colour: "white", kind: "king" }]]);
  assert.equal(START.size, 4);
});

Deno.test("a removed piece goes nowhere", () => {
  const removal = { notation: "", path: [22, 22], captures: [22], kinds: "MM" };
  assert.equal(removesItself(removal), true);
  assert.equal(removesItself(CAPTURE), false);
  assert.equal(afterPath(START, removal, [22, 22]).pieces.has(22), false);
});

Deno.test("a game has one position more than moves", () => {
  const positions = replay(START, [CAPTURE]);
  assert.equal(positions.length, 2);
  assert.equal(countLost(positions[0], positions[1], "black"), 3);
  assert.equal(countLost(positions[0], positions[1], "white"), 0);
});

Deno.test("a code without a kind is no piece", () => {
  assert.deepEqual(parsePiece("WU"), { colour: "white", kind: "mule" });
  assert.equal(parsePiece("B?"), undefined);
  assert.equal(parsePiece(""), undefined);
});
