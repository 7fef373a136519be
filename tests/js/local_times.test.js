// Tests of local_times.js, a classic script: it is run with a document of a few time elements.
// @ts-check

import assert from "node:assert/strict";

const SCRIPT = new URL("../../src/crownhead/server/static/crownhead/js/local_times.js", import.meta.url);

/**
 * The text of a time element after the script has run.
 * @param {string} datetime
 * @param {string} [timeZone]
 * @param {string} [lang] the language of the page
 */
async function textOf(datetime, timeZone, lang = "en") {
  const time = { textContent: "as the server wrote it", getAttribute: () => datetime };
  const page = {
    documentElement: { lang, dataset: { timeZone } },
    querySelectorAll: (/** @type {string} */ selector) => (selector.startsWith("time") ? [time] : []),
    addEventListener: () => undefined,
  };
  new Function("document", await Deno.readTextFile(SCRIPT))(page);
  return time.textContent;
}

Deno.test("a time is shown in the zone that the member chose", async () => {
  assert.equal(await textOf("2026-05-05T12:00:00Z", "Asia/Tokyo"), "5 May 2026, 21:00");
  assert.equal(await textOf("2026-05-05T12:00:00Z", "America/New_York"), "5 May 2026, 08:00");
});

Deno.test("English has the day first and 24 hours, as on the server; any other language its own order", async () => {
  assert.equal(await textOf("2026-11-29T18:05:00Z", "UTC"), "29 Nov 2026, 18:05");
  assert.equal(await textOf("2026-11-29T18:05:00Z", "UTC", "de"), "29.11.2026, 18:05");
});

Deno.test("a zone that the browser does not know is ignored", async () => {
  assert.match(await textOf("2026-05-05T12:00:00Z", "Nowhere/Nothing"), /May 2026/u);
});

Deno.test("what is no time stays as the server wrote it", async () => {
  assert.equal(await textOf("soon"), "as the server wrote it");
});
