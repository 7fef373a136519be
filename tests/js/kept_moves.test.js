// Tests of moves that were kept without a connection: nobody but who made them sends or sees them.
// @ts-check

import assert from "node:assert/strict";

const KEY = "crownhead:kept-moves";
const sent = /** @type {string[]} */ ([]);
const kept = new Map();
const page = { reader: "", name: "" };

class Part extends EventTarget {
  getAttribute() { return null; }
}
const html = { toggleAttribute() {}, getAttribute: () => null, setAttribute() {}, hasAttribute: () => false, lang: "en", dataset: {} };
const found = (/** @type {string} */ selector) => selector === "[data-reader]" ? { textContent: page.name, getAttribute: () => page.reader } : null;
Object.assign(globalThis, {
  CSS: { escape: (/** @type {string} */ text) => text }, HTMLElement: Part, HTMLFormElement: Part, HTMLInputElement: Part, Element: Part,
  document: Object.assign(new Part(), {
    querySelector: found, querySelectorAll: () => [], documentElement: html, body: new Part(), cookie: "", title: "Home",
    visibilityState: "visible",
  }),
  location: new URL("http://club/"), MutationObserver: class { observe() {} }, EventSource: class extends Part { close() {} },
  fetch: (/** @type {string} */ address) => {
    sent.push(address);
    return Promise.resolve(Response.json({}));
  },
});
Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
Object.defineProperty(globalThis, "localStorage", {
  value: {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
    removeItem: (/** @type {string} */ key) => kept.delete(key),
  },
  configurable: true,
});

/** Keep a move of an account, or one that an older version kept with a name. @param {{account?: string, reader?: string}} whose */
function keep(whose) {
  const move = { game: "g1", title: "alice – carol", address: "/moves/", version: 3, move: "11-15", message: "for carol", made: Date.now(), ...whose };
  kept.set(KEY, JSON.stringify([move]));
}

const options = { sanitizeOps: false, sanitizeResources: false };

/** @param {string} reader @param {string} name @returns {Promise<string[]>} what was sent from their page */
async function sentOnPageOf(reader, name) {
  Object.assign(page, { reader, name });
  sent.length = 0;
  await import("../../src/crownhead/server/static/crownhead/js/kept_moves.js");
  globalThis.dispatchEvent(new Event("online"));
  await new Promise((done) => setTimeout(done, 50));
  return [...sent];
}

Deno.test("a move is sent on pages of who made it alone", options, async () => {
  keep({ account: "1" });
  assert.deepEqual(await sentOnPageOf("2", "bob"), []);
  assert.equal(JSON.parse(kept.get(KEY)).length, 1);

  assert.deepEqual(await sentOnPageOf("1", "alice"), ["/moves/"]);
  assert.equal(kept.get(KEY), undefined);
});

Deno.test("a move is sent for its account, which has another name by now, and not for the old name", options, async () => {
  keep({ account: "1" });
  assert.deepEqual(await sentOnPageOf("2", "alice"), []);
  assert.deepEqual(await sentOnPageOf("1", "alicia"), ["/moves/"]);
});

Deno.test("a move that an older version kept is sent for the name", options, async () => {
  keep({ reader: "alice" });
  assert.deepEqual(await sentOnPageOf("2", "bob"), []);
  assert.deepEqual(await sentOnPageOf("1", "alice"), ["/moves/"]);
  keep({});
  assert.deepEqual(await sentOnPageOf("2", "bob"), ["/moves/"]);
});
