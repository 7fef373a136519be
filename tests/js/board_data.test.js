// Tests of what a board keeps and compares: the newly played move, stored choices, the speed of animations.
// @ts-check

import assert from "node:assert/strict";
import { hopTime } from "../../src/crownhead/server/static/crownhead/js/board/animation.js";
import { NO_DATA, newlyPlayed, parseRecord } from "../../src/crownhead/server/static/crownhead/js/board/data.js";
import { isSetting } from "../../src/crownhead/server/static/crownhead/js/board/settings.js";
import { load, save } from "../../src/crownhead/server/static/crownhead/js/board/storage.js";

/** @param {...number} path */
const move = (...path) => ({ path, captures: [], kinds: "MM" });

/** @param {import("../../src/crownhead/server/static/crownhead/js/board/data.js").RecordedMove[]} record */
const game = (...record) => ({ ...NO_DATA, start: { 11: "BM" }, record, ply: record.length });

Deno.test("the moves of a game are read as the page writes them", () => {
  assert.deepEqual(parseRecord("11-15 K5-32x27 MK5-1 PM9-7x8 22-15-6x18,10"), [
    { path: [11, 15], captures: [], kinds: "MM" },
    { path: [5, 32], captures: [27], kinds: "KK" },
    { path: [5, 1], captures: [], kinds: "MK" },
    { path: [9, 7], captures: [8], kinds: "PM" },
    { path: [22, 15, 6], captures: [18, 10], kinds: "MMM" },
  ]);
  assert.deepEqual(parseRecord(""), []);
});

Deno.test("the move that a board has not shown yet is newly played", () => {
  const last = move(15, 18);
  assert.equal(newlyPlayed({ data: game(move(11, 15)), path: [] }, game(move(11, 15), last)), last);
});

Deno.test("whether the sentence of a move was told makes no other game of it", () => {
  const [told, last] = [{ ...move(11, 15), sentence: "Red moves 11 to 15." }, move(15, 18)];
  assert.equal(newlyPlayed({ data: game(told), path: [] }, game(move(11, 15), last)), last);
});

Deno.test("a move that was made on this board is not newly played", () => {
  assert.equal(newlyPlayed({ data: game(), path: [11, 15] }, game(move(11, 15))), undefined);
});

Deno.test("a move that was made on this board by another route is not newly played", () => {
  const routes = [move(2, 9, 18, 11, 2), move(2, 11, 18, 9, 2)];
  const data = { ...game(), legal: [...routes, move(2, 9)].map((route) => ({ ...route, notation: `to ${route.path.length}` })) };
  assert.equal(newlyPlayed({ data, path: routes[1].path }, game(routes[0])), undefined);
  assert.equal(newlyPlayed({ data, path: [2, 9] }, game(routes[0])), routes[0]);
  assert.equal(newlyPlayed({ data, path: [2, 11] }, game(routes[0])), routes[0]);
});

Deno.test("after another game, or more than one move, nothing is newly played", () => {
  assert.equal(newlyPlayed(undefined, game(move(11, 15))), undefined);
  assert.equal(newlyPlayed({ data: { ...game(), start: {} }, path: [] }, game(move(11, 15))), undefined);
  assert.equal(newlyPlayed({ data: game(), path: [] }, game(move(11, 15), move(15, 18))), undefined);
});

Deno.test("what is stored for a board is merged, and kept apart from others", () => {
  save("one", { turned: true });
  save("one", { path: [11, 15] });
  assert.deepEqual(load("one"), { turned: true, path: [11, 15] });
  assert.deepEqual(load("two"), {});
});

Deno.test("a board without a key stores nothing", () => {
  save("", { turned: true });
  assert.deepEqual(load(""), {});
});

Deno.test("an unreadable store is as good as none", () => {
  sessionStorage.setItem("board:broken", "{");
  assert.deepEqual(load("broken"), {});
});

Deno.test("an animation is quick however many hops it has", () => {
  for (const hops of [1, 2, 3]) assert.ok(hopTime(hops) >= 150 && hopTime(hops) <= 200);
  for (const hops of [4, 9]) assert.ok(hopTime(hops) * hops <= 600);
});

Deno.test("only known names are settings", () => {
  assert.equal(isSetting("theme"), true);
  assert.equal(isSetting("colour"), false);
});
