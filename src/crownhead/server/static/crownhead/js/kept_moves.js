// Moves with days for them that were made without a connection: kept on the device, and sent from any page when it is back.
// @ts-check

import { readStored, store } from "./browser_storage.js";
import { announce, noteUnsent } from "./connection.js";
import { noteAnswered, refresh } from "./live.js";
import { postMove, reason } from "./move_request.js";
import { nameOf, readerOf } from "./reader.js";
import { backoff, isBusy } from "./time_left.js";

/** @typedef {{game: string, title: string, address: string, version: number, move: string, message: string, made: number, account?: string, reader?: string}} KeptMove `reader`: a name, of a move that an older version kept */

const KEY = "crownhead:kept-moves";
const LONGEST = 30 * 24 * 60 * 60 * 1000; // milliseconds; by then no game waits for it

let isSending = false;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;

/** @returns {KeptMove[]} */
function keptMoves() {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter(({ made }) => Date.now() - made < LONGEST) : [];
}

/** @param {KeptMove[]} moves @returns {boolean} whether they are kept */
const keepAll = (moves) => store(KEY, moves.length ? moves : undefined);

/** Those of who reads this page: at one browser others may sign in, for whom nothing is sent, shown or forgotten. */
const ownMoves = () => keptMoves().filter(({ account, reader }) =>
  account === undefined ? [undefined, nameOf(document)].includes(reader) : account === readerOf(document)
);

/** Without a move of the same game, if it is the one. @param {KeptMove} move */
function forget(move) {
  keepAll(keptMoves().filter(({ game, version }) => game !== move.game || version !== move.version));
}

/** What shows moves; it is loaded when the page is at leisure. @returns {Promise<typeof import("./game_news.js")>} */
const showing = async () => await import("./game_news.js");

/** Keep the move of a form instead of sending it. @param {HTMLFormElement} form */
function keep(form) {
  const page = form.closest("[data-game]");
  const sent = new FormData(form);
  const [move, version] = [String(sent.get("move") ?? "").trim(), Number(sent.get("version"))];
  const game = page?.getAttribute("data-game");
  if (!page || !game || !move) return;
  const made = {
    game, version, move,
    title: document.title, address: form.dataset.sendsLater ?? "", message: String(sent.get("message") ?? ""), made: Date.now(),
    account: readerOf(document),
  };
  if (!keepAll([...keptMoves().filter((other) => other.game !== game), made])) return;
  noteUnsent("kept", true);
  void showing().then(({ showSent }) => showSent(page, move), () => undefined);
  failures = 0;
  sendLater();
}

/** Try again after a while: the connection may be there, and only the server away. */
function sendLater() {
  clearTimeout(again);
  again = setTimeout(() => void sendKept(), backoff(failures++));
}

/** Why the message with a move was not sent, if it was not. @param {Response} answer @param {string} title */
async function unsent(answer, title) {
  const made = await answer.json().catch(() => ({})); // the move is made, whatever has become of the answer
  return made.message_unsent ? `${title}: ${made.message_unsent}` : "";
}

/** What became of a move: it was sent, waits for the connection or for who made it, or was refused for a reason; or why its message was not sent. @param {KeptMove} move @returns {Promise<{was: "sent" | "waits" | "signed-out" | "refused", why: string}>} */
async function send(move) {
  try {
    const answer = await postMove(move.address, move);
    if (isBusy(answer)) return { was: "waits", why: "" };
    if (answer.status === 401) return { was: "signed-out", why: "" };
    forget(move);
    if (!answer.ok) return { was: "refused", why: `${move.title}: ${await reason(answer)}` };
    return { was: "sent", why: move.message ? await unsent(answer, move.title) : "" };
  } catch {
    return { was: "waits", why: "" }; // no connection yet
  }
}

/** Send what is kept; what cannot be sent now is tried again later, and with the next page or connection. */
async function sendKept() {
  const waiting = ownMoves();
  if (isSending || !waiting.length) return;
  noteUnsent("kept", true);
  if (!navigator.onLine) return;
  isSending = true;
  const found = await Promise.all(waiting.map(send));
  isSending = false;
  const isWaiting = ownMoves().length > found.filter(({ was }) => was === "signed-out").length;
  noteUnsent("kept", isWaiting);
  if (isWaiting) sendLater();
  const refused = found.filter(({ was }) => was === "refused");
  const why = found.map((one) => one.why).join(" ");
  if (refused.length) announce("refused", why);
  else if (found.some(({ was }) => was === "sent")) announce("sent", why);
  const answered = waiting.filter((_move, at) => ["sent", "refused"].includes(found[at].was));
  for (const { game } of answered) noteAnswered(game);
  if (answered.length) refresh();
}

// Before htmx hears of it: on the way down.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-sends-later]") || navigator.onLine) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  keep(form);
}, { capture: true });

/** The form of a move that a request was to send. @param {Event} event */
function formOf(event) {
  const { elt } = /** @type {CustomEvent} */ (event).detail.requestConfig;
  return elt instanceof HTMLFormElement && elt.matches("[data-sends-later]") ? elt : undefined;
}

// The device believes in a connection that it does not have.
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    const form = formOf(event);
    if (form) keep(form);
  });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  const form = formOf(event);
  if (!form || !isBusy(detail.xhr)) return;
  detail.shouldSwap = false;
  keep(form);
});

// Who uses this browser next sends nothing for somebody else.
document.addEventListener("submit", (event) => {
  if (event.target instanceof HTMLFormElement && event.target.action.endsWith("/logout/")) keepAll([]);
});

globalThis.addEventListener("online", () => void sendKept());
document.addEventListener("stream-open", () => void sendKept());
void sendKept();
