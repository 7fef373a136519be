// Tests of the numbers in the menu: which answers of the server count.
// @ts-check

import assert from "node:assert/strict";
import { fetchBadges } from "../../src/crownhead/server/static/crownhead/js/badges.js";

/** @typedef {(answer: object | undefined) => void} Answer */

/** The page of a member with one number, and a server that answers when it is told to; nothing is a failure. */
function page() {
  const shown = { number: "", reloads: 0 };
  /** @type {Answer[]} */
  const answers = [];
  const badge = { toggleAttribute: () => true, querySelector: () => ({ set textContent(/** @type {string} */ text) { shown.number = text; } }) };
  const timers = /** @type {(() => void)[]} */ ([]);
  Object.assign(globalThis, {
    CSS: { escape: (/** @type {string} */ name) => name },
    document: { body: { getAttribute: () => "/badges/" }, querySelectorAll: () => [badge] },
    location: { reload: () => { shown.reloads += 1; } },
    fetch: () => new Promise((done, fail) => {
      answers.push((answer) => answer ? done(Response.json(answer)) : fail(new TypeError("no connection")));
    }),
    setTimeout: (/** @type {() => void} */ callback) => timers.push(callback),
  });
  return { shown, answers, timers };
}

Deno.test("an answer that comes after a later one is not shown", async () => {
  const { shown, answers } = page();
  const [first, second] = [fetchBadges(), fetchBadges()];
  answers[1]({ messages: 2 });
  await second;
  answers[0]({ messages: 1 });
  await first;
  assert.equal(shown.number, "2");
});

Deno.test("numbers that could not be asked for are asked for once more", async () => {
  const { shown, answers, timers } = page();
  const asked = fetchBadges();
  answers[0](undefined);
  await asked;
  timers[0]();
  answers[1](undefined);
  await new Promise((done) => queueMicrotask(() => done(undefined)));
  assert.deepEqual([shown.number, answers.length, timers.length], ["", 2, 1]);
});

Deno.test("a page whose member has signed out elsewhere is loaded once more", async () => {
  const { shown, answers } = page();
  const asked = fetchBadges();
  answers[0]({});
  await asked;
  assert.equal(shown.reloads, 1);
});
