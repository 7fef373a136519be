// Tests of board/marks.js and board/wheel.js: what is drawn on a board, and how the wheel goes through a game.
// @ts-check

import assert from "node:assert/strict";
import { shape, toggled } from "../../src/crownhead/server/static/crownhead/js/board/marks.js";
import { wheelSteps } from "../../src/crownhead/server/static/crownhead/js/board/wheel.js";

const ARROW = { from: 11, to: 15, second: false };

Deno.test("the same mark drawn again is removed, in the other style it is replaced", () => {
  assert.deepEqual(toggled([], ARROW), [ARROW]);
  assert.deepEqual(toggled([ARROW], { ...ARROW }), []);
  assert.deepEqual(toggled([ARROW], { ...ARROW, second: true }), [{ ...ARROW, second: true }]);
  assert.deepEqual(toggled([ARROW], { from: 15, to: 15, second: false }).length, 2);
});

Deno.test("a mark on one square is a circle, and an arrow ends at its target", () => {
  assert.match(shape({ x: 0.5, y: 0.5 }, { x: 0.5, y: 0.5 }), /a\.44/u);
  assert.equal(shape({ x: 0.5, y: 0.5 }, { x: 3.5, y: 0.5 }), "M0.5 0.5L3.42 0.5M3.08 0.74L3.42 0.5L3.08 0.26");
});

Deno.test("a notch of the wheel is one ply, and small turns of a trackpad add up", () => {
  assert.deepEqual(wheelSteps(0, 100, 0), { steps: 1, rest: 0 });
  assert.deepEqual(wheelSteps(0, -3, 1), { steps: -1, rest: 0 });
  assert.deepEqual(wheelSteps(0, 20, 0), { steps: 0, rest: 20 });
  assert.deepEqual(wheelSteps(45, 20, 0), { steps: 1, rest: 0 });
  assert.deepEqual(wheelSteps(45, -20, 0), { steps: 0, rest: -20 });
});
