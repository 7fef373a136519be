// Moves with days for them that were made without a connection: kept on the device, and sent from any page when it is back.
// @ts-check

import { readStored, store } from "./browser_storage.js";
import { announce, noteUnsent } from "./connection.js";
import { refresh } from "./live.js";
import { isBusy, postMove, reason } from "./move_request.js";

/** @typedef {{game: string, title: string, address: string, version: number, move: string, message: string, made: number}} KeptMove */

const KEY = "crownhead:kept-moves";
const LONGEST = 30 * 24 * 60 * 60 * 1000; // milliseconds; by then no game waits for it

let isSending = false;

/** @returns {KeptMove[]} */
function keptMoves() {
  const stored = readStored(KEY);
  return Array.isArray(stored) ? stored.filter(({ made }) => Date.now() - made < LONGEST) : [];
}

/** @param {KeptMove[]} moves @returns {boolean} whether they are kept */
const keepAll = (moves) => store(KEY, moves.length ? moves : undefined);

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
  };
  if (!keepAll([...keptMoves().filter((other) => other.game !== game), made])) return;
  noteUnsent("kept", true);
  void showing().then(({ showSent }) => showSent(page, move), () => undefined);
}

/** What became of a move: it was sent, is kept on, or was refused for a reason. @param {KeptMove} move @returns {Promise<{was: "sent" | "kept" | "refused", why: string}>} */
async function send(move) {
  try {
    const answer = await postMove(move.address, move);
    const isSignedOut = answer.status === 401 || answer.status === 403; // or the token is one of before
    if (isBusy(answer) || isSignedOut) return { was: "kept", why: "" };
    forget(move);
    return answer.ok ? { was: "sent", why: "" } : { was: "refused", why: `${move.title}: ${await reason(answer)}` };
  } catch {
    return { was: "kept", why: "" }; // no connection yet
  }
}

/** Send what is kept; what cannot be sent now is tried again with the next page or connection. */
async function sendKept() {
  const waiting = keptMoves();
  if (isSending || !waiting.length) return;
  noteUnsent("kept", true);
  if (!navigator.onLine) return;
  isSending = true;
  const found = await Promise.all(waiting.map(send));
  isSending = false;
  noteUnsent("kept", keptMoves().length > 0);
  const refused = found.filter(({ was }) => was === "refused");
  if (refused.length) announce("refused", refused.map(({ why }) => why).join(" "));
  else if (found.some(({ was }) => was === "sent")) announce("sent");
  if (found.some(({ was }) => was !== "kept")) refresh();
}

// Before htmx hears of it: on the way down.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-sends-later]") || navigator.onLine) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  keep(form);
}, { capture: true });

// The device believes in a connection that it does not have.
document.addEventListener("htmx:sendError", (event) => {
  const form = /** @type {CustomEvent} */ (event).detail.elt;
  if (form instanceof HTMLFormElement && form.matches("[data-sends-later]")) keep(form);
});

// Who uses this browser next sends nothing for somebody else.
document.addEventListener("submit", (event) => {
  if (event.target instanceof HTMLFormElement && event.target.action.endsWith("/logout/")) keepAll([]);
});

globalThis.addEventListener("online", () => void sendKept());
document.addEventListener("stream-open", () => void sendKept());
void sendKept();
