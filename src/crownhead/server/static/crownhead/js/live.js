// Listens to the server's event stream: shows what an event tells, or reloads the part of the page that has changed.
// @ts-check

import { fetchBadges, showBadgesOfContent } from "./badges.js";
import { noteStream } from "./connection.js";
import { gameStarted } from "./game_start.js";
import { isPressed, whenReleased } from "./press_state.js";
import { untilItStays } from "./sent_once.js";
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
    if (!document.querySelector("main [data-renewed]")) noteStream(false); // that one goes on without
    // The browser connects again by itself, after a time that the server says, unless the answer was an error.
    if (source?.readyState !== EventSource.CLOSED) return;
    reconnecting = setTimeout(reopen, backoff(failures++));
    void fetchBadges(); // the member may have signed out in another tab
  });
}

function disconnect() {
  clearTimeout(reconnecting);
  source?.close();
  source = undefined;
  connectedTo = "";
  noteStream(true); // nothing is waited for
}

/** Open the stream once more. */
export function reopen() {
  clearTimeout(reconnecting);
  source?.close();
  if (connectedTo) open();
}

/** The requests in flight that will replace the content, or the part of it that is reloaded; whether they change nothing. @type {Map<XMLHttpRequest, boolean>} */
const inFlight = new Map();
/** The last event that came meanwhile, which the answer may include already; infinite to reload in any case. */
let latestEvent = 0;
/** The event that told the last move shown: an answer from before it would take it back. */
let toldEvent = 0;

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
  const news = JSON.parse(event.data);
  const rest = showNews(event.type, news);
  if (news.move) toldEvent = id;
  if (rest === "badges") counting ??= setTimeout(countAgain, TOGETHER);
  if (inFlight.size) latestEvent = Math.max(latestEvent, id);
  else if (rest === "page") refreshWithin(news.spread ?? 0);
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
  const stays = untilItStays(); // what the page shows may be what its form has just deleted
  if (stays > 0) return void (refreshing = setTimeout(refresh, stays));
  if (inFlight.size) {
    latestEvent = Infinity; // the answer may remove the element that would send the request
    return;
  }
  latestEvent = 0; // the answer will include it
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

/** Whether something newer is shown already. @param {CustomEvent} event */
function isOlder(event) {
  const match = /\bdata-from="(\d+)"/u.exec(event.detail.serverResponse);
  return replacesMain(event) && match !== null && Number(match[1]) < Math.max(shownEvent(), toldEvent);
}

/** Whether the reader's own move is shown before the server has answered. */
const isAhead = () => document.querySelector("main [data-sent]") !== null;

/** Whether an answer would take that move back, and a premove with it. @param {CustomEvent} event */
const lacksOwnMove = (event) => isAhead() && /\bdata-turn="mine"/u.test(event.detail.serverResponse);

/** The server has answered to a move of this game: what it says is shown, with the move or without. @param {string} game */
export function noteAnswered(game) {
  document.querySelector(`main [data-game="${CSS.escape(game)}"]`)?.removeAttribute("data-sent");
}

// Of a page that stands alone, as those of failures do, only the content is shown.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (/<main\b/u.test(detail.serverResponse)) detail.selectOverride = "main > *";
});

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent) || !isAutomatic(event)) return;
  if (isOlder(event)) {
    event.detail.shouldSwap = false;
    return;
  }
  if (lacksOwnMove(event)) {
    event.detail.shouldSwap = false;
    latestEvent = Infinity;
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
  const { xhr, target, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  inFlight.set(xhr, requestConfig.verb === "get");
  // Not the events of htmx: they are lost where another answer has removed the element that sent the request.
  xhr.addEventListener("loadend", () => requestEnded(xhr), { once: true });
  // What comes for a part that is gone belongs to what the page showed before.
  target.addEventListener("htmx:beforeSwap", (/** @type {Event} */ swap) => target.isConnected || swap.preventDefault(), { once: true });
});

/** A request has ended; one that failed, or took too long, is repeated after a while. @param {XMLHttpRequest} xhr */
function requestEnded(xhr) {
  inFlight.delete(xhr);
  if (xhr.status) catchUp();
  else setTimeout(refresh, backoff(0));
}

/** Reload if the content lacks an event that came while it could not be replaced. */
function catchUp() {
  if (inFlight.size || isAhead() || !latestEvent) return;
  const isStale = latestEvent > shownEvent();
  latestEvent = 0;
  if (isStale) refresh();
}

document.addEventListener("htmx:afterSwap", () => {
  connect();
  showBadgesOfContent();
});
document.addEventListener("game-moved", catchUp);
globalThis.addEventListener("online", reopen);
globalThis.addEventListener("pagehide", disconnect);
globalThis.addEventListener("pageshow", (event) => {
  const { persisted } = /** @type {PageTransitionEvent} */ (event);
  if (persisted) for (const [xhr, changesNothing] of inFlight) if (changesNothing) xhr.abort(); // no answer comes any more
  connect();
});
connect();
