// The service worker: shows push messages, and a page of its own when the club cannot be reached. Without a connection
// it also gives the pages that need no club (js/page_for_later.js), and the member's games as they were last seen.
// @ts-check

/// <reference lib="webworker" />

/** What the server writes before this file. @typedef {{version: string, offline: string, files: string[], icon: string, badge: string}} Club */
/** A push message. @typedef {{title?: string, body?: string, tag?: string, link?: string, on_turn?: number}} PushedMessage */

const worker = /** @type {ServiceWorkerGlobalScope & {CLUB: Club}} */ (/** @type {unknown} */ (self));
const { CLUB } = worker;
const PREFIX = "club-offline-";
const NAME = PREFIX + CLUB.version;
/** The caches of pages that keep themselves. @type {Readonly<Record<string, string>>} */
const FOR_LATER = { "/computer/": "computer", "/problems/practice/": "problems" };
const OF_RULES = /^\/(static\/crownhead\/|api\/v1\/variants\/)/;
const GAMES = "own-games"; // the pages that the server lets the browser keep, for the member who is signed in
const FILES = "own-files"; // what these pages are made of
const KEEP = "Crownhead-Keep"; // the header that says so
const MOST_PAGES = 30;
const MOST_FILES = 150;
const MOST_AT_ONCE = 10; // games of which the first page of a member asks for the pages
const MOST_AHEAD = 20; // games that it asks for once a visit
const PAUSE = 250; // milliseconds between two of these
const OF_NOBODY = new Set(["/", "/accounts/login/", "/accounts/signup/"]); // members are led on, or have a home page
const OF_GAME = /^(?:\/api\/v1)?(\/games\/[^/]+\/)/;

let departures = 0; // of members: what was asked for before is not kept after them

worker.addEventListener("install", (event) => {
  event.waitUntil(keep());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") {
    if (pathname.endsWith("/logout/")) event.waitUntil(forgetMember());
  } else if (request.mode === "navigate") event.respondWith(page(event));
  else if (OF_RULES.test(pathname)) event.respondWith(file(event));
});

worker.addEventListener("push", (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link ?? "/"));
});

// Somebody signs out here: who uses this browser next shall see nothing that was meant for them.
worker.addEventListener("message", (event) => {
  if (event.data === "leave") event.waitUntil(leave());
  else if (event.data?.changed) event.waitUntil(forgetGame(String(event.data.changed)));
  else if (Array.isArray(event.data?.keep)) event.waitUntil(fetchGames(event.data.keep));
  else if (Array.isArray(event.data?.ahead)) event.waitUntil(fetchAhead(event.data.ahead, event.ports[0]));
});

/** The page for no connection, and what it is made of; never a page of the club itself. */
async function keep() {
  const cache = await caches.open(NAME);
  // The files carry their hashes in their names: what the browser has of them need not come again.
  await cache.addAll([new Request(CLUB.offline, { cache: "reload" }), ...CLUB.files]);
  await worker.skipWaiting();
}

/** What an older version kept. */
async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== NAME).map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** A page as the server has it now, or the one that says that there is no connection. @param {FetchEvent} event */
async function page(event) {
  const since = departures;
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    event.waitUntil(keepGame(new URL(event.request.url), answer.clone(), since));
    return answer;
  } catch {
    return (await kept(event.request)) ?? (await caches.match(CLUB.offline)) ?? Response.error();
  }
}

/** A page that needs no club or a game, as it was last fetched here. @param {Request} request */
async function kept(request) {
  const cacheName = FOR_LATER[new URL(request.url).pathname] ?? GAMES;
  return await caches.match(request, { cacheName, ignoreSearch: true, ignoreVary: true });
}

/** A file of these pages: from the server while there is one. @param {FetchEvent} event */
async function file(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && event.request.url.includes("/static/")) event.waitUntil(keepFile(event.request, answer.clone()));
    return answer;
  } catch {
    return (await caches.match(event.request, { ignoreVary: true })) ?? Response.error();
  }
}

/** Keep a page that the server lets the browser keep, instead of what it was before. @param {URL} url @param {Response} answer @param {number} since  the departures before it was asked for */
async function keepGame({ pathname, search }, answer, since) {
  const keep = answer.headers.get(KEEP);
  const isOwn = answer.ok && keep === "device";
  if (isOwn && since !== departures) return;
  if (isOwn && !search) {
    const cache = await caches.open(GAMES);
    await cache.delete(pathname); // so that it is the latest one
    await cache.put(pathname, answer);
    await atMost(cache, MOST_PAGES);
  } else if (keep === "nobody" || (answer.ok && !isOwn && OF_NOBODY.has(pathname))) await forgetMember(); // nobody is signed in any more
  else if (!isOwn && answer.status < 500 && (await caches.has(GAMES))) await (await caches.open(GAMES)).delete(pathname); // over, or not theirs any more
}

/** What a member's pages are made of is kept with them. @param {Request} request @param {Response} answer */
async function keepFile(request, answer) {
  if (!(await caches.has(GAMES))) return;
  const cache = await caches.open(FILES);
  await cache.put(request, answer);
  await atMost(cache, MOST_FILES);
}

/** Keep the latest ones. @param {Cache} cache @param {number} most */
async function atMost(cache, most) {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

/** A game is no longer as it is kept. @param {string} pathname */
async function forgetGame(pathname) {
  const game = OF_GAME.exec(pathname)?.[1];
  if (game && (await caches.has(GAMES))) await (await caches.open(GAMES)).delete(game);
}

/** Fetch the games in which it is the member's turn. @param {string[]} addresses */
async function fetchGames(addresses) {
  await Promise.all(addresses.filter((address) => OF_GAME.test(address)).slice(0, MOST_AT_ONCE).map(fetchGame));
}

/** Fetch a game, unless it is kept as one in which it is the member's turn. @param {string} address */
async function fetchGame(address) {
  const since = departures;
  const before = await caches.match(address, { cacheName: GAMES, ignoreVary: true });
  if (!(await before?.text())?.includes('data-turn="mine"')) await refetchGame(address, since);
}

/** Fetch a game. @param {string} address @param {number} since  the departures before it was wanted @returns {Promise<boolean>} whether the member has it */
async function refetchGame(address, since) {
  const answer = await fetch(address);
  await keepGame(new URL(address, worker.location.origin), answer.clone(), since);
  return answer.ok && since === departures;
}

/** Fetch all running games one after the other, and say when that is done; a server that refuses one is left alone. @param {string[]} addresses @param {MessagePort} [port] */
async function fetchAhead(addresses, port) {
  const games = addresses.filter((address) => OF_GAME.test(address)).slice(0, MOST_AHEAD);
  const since = departures;
  const goOn = async (/** @type {number} */ at) => {
    if (at >= games.length || !(await refetchGame(games[at], since))) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    await goOn(at + 1);
  };
  try {
    await goOn(0);
  } finally {
    port?.postMessage("done");
  }
}

/** Nothing of a member stays on the device. */
async function forgetMember() {
  departures += 1;
  await Promise.all([GAMES, FILES].map((name) => caches.delete(name)));
}

/** Show a message, unless its page is before the reader's eyes. @param {PushedMessage} message */
async function show(message) {
  if (typeof message.on_turn === "number") void badge(message.on_turn);
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (windows.some((window) => window.focused && new URL(window.url).pathname === message.link)) return;
  /** @type {NotificationOptions & {renotify: boolean}} */
  const options = {
    body: message.body,
    tag: message.tag,
    renotify: Boolean(message.tag),
    icon: CLUB.icon,
    badge: CLUB.badge,
    data: { link: message.link },
  };
  await worker.registration.showNotification(message.title ?? "", options);
}

/** How many games wait, on the icon of the installed club. @param {number} count */
async function badge(count) {
  if (!("setAppBadge" in navigator)) return;
  await (count ? navigator.setAppBadge(count) : navigator.clearAppBadge());
}

/** Take no more messages, and put those away that are shown. */
async function leave() {
  await forgetMember();
  const subscription = await worker.registration.pushManager.getSubscription().catch(() => null);
  await subscription?.unsubscribe();
  for (const shown of await worker.registration.getNotifications()) shown.close();
  await badge(0);
}

/** Go to a page of the club: in the window that shows it, in any other, or in a new one. @param {string} link */
async function open(link) {
  const address = new URL(link, worker.location.origin);
  if (address.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window" });
  const there = windows.find((window) => new URL(window.url).pathname === address.pathname);
  if (there) {
    await there.focus();
    return;
  }
  const any = windows.find((window) => window.visibilityState === "visible");
  if (any) {
    await any.focus();
    await any.navigate(address.href);
  } else await worker.clients.openWindow(address.href);
}
