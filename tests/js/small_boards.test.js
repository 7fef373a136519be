// Tests of the small boards of running games: where squares are, and what a move makes of a position.
// @ts-check

import assert from "node:assert/strict";
import { placesOf, positionAfter } from "../../src/crownhead/server/static/crownhead/js/small_boards.js";

/** @typedef {import("../../src/crownhead/server/static/crownhead/js/board/position.js").Piece} Piece */

/** @type {Map<number, Piece>} */
const pieces = new Map([[15, { colour: "black", kind: "man" }], [18, { colour: "white", kind: "man" }], [30, { colour: "white", kind: "man" }]]);

Deno.test("squares have their places in the order of their numbers", () => {
  assert.deepEqual([...placesOf("1,0 3,0 5,0")], [[1, "1,0"], [2, "3,0"], [3, "5,0"]]);
  assert.equal(placesOf("").size, 0);
});

Deno.test("a capture takes the piece off and the other one along", () => {
  const after = positionAfter(pieces, { colour: "black", path: [15, 22], captures: [18], kinds: "MM" });
  assert.deepEqual([...after ?? []], [[30, { colour: "white", kind: "man" }], [22, { colour: "black", kind: "man" }]]);
});

Deno.test("a man that is crowned is drawn as a king", () => {
  const after = positionAfter(pieces, { colour: "white", path: [30, 25], captures: [], kinds: "MK" });
  assert.deepEqual(after?.get(25), { colour: "white", kind: "king" });
});

Deno.test("a move that does not fit is not shown: the page is asked for", () => {
  assert.equal(positionAfter(pieces, { colour: "white", path: [15, 19], captures: [], kinds: "MM" }), undefined);
  assert.equal(positionAfter(pieces, { colour: "white", path: [1, 5], captures: [], kinds: "MM" }), undefined);
  assert.equal(positionAfter(pieces, { colour: "black", path: [15, 19], captures: [], kinds: "M" }), undefined);
});
