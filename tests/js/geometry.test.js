// Tests of board/geometry.js: neighbours on the screen, ends of rows, the board turned around.
// @ts-check

import assert from "node:assert/strict";
import { endOfRow, neighbour, rotated } from "../../src/crownhead/server/static/crownhead/js/board/geometry.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/geometry.js").Direction} Direction */
/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/geometry.js").Square} Square */

/** The 32 dark squares of an 8×8 board. */
function darkSquares() {
  /** @type {Square[]} */
  const squares = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = (row + 1) % 2; column < 8; column += 2) {
      squares.push({ number: squares.length + 1, name: "", algebraic: "", row, column });
    }
  }
  return squares;
}

const OPPOSITE = /** @type {const} */ ({ up: "down", down: "up", left: "right", right: "left" });

Deno.test("the opposite arrow leads back to where one came from", () => {
  const squares = darkSquares();
  const strayed = squares.flatMap(({ number }) =>
    /** @type {Direction[]} */ (Object.keys(OPPOSITE)).filter((direction) => {
      const there = neighbour(squares, number, direction);
      return there !== number && neighbour(squares, there, OPPOSITE[direction]) !== number;
    }),
  );
  assert.deepEqual(strayed, []);
});

Deno.test("an arrow over the edge stays on the square", () => {
  assert.equal(neighbour(darkSquares(), 1, "up"), 1);
  assert.equal(neighbour(darkSquares(), 4, "right"), 4);
  assert.equal(neighbour(darkSquares(), 32, "down"), 32);
});

Deno.test("Home and End lead to the ends of the row", () => {
  assert.equal(endOfRow(darkSquares(), 6, "first"), 5);
  assert.equal(endOfRow(darkSquares(), 6, "last"), 8);
});

Deno.test("a board turned around twice is as before", () => {
  const [first] = rotated(darkSquares(), 8, 8);
  assert.deepEqual([first.number, first.row, first.column], [1, 7, 6]);
  assert.deepEqual(rotated(rotated(darkSquares(), 8, 8), 8, 8), darkSquares());
});
