// Tests of moves that were kept without a connection: nobody but who made them sends or sees them.
// @ts-check

import assert from "node:assert/strict";

const KEY = "crownhead:kept-moves";
const sent = /** @type {string[]} */ ([]);
const kept = new Map();
const page = { reader: "" };

class Part extends EventTarget {
  getAttribute() { return null; }
}
const html = { toggleAttribute() {}, getAttribute: () => null, setAttribute() {}, hasAttribute: () => false, lang: "en", dataset: {} };
const found = (/** @type {string} */ selector) => selector.includes(".username") ? { textContent: page.reader } : null;
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

/** Keep a move of this reader. @param {string | undefined} reader */
function keep(reader) {
  const move = { game: "g1", title: "alice – carol", address: "/moves/", version: 3, move: "11-15", message: "for carol", made: Date.now(), reader };
  kept.set(KEY, JSON.stringify([move]));
}

const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("a move is sent on pages of who made it alone", options, async () => {
  keep("alice");
  page.reader = "bob";
  await import("../../src/crownhead/server/static/crownhead/js/kept_moves.js");
  globalThis.dispatchEvent(new Event("online"));
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(sent, []);
  assert.equal(JSON.parse(kept.get(KEY)).length, 1);

  page.reader = "alice";
  globalThis.dispatchEvent(new Event("online"));
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(sent, ["/moves/"]);
  assert.equal(kept.get(KEY), undefined);
});
