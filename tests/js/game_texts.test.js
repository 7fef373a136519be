// Tests of what is written of a move that the stream has told.
// @ts-check

import assert from "node:assert/strict";
import { moveSentence, rowsAfter } from "../../src/crownhead/server/static/crownhead/js/game_texts.js";

const TEXTS = {
  removes: "{side} removes the piece on {origin}.",
  jumps: "{side} jumps {origin} to {target}, takes {squares}.",
  moves: "{side} moves {origin} to {target}.",
  crowned: "Crowned.",
};
const name = (/** @type {number} */ square) => `s${square}`;

Deno.test("a step, a jump and a removal are said as the server says them", () => {
  assert.equal(moveSentence(TEXTS, "Red", { path: [11, 15], captures: [], crowned: false }, name), "Red moves s11 to s15.");
  assert.equal(
    moveSentence(TEXTS, "White", { path: [22, 15, 6], captures: [18, 10], crowned: true }, name),
    "White jumps s22 to s6, takes s18, s10. Crowned.",
  );
  assert.equal(moveSentence(TEXTS, "Red", { path: [4, 4], captures: [4], crowned: false }, name), "Red removes the piece on s4.");
});

Deno.test("a line of the move list holds two moves, the first side's on the left", () => {
  assert.deepEqual([1, 2, 3].map((ply) => rowsAfter(ply, false)), [
    { number: 1, begins: true },
    { number: 1, begins: false },
    { number: 2, begins: true },
  ]);
  assert.deepEqual([1, 2, 3].map((ply) => rowsAfter(ply, true)), [
    { number: 1, begins: true },
    { number: 2, begins: true },
    { number: 2, begins: false },
  ]);
});
