// Tests of values that the browser keeps.
// @ts-check

import assert from "node:assert/strict";
import { readStored, store } from "../../src/crownhead/server/static/crownhead/js/browser_storage.js";

Deno.test("a value is kept in its storage until it is forgotten", () => {
  store("one", { lines: "3" });
  store("one", 7, "sessionStorage");
  assert.deepEqual([readStored("one"), readStored("one", "sessionStorage")], [{ lines: "3" }, 7]);
  store("one", undefined);
  assert.deepEqual([readStored("one"), readStored("one", "sessionStorage")], [null, 7]);
});

Deno.test("what is no JSON cannot be read, and storage that is switched off breaks nothing", () => {
  localStorage.setItem("broken", "{");
  assert.equal(readStored("broken"), undefined);
  const { localStorage: there } = globalThis;
  const off = { get: () => { throw new DOMException("off", "SecurityError"); }, configurable: true };
  Object.defineProperty(globalThis, "localStorage", off);
  store("two", 1);
  assert.equal(readStored("two"), undefined);
  Object.defineProperty(globalThis, "localStorage", { value: there, configurable: true });
});
