// Tests of review/: what a browser looks at for a review, which moves it takes for the best, and what a score promises.
// @ts-check

import assert from "node:assert/strict";
import { expectedResult } from "../../src/crownhead/server/static/crownhead/js/analysis/scores.js";
import { makeReview } from "../../src/crownhead/server/static/crownhead/js/review/making.js";
import { courseUpTo, replayRecord } from "../../src/crownhead/server/static/crownhead/js/review/replay.js";

const TERMS = { longest: 3, barred: /** @type {number[]} */ ([]), end: /** @type {number | null} */ (null), countedOut: false };

/** A position in which two moves can be made: by a man, or by a king. @param {number} ply @returns {any} */
function position(ply = 0) {
  const legal = [[1, 5], [2, 6]].map((path) => ({ path, captures: [], crowns: false }));
  return {
    ply,
    legalMoves: () => legal,
    notations: () => ["1-5", "2-6"],
    piece: (/** @type {number} */ square) => ({ kind: square === 1 ? "man" : "king" }),
    play: () => position(ply + 1),
  };
}

const [MAN, KING] = position().legalMoves();

/** An engine that always prefers the move of the man, and what it was asked. */
function engine() {
  /** @type {number[][]} */
  const asked = [];
  const step = { origin: 1, target: 5, crowns: false, captures: [] };
  /** @type {any} */
  const made = {
    analyse: (/** @type {any} */ course) => {
      asked.push(course.reversible().map((/** @type {{ply: number}} */ { ply }) => ply));
      return Promise.resolve({ lines: [{ score: asked.length, moves: [step, step, step, step] }], verdict: null });
    },
  };
  return { made, asked };
}

/** @param {readonly any[]} record @param {Partial<typeof TERMS>} [terms] */
async function review(record, terms = {}) {
  const { made, asked } = engine();
  /** @type {number[]} */
  const done = [];
  const how = { nodes: 1, signal: new AbortController().signal, onProgress: (/** @type {number} */ count) => void done.push(count) };
  return { plies: await makeReview(made, position(), record, { ...TERMS, ...terms }, how), asked, done };
}

Deno.test("every position is searched, as far back as it can be repeated", async () => {
  const { plies, asked, done } = await review([MAN, KING, KING]);
  assert.deepEqual(asked, [[0], [1], [1, 2], [1, 2, 3]]);
  assert.deepEqual(done, [1, 2, 3, 4]);
  assert.deepEqual(plies.map(({ best }) => best), [true, false, false, false]);
  assert.deepEqual(plies[0], { score: 1, moves: ["1-5", "1-5", "1-5"], path: [1, 5], proven: true, best: true });
});

Deno.test("positions of the reader's own games are left out, and the end is worth its result", async () => {
  const { plies, asked } = await review([KING, KING], { barred: [1], end: -30_000 });
  assert.deepEqual(asked, [[0]]);
  assert.deepEqual(plies.map(({ score, moves }) => [score, moves.length]), [[1, 3], [0, 0], [-30_000, 0]]);
});

Deno.test("the move after which a counter ended the game is no mistake", async () => {
  const { plies } = await review([KING, KING], { end: 0, countedOut: true });
  assert.deepEqual(plies.map(({ best }) => best), [false, true, false]);
});

Deno.test("a review that is stopped makes no further search", async () => {
  const { made, asked } = engine();
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(() => makeReview(made, position(), [MAN], TERMS, { nodes: 1, signal, onProgress: () => undefined }), /enough/);
  assert.deepEqual(asked, []);
});

Deno.test("a record that cannot be played is refused", () => {
  assert.throws(() => replayRecord(position(), [{ path: [1, 9], captures: [] }]), /expected a legal move, got 1-9/);
});

Deno.test("a course begins after the last move that cannot be taken back", () => {
  const { positions, moves } = replayRecord(position(), [KING, MAN, KING]);
  const course = courseUpTo(positions, moves, 3);
  assert.equal(course.positions.length, 4);
  assert.deepEqual(course.reversible(), positions.slice(2));
});

Deno.test("a score promises what reviews of the club expect of it", () => {
  assert.equal(expectedResult(0), 0.5);
  assert.ok(Math.abs(expectedResult(100) - 0.85) < 0.01);
  assert.deepEqual([expectedResult(29_990), expectedResult(-29_990)], [1, 0]);
});
