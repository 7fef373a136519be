// Tests of planner/: what there is to do next, and when a line can be saved.
// @ts-check

import assert from "node:assert/strict";
import { isComplete, isMine, taskOf } from "../../src/crownhead/server/static/crownhead/js/planner/task.js";

/** @param {boolean} own @param {number} most */
function drafts(own, most) {
  return Array.from({ length: most + 1 }, (_, count) => ({ count, own, isOver: false }));
}

Deno.test("a line that begins with the opponent's move asks for it, then for the answer, and can be saved after that", () => {
  const line = drafts(false, 4);
  assert.deepEqual(line.map(taskOf), ["condition", "answer", "save", "answer", "save"]);
  assert.deepEqual(line.map(isComplete), [false, false, true, false, true]);
});

Deno.test("who is on turn begins with the move that they intend to make", () => {
  const line = drafts(true, 5);
  assert.deepEqual(line.map(taskOf), ["intend", "condition", "answer", "save", "answer", "save"]);
  assert.deepEqual(line.map(isComplete), [false, false, false, true, false, true]);
  assert.deepEqual([0, 1, 2].map((at) => isMine(at, true)), [true, false, true]);
});

Deno.test("where the game would be over there is nothing more to choose", () => {
  assert.equal(taskOf({ count: 3, own: false, isOver: true }), "over");
});
