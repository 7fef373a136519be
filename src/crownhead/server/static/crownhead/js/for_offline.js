// What the installed club fetches ahead from a member's home page, for times without a connection: the games in which it
// is the member's turn at once; once a visit and at a quiet moment, all running games, problems to practise, and the computer.
// @ts-check

import { filesOf } from "./files_of_page.js";
import { isKept, keepPage } from "./page_for_later.js";
import { MODULE_URL } from "./rules/kernel.js";

/** @typedef {import("./page_for_later.js").Place} Place */

const KEY = "crownhead:ahead"; // when this window has done so
const GAMES = "own-games"; // these two caches are those of the service worker
const FILES = "own-files";
const REST = 3000; // milliseconds after the page has loaded
const ONE_VISIT = 6 * 60 * 60 * 1000; // milliseconds, for an app that stays open
const ONE_DAY = 24 * 60 * 60 * 1000; // milliseconds; then there are other problems
const MOST_GAMES = 20;

/** @param {Element} home  with the lists of games; it names the pages of problems and of the computer */
export async function keepAhead(home) {
  const worker = await navigator.serviceWorker.ready;
  const gamesIn = (/** @type {string} */ list) => [...home.querySelectorAll(`[aria-labelledby="${list}"] .games a.stretched-link`)];
  const mine = addresses(gamesIn("on-turn"));
  if (mine.length) worker.active?.postMessage({ keep: mine });
  if (!isDue()) return;
  await new Promise((resolve) => setTimeout(resolve, REST));
  await new Promise((resolve) => ("requestIdleCallback" in globalThis ? requestIdleCallback(resolve) : resolve(undefined)));
  if (!isDue()) return; // another page of this window has done it
  sessionStorage.setItem(KEY, String(Date.now()));
  await told(worker.active, { ahead: [...mine, ...addresses(gamesIn("their-turn"))].slice(0, MOST_GAMES) });
  await keepFiles();
  await keepUnless({ cacheName: "problems", pathname: "/problems/practice/" }, home.getAttribute("data-problems"), ONE_DAY);
  await keepUnless({ cacheName: "computer", pathname: "/computer/" }, home.getAttribute("data-computer-page"), Infinity);
}

/** Whether this visit has fetched nothing ahead, and may. */
function isDue() {
  const { connection } = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator);
  return navigator.onLine && !connection?.saveData && Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) > ONE_VISIT;
}

/** @param {Element[]} links */
function addresses(links) {
  return links.map((link) => link.getAttribute("href") ?? "");
}

/** Tell the worker, and wait until it is done. @param {ServiceWorker | null} worker @param {unknown} message */
async function told(worker, message) {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener("message", resolve, { once: true });
    port1.start();
    worker?.postMessage(message, [port2]);
  });
}

/** What the kept games are made of is kept with them, as if they had been opened. */
async function keepFiles() {
  if (!(await caches.has(GAMES))) return;
  const games = await caches.open(GAMES);
  const pages = await Promise.all((await games.keys()).map(async ({ url }) => (await games.match(url, { ignoreVary: true }))?.text()));
  const files = await filesOf(pages.filter((page) => page !== undefined), location.href);
  if (!(await caches.has(GAMES))) return; // the member has signed out meanwhile
  const cache = await caches.open(FILES);
  await Promise.all([...files].map(([address, answer]) => cache.put(address, answer)));
}

/** Keep a page that needs no club, unless it is kept and not too old. @param {Place} place @param {string | null} address @param {number} age  milliseconds */
async function keepUnless(place, address, age) {
  if (!address || (await isKept(place, age))) return;
  await keepPage(place, address, async (page) => {
    const ofVariant = [...page.matchAll(/"(\/api\/v1\/variants\/[\w-]+\/(?:rules|weights))"/g)].map(([, found]) => found);
    return [...(await filesOf([page], location.href)).keys(), ...ofVariant, MODULE_URL.href];
  });
}
