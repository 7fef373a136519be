// Tests of which games are heard.
// @ts-check

import assert from "node:assert/strict";
import { isHeard } from "../../src/crownhead/server/static/crownhead/js/board/sound.js";

/** A page whose root has a setting, or none. @param {string | null} sound */
function pageWith(sound) {
  const documentElement = { getAttribute: () => sound };
  Object.defineProperty(globalThis, "document", { value: { documentElement }, configurable: true });
}

Deno.test("live games are heard unless sounds are off, other games where all are chosen", () => {
  const heard = [null, "live", "on", "off"].map((sound) => {
    pageWith(sound);
    return [isHeard(true), isHeard(false)];
  });
  assert.deepEqual(heard, [
    [true, false],
    [true, false],
    [true, true],
    [false, false],
  ]);
});
