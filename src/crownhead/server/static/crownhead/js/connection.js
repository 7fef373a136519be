// Says at once that the connection is lost, and when it is back: the stream was cut, the device is offline, or a move
// did not reach the server.
// @ts-check

const PATIENCE = 1500; // milliseconds in which a stream that ended may be open again without a word

let streamIsOpen = true;
/** Whose moves wait: those of the live game, or those that are kept. @type {Set<"live" | "kept">} */
const unsent = new Set();
let outcome = ""; // what became of moves that were kept
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** The line that says so; it stands outside of what is replaced. */
const place = () => document.querySelector("[data-connection-lost]");

function show() {
  clearTimeout(timer);
  timer = undefined;
  const lost = !navigator.onLine || !streamIsOpen || unsent.size > 0;
  document.documentElement.toggleAttribute("data-offline", lost);
  const line = place();
  if (!line) return;
  const text = line.getAttribute(unsent.size ? "data-unsent" : "data-connection-lost") ?? "";
  if (lost && line.textContent !== text) line.textContent = text;
  if (!lost) line.textContent = outcome;
}

/** The stream was opened, or was cut. @param {boolean} isOpen */
export function noteStream(isOpen) {
  if (isOpen === streamIsOpen) return;
  streamIsOpen = isOpen;
  if (isOpen) show();
  else timer ??= setTimeout(show, PATIENCE);
}

/** A move waits for the connection, or has reached the server. @param {"live" | "kept"} whose @param {boolean} waits */
export function noteUnsent(whose, waits) {
  if (waits) unsent.add(whose);
  else unsent.delete(whose);
  show();
}

/** Announce what became of moves that were kept, as long as the page is there. @param {"sent" | "refused"} what @param {string} [details] */
export function announce(what, details = "") {
  outcome = [place()?.getAttribute(`data-${what}`), details].join(" ").trim();
  show();
}

globalThis.addEventListener("offline", show);
globalThis.addEventListener("online", show);
if (!navigator.onLine) show();
