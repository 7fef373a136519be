// Listens to the server's event stream: shows what an event tells, or reloads the part of the page that has changed.
// @ts-check

import { fetchBadges, showBadgesOfContent } from "./badges.js";
import { noteStream } from "./connection.js";
import { gameStarted } from "./game_start.js";
import { isPressed, whenReleased } from "./press_state.js";
import { backoff } from "./time_left.js";

const AT_LEISURE = 2000; // milliseconds after which is fetched what is needed later
const TOGETHER = 100; // milliseconds in which a move and its notice ask for the numbers of the menu once
const AT_EASE = 1000; // milliseconds within which a list that has changed is asked for
const SPREAD = 3000; // milliseconds over which pages that missed too much ask for everything

/** @type {EventSource | undefined} */
let source;
let connectedTo = "";
let failures = 0;
let lastEvent = 0; // the last one of this stream that the page knows
/** @type {ReturnType<typeof setTimeout> | undefined} */
let reconnecting;

/** Connect to the stream that this page names; a page that names none closes the stream. */
function connect() {
  const place = document.querySelector("main [data-stream]") ?? document.body;
  const address = place.getAttribute("data-stream") ?? "";
  if (address === connectedTo) return;
  disconnect();
  lastEvent = Number(place.getAttribute("data-from"));
  connectedTo = address;
  if (address) open();
}

/** Open the stream; what was missed since the last event comes first. */
function open() {
  source = new EventSource(`${connectedTo}${connectedTo.includes("?") ? "&" : "?"}last_event_id=${lastEvent}`);
  for (const kind of ["game", "me", "notice", "tournament", "analysis", "list"]) source.addEventListener(kind, onEvent);
  source.addEventListener("reload", () => refreshWithin(SPREAD));
  source.addEventListener("open", () => {
    failures = 0;
    noteStream(true);
    document.dispatchEvent(new CustomEvent("stream-open"));
    const isPlaying = document.querySelector("main form[data-sends]") !== null; // the connection may go any moment
    setTimeout(() => void showing().catch(() => {}), isPlaying ? 0 : AT_LEISURE);
  });
  source.addEventListener("error", () => {
    noteStream(false);
    // The browser connects again by itself, after a time that the server says, unless the answer was an error.
    if (source?.readyState === EventSource.CLOSED) reconnecting = setTimeout(reopen, backoff(failures++));
  });
}

function disconnect() {
  clearTimeout(reconnecting);
  source?.close();
  source = undefined;
  connectedTo = "";
  noteStream(true); // nothing is waited for
}

/** The browser has given the stream up. */
function reopen() {
  clearTimeout(reconnecting);
  source?.close();
  if (connectedTo) open();
}

/** How many requests that will replace the content, or the part of it that is reloaded, are in flight. */
let inFlight = 0;
/** The last event that came meanwhile, which the answer may include already; infinite to reload in any case. */
let latestEvent = 0;

/** Something has changed; several events at once are one change. @param {MessageEvent} event */
function onEvent(event) {
  lastEvent = Math.max(lastEvent, Number(event.lastEventId));
  if (event.type === "me") gameStarted(JSON.parse(event.data));
  if (showsList()) {
    if (event.type === "list") refreshWithin(Math.max(AT_EASE, JSON.parse(event.data).spread ?? 0));
    else counting ??= setTimeout(countAgain, TOGETHER);
    return;
  }
  void showing().then((module) => take(module, event), () => refreshWithin(SPREAD));
}

/** Whether the page shows a list that has events of its own; all others concern only the menu. */
const showsList = () => document.querySelector("[data-refresh='list']") !== null;

/** The module that shows moves; the first sight of a page does not need it. @returns {Promise<typeof import("./game_news.js")>} */
const showing = async () => await import("./game_news.js");

/** @param {typeof import("./game_news.js")} module @param {MessageEvent} event */
function take({ showNews }, event) {
  const id = Number(event.lastEventId);
  if (id <= shownEvent()) return;
  if (inFlight) {
    latestEvent = Math.max(latestEvent, id);
    return;
  }
  const news = JSON.parse(event.data);
  const rest = showNews(event.type, news);
  if (rest === "badges") counting ??= setTimeout(countAgain, TOGETHER);
  if (rest === "page") refreshWithin(news.spread ?? 0);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let counting;

function countAgain() {
  counting = undefined;
  void fetchBadges();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let refreshing;

/** Reload within so many milliseconds: of many pages that have a reason to, not all at once. @param {number} spread */
export function refreshWithin(spread) {
  if (!spread) refresh();
  else refreshing ??= setTimeout(refresh, Math.random() * spread);
}

/** Reload the part of the page that may have changed, but not while something is pressed. */
export const refresh = () => whenReleased(reload);

function reload() {
  clearTimeout(refreshing);
  refreshing = undefined;
  if (inFlight) {
    latestEvent = Infinity; // the answer may remove the element that would send the request
    return;
  }
  const part = document.querySelector("[data-refresh]");
  if (part) part.dispatchEvent(new CustomEvent("refresh", { bubbles: false }));
  else void fetchBadges();
}

/** @param {Event} event */
const replacesMain = (event) => /** @type {CustomEvent} */ (event).detail.target?.matches("main");

/** @param {Event} event */
const replacesNews = (event) => /** @type {CustomEvent} */ (event).detail.target?.matches("main, [data-refresh]");

/** Whether a request came from here, and not from a button. @param {CustomEvent} event */
const isAutomatic = (event) => event.detail.requestConfig?.triggeringEvent?.type === "refresh";

/** The last event that the content includes. */
const shownEvent = () => Number(document.querySelector("main [data-from]")?.getAttribute("data-from") ?? 0);

/** Whether a newer answer is shown already. @param {CustomEvent} event */
function isOlder(event) {
  const match = /\bdata-from="(\d+)"/u.exec(event.detail.serverResponse);
  return replacesMain(event) && match !== null && Number(match[1]) < shownEvent();
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent) || !isAutomatic(event)) return;
  if (isOlder(event)) {
    event.detail.shouldSwap = false;
    return;
  }
  const busy = event.detail.xhr.status === 429 || event.detail.xhr.status >= 500;
  if (!busy && !isPressed()) return;
  event.detail.shouldSwap = false;
  if (busy) setTimeout(refresh, backoff(1));
  else refresh();
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (!replacesNews(event)) return;
  inFlight += 1;
  // Not htmx:afterRequest: it is lost where another answer has removed the element that sent the request.
  /** @type {CustomEvent} */ (event).detail.xhr.addEventListener("loadend", requestEnded, { once: true });
});

/** A request has ended, with or without an answer; reload if the content lacks an event that came meanwhile. */
function requestEnded() {
  inFlight -= 1;
  if (inFlight || !latestEvent) return;
  const isStale = latestEvent > shownEvent();
  latestEvent = 0;
  if (isStale) refresh();
}

document.addEventListener("htmx:afterSwap", () => {
  connect();
  showBadgesOfContent();
});
// Failed requests are repeated: after a while, and when the network is back.
document.addEventListener("htmx:sendError", () => setTimeout(refresh, backoff(0)));
globalThis.addEventListener("online", reopen);
globalThis.addEventListener("pagehide", disconnect);
globalThis.addEventListener("pageshow", connect);
connect();
