// Tests of the clock that goes on while the device sleeps.
// @ts-check

import assert from "node:assert/strict";
import { steadyClock } from "../../src/crownhead/server/static/crownhead/js/steady_clock.js";

/** A device whose two clocks are moved by hand, and what has passed on it since the beginning. */
function device() {
  const shows = { monotonic: 40, wall: 1_800_000_000_000 };
  const now = steadyClock(() => shows.monotonic, () => shows.wall);
  const began = now();
  const wait = (/** @type {number} */ time) => {
    shows.monotonic += time;
    shows.wall += time;
  };
  return { shows, wait, passed: () => now() - began };
}

Deno.test("time passes as on the monotonic clock", () => {
  const { wait, passed } = device();
  wait(70_000);
  assert.equal(passed(), 70_000);
});

Deno.test("time goes on while the device sleeps, each time", () => {
  const { shows, wait, passed } = device();
  for (const slept of [90_000, 3_600_000]) {
    wait(1000);
    shows.wall += slept;
    assert.equal(passed(), slept + (slept > 90_000 ? 92_000 : 1000));
  }
  wait(500);
  assert.equal(passed(), 3_692_500);
});

Deno.test("a wall clock that is corrected by a little, or set back, does not count", () => {
  const { shows, wait, passed } = device();
  for (const corrected of [1500, 1500, -300, -7_200_000]) {
    shows.wall += corrected;
    wait(1000);
    passed();
  }
  assert.equal(passed(), 4000);
  shows.wall += 60_000;
  assert.equal(passed(), 64_000);
});
