// Tests of board/moves.js: how chosen squares select one of the legal moves.
// @ts-check

import assert from "node:assert/strict";
import { afterTouch, completed, matchTyped, origins, targets } from "../../src/crownhead/server/static/crownhead/js/board/moves.js";

/** @param {...number} path @returns {import("../../src/crownhead/server/static/crownhead/js/board/moves.js").Move} */
const move = (...path) => ({ notation: path.join("x"), path, captures: path.slice(1), kinds: "M".repeat(path.length) });

const FORK = [move(26, 17, 10, 1), move(26, 17, 10, 3), move(5, 9)];
const REMOVAL = [{ ...move(13, 13), captures: [13] }];

Deno.test("the pieces that can move are the origins", () => {
  assert.deepEqual(origins(FORK), new Set([26, 5]));
});

Deno.test("a touched piece is selected, and touched again let go", () => {
  assert.deepEqual(afterTouch(FORK, [], 26), [26]);
  assert.deepEqual(afterTouch(FORK, [26], 26), []);
});

Deno.test("a path is extended as far as there is no choice", () => {
  assert.deepEqual(targets(FORK, [26]).get(17), [26, 17, 10]);
  assert.deepEqual(targets(FORK, [26]).get(3), [26, 17, 10, 3]);
});

Deno.test("a touch on a square that the piece has reached keeps the path", () => {
  const only = [move(26, 17, 10, 1)];
  const whole = afterTouch(only, [26], 17);
  assert.deepEqual(whole, [26, 17, 10, 1]);
  for (const square of [17, 10, 1]) assert.deepEqual(afterTouch(only, whole, square), whole);
  assert.deepEqual(afterTouch(FORK, [26, 17, 10], 10), [26, 17, 10]);
  assert.deepEqual(afterTouch(REMOVAL, [13, 13], 13), [13, 13]);
});

Deno.test("a path stops before a square that can be chosen again where the choice comes", () => {
  const moves = [move(1, 2, 3, 4, 3), move(1, 2, 3, 4, 5)];
  assert.deepEqual(targets(moves, [1]).get(2), [1, 2]);
  for (const { path } of moves) {
    assert.deepEqual(path.reduce((chosen, square) => afterTouch(moves, chosen, square), /** @type {number[]} */ ([])), path);
  }
});

Deno.test("another piece may be chosen instead", () => {
  assert.deepEqual(afterTouch(FORK, [26, 17, 10], 5), [5]);
});

Deno.test("an empty square that no move goes to takes the choice back", () => {
  assert.deepEqual(afterTouch(FORK, [26], 30), []);
});

Deno.test("one touch removes a piece where that is the move", () => {
  assert.deepEqual(afterTouch(REMOVAL, [], 13), [13, 13]);
  assert.equal(completed(REMOVAL, [13, 13]), REMOVAL[0]);
});

Deno.test("a half-made move is not complete", () => {
  assert.equal(completed(FORK, [26, 17, 10]), undefined);
  assert.equal(completed(FORK, [26, 17, 10, 1]), FORK[0]);
});

Deno.test("a typed text that fits several moves selects none", () => {
  const squares = [26, 17, 10, 1, 3, 5, 9].map((number) => ({ number, name: String(number), algebraic: "" }));
  assert.deepEqual(matchTyped(FORK, " 26X17x10X3 ", squares), [26, 17, 10, 3]);
  assert.deepEqual(matchTyped(FORK, "26-1", squares), [26, 17, 10, 1]);
  assert.deepEqual(matchTyped(FORK, "26x17", squares), []);
  assert.deepEqual(matchTyped([...FORK, move(26, 18, 3)], "26-3", squares), []);
});
