// Tests of guard.js: what is only read, and what is sent with the token of the page.
// @ts-check

import assert from "node:assert/strict";
import { askGuard } from "../../src/crownhead/server/static/crownhead/js/guard.js";

const HERE = { variant: "american", fen: "W:W21:B1" };
const READ = "/guard/?variant=american&fen=W%3AW21%3AB1";

class HTMLInputElement {
  value = "token";
}

/** What a page sends, and the status of what comes last. @param {{hasToken?: boolean, refuses?: boolean, asked?: boolean}} page */
async function sent({ hasToken = true, refuses = false, asked = false }) {
  /** @type {string[]} */
  const requests = [];
  Object.assign(globalThis, {
    HTMLInputElement,
    document: { querySelector: () => hasToken ? new HTMLInputElement() : null },
    fetch: (/** @type {string} */ address, /** @type {RequestInit} */ { method = "GET", headers, body } = {}) => {
      requests.push([method, address, ...Object.values(headers ?? {}), ...(body ? [String(body)] : [])].join(" "));
      return Promise.resolve(new Response("{}", { status: refuses && method === "POST" ? 403 : 200 }));
    },
  });
  const { status } = await askGuard("/guard/", HERE, asked);
  return [...requests, status];
}

Deno.test("a page that asks by itself only reads", async () => {
  assert.deepEqual(await sent({}), [`GET ${READ}`, 200]);
});

Deno.test("what the reader asked for is sent with the token of the page", async () => {
  assert.deepEqual(await sent({ asked: true }), ["POST /guard/ token variant=american&fen=W%3AW21%3AB1", 200]);
});

Deno.test("with a token that is out of date, or without one, it is only read", async () => {
  assert.deepEqual((await sent({ asked: true, refuses: true })).slice(1), [`GET ${READ}`, 200]);
  assert.deepEqual(await sent({ asked: true, hasToken: false }), [`GET ${READ}`, 200]);
});
