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

/** A circle by both its routes, and two captures that leave it. */
const CIRCLE = [
  { ...move(2, 9, 18, 11, 2), captures: [6, 14, 15, 7], notation: "2x2" },
  { ...move(2, 11, 18, 9, 2), captures: [7, 15, 14, 6], notation: "2x2" },
  { ...move(2, 9, 18, 25), captures: [6, 14, 22] },
  { ...move(2, 11, 18, 25), captures: [7, 15, 22] },
];

Deno.test("a circle is gone round in both directions", () => {
  for (const { path, notation } of CIRCLE) {
    const chosen = path.reduce((before, square) => afterTouch(CIRCLE, before, square), /** @type {number[]} */ ([]));
    assert.deepEqual(chosen, path);
    assert.equal(completed(CIRCLE, chosen)?.notation, notation);
  }
  assert.deepEqual([...targets(CIRCLE, [2]).keys()], [9, 11]);
});

Deno.test("where only routes of one move are left, it is carried to its end", () => {
  const only = CIRCLE.slice(0, 2);
  assert.deepEqual(targets(only, [2]), new Map([[9, only[0].path], [11, only[1].path]]));
});

Deno.test("a last square is one of the targets where all routes to it are of one move", () => {
  const between = [[46, 32, 10], [46, 28, 10], [46, 23, 10]].map((path) => ({ ...move(...path), notation: "46x10" }));
  assert.deepEqual(targets(between, [46]).get(10), [46, 32, 10]);
  assert.deepEqual(afterTouch(between, [46, 32, 10], 28), [46, 32, 10]);
  assert.deepEqual(afterTouch(between, [46, 32, 10], 46), [46]);
});

Deno.test("a move is typed by any of its routes", () => {
  const squares = [2, 9, 11, 18, 25].map((number) => ({ number, name: String(number), algebraic: "" }));
  assert.deepEqual(matchTyped(CIRCLE, "2x11x18x9x2", squares), [2, 11, 18, 9, 2]);
  assert.deepEqual(matchTyped(CIRCLE, "2x9x18x11x2", squares), [2, 9, 18, 11, 2]);
  assert.deepEqual(matchTyped(CIRCLE, "2x2", squares), [2, 9, 18, 11, 2]);
  assert.deepEqual(matchTyped(CIRCLE, "2x18x2", squares), [2, 9, 18, 11, 2]);
  assert.deepEqual(matchTyped(CIRCLE, "2x25", squares), []);
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
