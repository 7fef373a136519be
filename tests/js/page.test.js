// Tests of what pages compute beside a board: clocks, badges, filters, names of devices.
// @ts-check

import assert from "node:assert/strict";
import { badgeText, titleWithCount } from "../../src/crownhead/server/static/crownhead/js/badges.js";
import { decodeKey, deviceName } from "../../src/crownhead/server/static/crownhead/js/device.js";
import { containsWords } from "../../src/crownhead/server/static/crownhead/js/text_match.js";
import { HOUR, backoff, formatTimeLeft, timeLeftInWords, untilNextUpdate } from "../../src/crownhead/server/static/crownhead/js/time_left.js";

Deno.test("a clock shows minutes, hours from an hour on, and tenths in the last ten seconds", () => {
  assert.equal(formatTimeLeft(247_000), "4:07");
  assert.equal(formatTimeLeft(HOUR + 247_000), "1:04:07");
  assert.equal(formatTimeLeft(9_399), "0:09.3");
  assert.equal(formatTimeLeft(10_000), "0:10");
});

Deno.test("a clock never shows less than nothing", () => {
  assert.equal(formatTimeLeft(0), "0:00");
  assert.equal(formatTimeLeft(-5), "0:00");
});

Deno.test("a clock is written again when its text changes", () => {
  assert.equal(untilNextUpdate(61_250), 250);
  assert.equal(untilNextUpdate(61_000), 1000);
  assert.equal(untilNextUpdate(9_000), 100);
});

Deno.test("a long time is written in its two largest units, from a day on to the nearest hour", () => {
  assert.equal(timeLeftInWords(72 * HOUR - 1_000, "en"), "3 days");
  assert.equal(timeLeftInWords(71 * HOUR + 59_999, "en"), "2 days 23 hours");
  assert.equal(timeLeftInWords(24 * HOUR, "en"), "1 day");
  assert.equal(timeLeftInWords(24 * HOUR - 1, "en"), "23 hours 59 minutes");
  assert.equal(timeLeftInWords(HOUR + 60_000, "en"), "1 hour 1 minute");
  assert.equal(timeLeftInWords(59_999, "en", "less than a minute"), "less than a minute");
  assert.equal(timeLeftInWords(26 * HOUR, "de"), "1 Tag 2 Stunden");
  assert.equal(untilNextUpdate(HOUR + 500), 500);
  assert.equal(untilNextUpdate(50 * HOUR), 60_000);
});

Deno.test("a server that does not answer is asked less and less often, and not by all at once", () => {
  assert.deepEqual([0, 1, 2, 9, 50].map((failures) => backoff(failures, 0)), [2_000, 4_000, 8_000, 20_000, 20_000]);
  assert.deepEqual([0, 1, 2, 9, 50].map((failures) => backoff(failures, 1)), [4_000, 8_000, 16_000, 40_000, 40_000]);
});

Deno.test("a badge shows at most 99+", () => {
  assert.equal(badgeText(99), "99");
  assert.equal(badgeText(100), "99+");
});

Deno.test("the title has one number, or none", () => {
  assert.equal(titleWithCount("Games", 2), "(2) Games");
  assert.equal(titleWithCount("(12) Games", 3), "(3) Games");
  assert.equal(titleWithCount("(12) Games", 0), "Games");
});

Deno.test("a filter ignores case, accents and the order of words", () => {
  assert.equal(containsWords("Česká dáma", "dama ces"), true);
  assert.equal(containsWords("Česká dáma", "dama x"), false);
  assert.equal(containsWords("anything", "  "), true);
});

Deno.test("a device is named by its browser and system", () => {
  assert.equal(deviceName({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }), "Firefox, Linux");
  const brands = [{ brand: "Not A;Brand" }, { brand: "Chromium" }, { brand: "Microsoft Edge" }];
  assert.equal(deviceName({ userAgent: "", userAgentData: { brands, platform: "Windows" } }), "Microsoft Edge, Windows");
  assert.equal(deviceName({ userAgent: "" }), "");
});

Deno.test("the server's key is read from URL-safe base64", () => {
  assert.deepEqual([...decodeKey("-_8A")], [251, 255, 0]);
});
