// Listens to the club's event stream and asks for the part of the page that has changed.
// @ts-check

import { isPressed, whenReleased } from "./press.js";

const LATER = 5000; // milliseconds after which a club that has no answer is asked again

/** @type {EventSource | undefined} */
let source;
let listeningTo = "";
let interrupted = false;

/** Listen to what this page is about; a page about nothing closes the stream. */
function listen() {
  const place = document.querySelector("main [data-stream]") ?? document.body;
  const address = place.getAttribute("data-stream") ?? "";
  if (address === listeningTo) return;
  stop();
  if (!address) return;
  listeningTo = address;
  source = new EventSource(`${address}${address.includes("?") ? "&" : "?"}last_event_id=${place.getAttribute("data-from")}`);
  for (const kind of ["game", "me", "notice", "tournament", "analysis"]) source.addEventListener(kind, heard);
  source.addEventListener("reload", refresh);
  source.addEventListener("error", () => {
    interrupted = true;
    if (source?.readyState === EventSource.CLOSED) setTimeout(again, LATER);
  });
  source.addEventListener("open", () => {
    if (interrupted) refresh();
    interrupted = false;
  });
}

function stop() {
  source?.close();
  source = undefined;
  listeningTo = "";
}

/** The browser has given the stream up, because the server answered with an error. */
function again() {
  stop();
  listen();
}

/** How many answers that will replace the content are under way. */
let underWay = 0;
/** The last event that was heard meanwhile: the answer may tell of it already; infinite to ask again anyhow. */
let held = 0;

/** Something has changed; several events at once are one change. @param {MessageEvent} event */
function heard(event) {
  if (underWay) held = Math.max(held, Number(event.lastEventId));
  else refresh();
}

/** Ask for the part of the page that may have changed; what is being pressed stays until it is let go. */
export const refresh = () => whenReleased(ask);

function ask() {
  if (underWay) {
    held = Infinity; // what asks now may be gone when the answer is there, and its question with it
    return;
  }
  const part = document.querySelector("[data-refresh]");
  if (part) part.dispatchEvent(new CustomEvent("refresh", { bubbles: false }));
  else void showBadges();
}

/** @param {Event} event */
const replaces = (event) => /** @type {CustomEvent} */ (event).detail.target?.matches("main");

/** An answer to a question that nobody pressed a button for. @param {CustomEvent} event */
const unasked = (event) => event.detail.requestConfig?.triggeringEvent?.type === "refresh";

/** The last event that the content tells of. */
const shown = () => Number(document.querySelector("main [data-from]")?.getAttribute("data-from") ?? 0);

/** An answer that another has overtaken: it tells of less than the page does. @param {CustomEvent} event */
function isOlder(event) {
  const place = /\bdata-from="(\d+)"/u.exec(event.detail.serverResponse);
  return replaces(event) && place !== null && Number(place[1]) < shown();
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent) || !unasked(event)) return;
  if (isOlder(event)) {
    event.detail.shouldSwap = false;
    return;
  }
  const busy = event.detail.xhr.status === 429 || event.detail.xhr.status >= 500;
  if (!busy && !isPressed()) return;
  event.detail.shouldSwap = false;
  if (busy) setTimeout(refresh, LATER);
  else refresh();
});

document.addEventListener("htmx:beforeSend", (event) => {
  if (!replaces(event)) return;
  underWay += 1;
  // Not htmx:afterRequest: where another answer took the element away that asked, nobody would hear of it.
  /** @type {CustomEvent} */ (event).detail.xhr.addEventListener("loadend", answered, { once: true });
});

/** An answer is there, or none will come; what was heard meanwhile is asked for if the content does not tell of it. */
function answered() {
  underWay -= 1;
  if (underWay || !held) return;
  const late = held > shown();
  held = 0;
  if (late) refresh();
}

/** Ask what waits, for pages that show nothing else that changes. */
async function showBadges() {
  const address = document.body.getAttribute("data-badges");
  if (!address) return;
  const answer = await fetch(address);
  if (!answer.ok) return;
  for (const [name, count] of Object.entries(await answer.json())) show(name, Number(count));
}

/** The number beside a link of the menu, and that of games on turn in the title too. @param {string} name @param {number} count */
function show(name, count) {
  for (const badge of document.querySelectorAll(`[data-badge="${CSS.escape(name)}"]`)) {
    badge.toggleAttribute("hidden", count === 0);
    const number = badge.querySelector("b");
    if (number) number.textContent = count > 99 ? "99+" : String(count);
  }
  if (name !== "on_turn") return;
  const title = document.title.replace(/^\(\d+\) /u, "");
  document.title = count ? `(${count}) ${title}` : title;
}

document.addEventListener("htmx:afterSwap", () => {
  listen();
  for (const told of document.querySelectorAll("data[data-now]")) {
    if (told instanceof HTMLDataElement) show(told.dataset.now ?? "", Number(told.value));
  }
});
// What could not be fetched is asked for again: in a while, and when the network is back.
document.addEventListener("htmx:sendError", () => setTimeout(refresh, 2000));
globalThis.addEventListener("online", refresh);
globalThis.addEventListener("pagehide", stop);
globalThis.addEventListener("pageshow", listen);
listen();
