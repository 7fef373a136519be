// Tests of the service worker, a classic script: it is run with caches and a server of its own.
// @ts-check

import assert from "node:assert/strict";

const SCRIPT = new URL("../../src/crownhead/server/notices/worker.js", import.meta.url);
const GAME = "/games/abc/";

/** The worker of a member, what it keeps by its caches, and what lets the server answer. */
async function start() {
  /** @type {Map<string, Map<string, Response>>} */
  const kept = new Map();
  const cacheOf = (/** @type {string} */ name) => {
    const pages = kept.get(name) ?? new Map();
    kept.set(name, pages);
    return { delete: (/** @type {string} */ at) => pages.delete(at), put: (/** @type {string} */ at, /** @type {Response} */ page) => pages.set(at, page), keys: () => [...pages.keys()] };
  };
  const caches = { open: cacheOf, delete: (/** @type {string} */ name) => kept.delete(name), match: () => undefined };
  const { promise: answer, resolve: answered } = Promise.withResolvers();
  const self = { CLUB: { version: "1" }, addEventListener: () => undefined, location: { origin: "https://club.example" } };
  const source = `${await Deno.readTextFile(SCRIPT)}; return { fetchGame, forgetMember };`;
  const worker = new Function("self", "caches", "fetch", source)(self, caches, () => answer);
  return { worker, kept, answers: () => answered(new Response("", { headers: { "Crownhead-Keep": "device" } })) };
}

Deno.test("a game of a member is kept", async () => {
  const { worker, kept, answers } = await start();
  answers();
  await worker.fetchGame(GAME);
  assert.deepEqual([...(kept.get("own-games")?.keys() ?? [])], [GAME]);
});

Deno.test("a game that was asked for before its member signed out is not kept", async () => {
  const { worker, kept, answers } = await start();
  const fetched = worker.fetchGame(GAME);
  await worker.forgetMember();
  answers();
  await fetched;
  assert.equal(kept.size, 0);
});
