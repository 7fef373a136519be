// Tests of the service worker, a classic script: it is run with caches and a server of its own.
// @ts-check

import assert from "node:assert/strict";

const SCRIPT = new URL("../../src/crownhead/server/notices/worker.js", import.meta.url);
const GAME = "/games/abc/";

/** The page of an own game. */
const own = () => new Response("", { headers: { "Crownhead-Keep": "device" } });

/** The worker of a member, what it keeps by its caches, and what lets the server answer, unless `ask` does. @param {(address: string) => Response} [ask] */
async function start(ask) {
  /** @type {Map<string, Map<string, Response>>} */
  const kept = new Map();
  const cacheOf = (/** @type {string} */ name) => {
    const pages = kept.get(name) ?? new Map();
    kept.set(name, pages);
    return { delete: (/** @type {string} */ at) => pages.delete(at), put: (/** @type {string} */ at, /** @type {Response} */ page) => pages.set(at, page), keys: () => [...pages.keys()] };
  };
  const caches = { has: (/** @type {string} */ name) => kept.has(name), open: cacheOf, delete: (/** @type {string} */ name) => kept.delete(name), match: () => undefined };
  const { promise: answer, resolve: answered } = Promise.withResolvers();
  const self = { CLUB: { version: "1" }, addEventListener: () => undefined, location: { origin: "https://club.example" } };
  const source = `${await Deno.readTextFile(SCRIPT)}; return { fetchAhead, fetchGame, forgetMember };`;
  const worker = new Function("self", "caches", "fetch", "setTimeout", source)(self, caches, ask ?? (() => answer), queueMicrotask);
  return { worker, kept, answers: () => answered(own()) };
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

Deno.test("a game that is not the member's any more goes, and the server's trouble changes nothing", async () => {
  const answers = [own(), new Response("", { status: 503 }), new Response("")];
  const { worker, kept } = await start(() => answers.shift() ?? own());
  await worker.fetchAhead([GAME], { postMessage: () => undefined });
  await worker.fetchAhead([GAME], { postMessage: () => undefined });
  assert.deepEqual([...(kept.get("own-games")?.keys() ?? [])], [GAME]);
  await worker.fetchAhead([GAME], { postMessage: () => undefined });
  assert.deepEqual([...(kept.get("own-games")?.keys() ?? [])], []);
});

Deno.test("any page says that the session has ended, and all that was kept goes", async () => {
  const answers = [own(), new Response("", { headers: { "Crownhead-Keep": "nobody" } })];
  const { worker, kept } = await start(() => answers.shift() ?? own());
  await worker.fetchAhead([GAME, "/games/public/"], { postMessage: () => undefined });
  assert.equal(kept.size, 0);
});

Deno.test("of all running games twenty are fetched ahead, whatever else is asked for", async () => {
  const { worker, kept } = await start(own);
  const told = [];
  const games = Array.from({ length: 30 }, (_, at) => `/games/g${at}/`);
  await worker.fetchAhead(["/messages/", ...games], { postMessage: (/** @type {string} */ word) => told.push(word) });
  assert.deepEqual([...(kept.get("own-games")?.keys() ?? [])], games.slice(0, 20));
  assert.equal(told.length, 1);
});

Deno.test("a server that refuses a game is asked for no other one", async () => {
  /** @type {string[]} */
  const asked = [];
  const { worker } = await start((address) => {
    asked.push(address);
    return asked.length < 2 ? own() : new Response("", { status: 429 });
  });
  await worker.fetchAhead(["/games/a/", "/games/b/", "/games/c/"]);
  assert.deepEqual(asked, ["/games/a/", "/games/b/"]);
});

Deno.test("nothing more is fetched ahead for a member who signs out", async () => {
  /** @type {string[]} */
  const asked = [];
  const { worker, kept } = await start((address) => {
    asked.push(address);
    void worker.forgetMember();
    return own();
  });
  await worker.fetchAhead(["/games/a/", "/games/b/"]);
  assert.deepEqual(asked, ["/games/a/"]);
  assert.equal(kept.size, 0);
});
