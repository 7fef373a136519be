// Listens to the server's event stream and reloads the part of the page that has changed.
// @ts-check

import { fetchBadges, showBadgesOfContent } from "./badges.js";
import { isPressed, whenReleased } from "./press_state.js";

const RETRY = 5000; // milliseconds until a server that did not answer is asked again

/** @type {EventSource | undefined} */
let source;
let connectedTo = "";
let interrupted = false;

/** Connect to the stream that this page names; a page that names none closes the stream. */
function connect() {
  const place = document.querySelector("main [data-stream]") ?? document.body;
  const address = place.getAttribute("data-stream") ?? "";
  if (address === connectedTo) return;
  disconnect();
  if (!address) return;
  connectedTo = address;
  source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}last_event_id=${place.getAttribute("data-from")}`);
  for (const kind of ["game", "me", "notice", "tournament", "analysis"]) source.addEventListener(kind, onEvent);
  source.addEventListener("reload", refresh);
  source.addEventListener("error", () => {
    interrupted = true;
    if (source?.readyState === EventSource.CLOSED) setTimeout(reconnect, RETRY);
  });
  source.addEventListener("open", () => {
    if (interrupted) refresh();
    interrupted = false;
  });
}

function disconnect() {
  source?.close();
  source = undefined;
  connectedTo = "";
}

/** The browser has given the stream up, because the server answered with an error. */
function reconnect() {
  disconnect();
  connect();
}

/** How many requests that will replace the content are in flight. */
let inFlight = 0;
/** The last event that came meanwhile, which the answer may include already; infinite to reload in any case. */
let latestEvent = 0;

/** Something has changed; several events at once are one change. @param {MessageEvent} event */
function onEvent(event) {
  if (inFlight) latestEvent = Math.max(latestEvent, Number(event.lastEventId));
  else refresh();
}

/** Reload the part of the page that may have changed, but not while something is pressed. */
export const refresh = () => whenReleased(reload);

function reload() {
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
  if (busy) setTimeout(refresh, RETRY);
  else refresh();
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (!replacesMain(event)) return;
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
document.addEventListener("htmx:sendError", () => setTimeout(refresh, 2000));
globalThis.addEventListener("online", refresh);
globalThis.addEventListener("pagehide", disconnect);
globalThis.addEventListener("pageshow", connect);
connect();
