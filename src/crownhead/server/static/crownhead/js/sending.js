// Sends the moves of a live game without leaving the page. A move is shown at once; while the connection is away it is
// kept, over a reload too, and sent again with the same version, which the server answers twice alike.
// @ts-check

import { readStored, store } from "./browser_storage.js";
import { noteUnsent } from "./connection.js";
import { noteAnswered, refresh } from "./live.js";
import { postMove, reason } from "./move_request.js";
import { backoff, isBusy } from "./time_left.js";

/** @typedef {{game: string, address: string, version: number, move: string}} Unsent */

const TELLING = 2000; // milliseconds in which the stream reports a move that the server took

/** The key under which this tab keeps the move of a game. @param {string} game */
const keyOf = (game) => `crownhead:unsent:${game}`;

/** @type {Unsent | undefined} */
let unsent;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;

/** What shows moves; it is loaded when the page is at leisure. @returns {Promise<typeof import("./game_news.js")>} */
const showing = async () => await import("./game_news.js");

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-sends]")) return;
  event.preventDefault();
  const page = form.closest("[data-game]");
  const sent = new FormData(form);
  const [move, version] = [String(sent.get("move") ?? "").trim(), Number(sent.get("version"))];
  if (!page || !move || (unsent && unsent.version >= version)) return;
  unsent = { game: page.getAttribute("data-game") ?? "", address: form.dataset.sends ?? "", version, move };
  store(keyOf(unsent.game), unsent, "sessionStorage");
  failures = 0;
  void send();
  void showing().then(({ showSent }) => showSent(page, move));
});

async function send() {
  clearTimeout(again);
  const sent = unsent;
  if (!sent) return;
  try {
    const answer = await postMove(sent.address, sent);
    if (unsent === sent) await answered(sent, answer);
  } catch {
    if (unsent === sent) keep();
  }
}

/** @param {Unsent} sent @param {Response} answer */
async function answered(sent, answer) {
  if (isBusy(answer)) return keep();
  if (answer.status === 401) return location.reload(); // signed out: it waits for who made it
  forget();
  if (answer.ok) setTimeout(() => isShown(sent) || showGame(sent), TELLING);
  else await refused(sent, answer);
}

/** The move waits until the server can be reached. */
function keep() {
  noteUnsent("live", true);
  again = setTimeout(send, backoff(failures++) / 4);
}

/** Show the game as the server has it. @param {Unsent} sent */
function showGame({ game }) {
  noteAnswered(game);
  refresh();
}

/** The game goes on without it: show how it stands, and why. @param {Unsent} sent @param {Response} answer */
async function refused(sent, answer) {
  const why = await reason(answer);
  const isTyping = document.activeElement?.matches("[data-move], [data-waiting] input");
  const showReason = () => {
    const field = isTyping && document.querySelector("main [data-move]");
    if (field instanceof HTMLElement) field.focus();
    for (const line of document.querySelectorAll("main [data-hint], [data-announcer]")) line.textContent = why;
  };
  document.addEventListener("htmx:afterSettle", showReason, { once: true });
  showGame(sent);
}

function forget() {
  if (unsent) store(keyOf(unsent.game), undefined, "sessionStorage");
  unsent = undefined;
  clearTimeout(again);
  noteUnsent("live", false);
}

/** Whether the page shows that the server has the move. @param {Unsent} sent */
function isShown({ game, version }) {
  const page = document.querySelector("main [data-game]");
  if (page?.getAttribute("data-game") !== game) return true;
  return pageVersion() > version;
}

/** The version of the game that the page shows. */
function pageVersion() {
  const field = document.querySelector("form[data-sends] [name='version']");
  return field instanceof HTMLInputElement ? Number(field.value) : Infinity;
}

/** A move that the page before could not send, if the game still waits for it. */
function takeUp() {
  const game = document.querySelector("main [data-game][data-seat]")?.getAttribute("data-game");
  const stored = game ? readStored(keyOf(game), "sessionStorage") : undefined;
  if (!game || !stored) return;
  if (isShown(stored)) return store(keyOf(game), undefined, "sessionStorage");
  unsent = stored;
  void send();
}

const sendNow = () => {
  failures = 0;
  void send();
};
globalThis.addEventListener("online", sendNow);
document.addEventListener("stream-open", sendNow);
// The stream, or another tab, may tell that the server has it before the server's answer is here.
for (const name of ["game-moved", "htmx:afterSwap"]) {
  document.addEventListener(name, () => {
    if (unsent && isShown(unsent)) forget();
  });
}
takeUp();
