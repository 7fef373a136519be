// The service worker: shows push messages, and a page of its own when the club cannot be reached; keeps nothing else.
// @ts-check

/// <reference lib="webworker" />

/** What the server writes before this file. @typedef {{version: string, offline: string, files: string[], icon: string, badge: string}} Club */
/** A push message. @typedef {{title?: string, body?: string, tag?: string, link?: string, on_turn?: number}} PushedMessage */

const worker = /** @type {ServiceWorkerGlobalScope & {CLUB: Club}} */ (/** @type {unknown} */ (self));
const { CLUB } = worker;
const PREFIX = "club-offline-";
const NAME = PREFIX + CLUB.version;

worker.addEventListener("install", (event) => {
  event.waitUntil(keep());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (CLUB.files.includes(new URL(request.url).pathname)) event.respondWith(file(request));
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
});

/** The page for no connection, and what it is made of; never a page of the club itworker. */
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
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(CLUB.offline)) ?? Response.error();
  }
}

/** A file of that page: from the server while there is one. @param {Request} request */
async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
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
