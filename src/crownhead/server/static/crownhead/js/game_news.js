// Shows a move that the event stream reports: board, move list, clocks and turn, without asking for the page again.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { phrase } from "./board/labels.js";
import { fenAt, sentenceAt } from "./board/told.js";
import { rowsAfter } from "./game_texts.js";
import { addPly } from "./move_list.js";
import { whenReleased } from "./press_state.js";
import { showSmallMove } from "./small_boards.js";
import { HOUR, formatTimeLeft, timeLeftInWords } from "./time_left.js";

/** @typedef {import("./board/moves.js").Move} Move */

/**
 * What the page knows besides what it shows, see `_news_data` in `presenters/game.py`.
 * @typedef {object} Known
 * @property {number} version
 * @property {boolean} startsLate  the side that begins the variant did not make the first move
 * @property {string} seat  of the person looking, if they play
 * @property {Record<string, "first" | "second">} seats  by colour
 * @property {Record<string, string>} turns  what is said when a colour is to move
 * @property {string} left
 * @property {string} moment
 */

/**
 * A move as the stream tells it, see `docs/api.md`; `may`, `legal` and `barred` are told to players.
 * @typedef {Omit<Move, "notation"> & {ply: number, notation: string, crowned: boolean, colour: string, to_move: string | null,
 *   fen: string, time_left: Record<string, number>, waits: number, deadline: string | null, complete: boolean, may?: string[],
 *   legal?: Move[], barred?: number}} PlayedMove
 */

/** @typedef {{id: string, version: number, status: string, turn: string | null, move?: PlayedMove, age?: number,
 *   presence?: Record<string, string | null>}} News */

/**
 * What is still to be done about an event: nothing, ask for the numbers of the menu, or for the page.
 * @typedef {"nothing" | "badges" | "page"} Rest
 */

/** Show what an event tells. @param {string} kind @param {News} news @returns {Rest} */
export function showNews(kind, news) {
  const small = document.querySelector(`main [data-small-board="${CSS.escape(news.id ?? "")}"]`);
  if (small && showSmallMove(small, news)) return kind === "me" ? "badges" : "nothing";
  const page = document.querySelector("main [data-game]");
  if (!page) return "page";
  if (kind === "notice") return "badges";
  const known = readKnown(page);
  if (news.id !== page.getAttribute("data-game")) {
    const mayBeRematch = !known && news.status === "waiting"; // offered to those who look at the game that is over
    return kind === "me" && !mayBeRematch ? "badges" : "page"; // other games don't disturb
  }
  if (!known) return "page";
  if (news.presence) {
    showPresence(page, known, news.presence);
    return "nothing";
  }
  if (known.seat && kind === "game") return "nothing"; // it is told to the players as well, with more
  if (!news.move) return "page";
  if (news.version <= known.version) return "nothing";
  if (!showMove(page, known, news, news.move)) return "page";
  return known.seat ? "badges" : "nothing";
}

/** @param {Element | null} page @returns {Known | undefined} */
function readKnown(page) {
  const source = page?.querySelector("script#news");
  return source?.textContent ? JSON.parse(source.textContent) : undefined;
}

/** Whether everything is shown with the move that there is to show. @param {Element} page @param {Known} known @param {News} news @param {PlayedMove} move */
function showMove(page, known, news, move) {
  const board = page.querySelector("checkers-board");
  if (!(board instanceof CheckersBoard) || !board.squares.length) return false;
  const isSent = page.hasAttribute("data-sent") && move.ply === board.lastPly;
  if (news.version !== known.version + 1 || (!isSent && move.ply !== board.lastPly + 1)) return false;
  const { path, captures, kinds, notation } = move;
  if (isSent && !confirmSent(page, board, { path, notation, fen: move.fen })) return false;
  if (!isSent) {
    addToList(page, known, move.ply, notation);
    board.advance({ path, captures, kinds }, { fen: move.fen, legal: move.legal ?? [], barred: move.barred ?? 0 });
  }
  const mine = known.seat !== "" && known.seat === news.turn;
  const source = page.querySelector("script#news");
  if (source) source.textContent = JSON.stringify({ ...known, version: news.version });
  const sentence = sentenceAt(board, board.lastPly);
  if (move.to_move) showTurn(page, known, { ...move, to_move: move.to_move }, { mine, version: news.version, age: news.age ?? 0, sentence });
  document.dispatchEvent(new CustomEvent("game-moved"));
  if (known.seat) whenReleased(() => showRights(page, move.may ?? []));
  return move.complete && !page.querySelector(".standing .remark, [data-panel='plan'] .branches");
}

/**
 * Show the reader's own move before the server has answered. @param {Element} page @param {string} notation
 * @returns {boolean} whether there was one to show
 */
export function showSent(page, notation) {
  const known = readKnown(page);
  const board = page.querySelector("checkers-board");
  if (!known || !(board instanceof CheckersBoard) || !board.chosen) return false;
  const written = board.moves.find((move) => move.notation === board.chosen?.notation); // the first of its routes
  const { path, captures, kinds } = written ?? board.chosen;
  const theirs = Object.keys(known.seats).find((colour) => known.seats[colour] !== known.seat) ?? "";
  addToList(page, known, board.lastPly + 1, notation);
  page.setAttribute("data-sent", "");
  board.advance({ path, captures, kinds }, { fen: "", legal: [], barred: 0 });
  page.querySelector(".standing")?.setAttribute("data-turn", "");
  write(page, ".status strong", known.turns[theirs] ?? "");
  showBars(page, { mine: false, version: known.version, status: known.turns[theirs] ?? "" });
  document.dispatchEvent(new CustomEvent("move-sent"));
  return true;
}

/** @param {Element} page @param {CheckersBoard} board @param {{path: number[], notation: string, fen: string}} told */
function confirmSent(page, board, { path, notation, fen }) {
  const shown = board.data.record[board.lastPly - 1];
  page.removeAttribute("data-sent");
  if (shown?.path.join() !== path.join()) return false;
  board.confirm(fen);
  const link = page.querySelector(`[data-list] a[href="?ply=${board.lastPly}"]`);
  if (link) link.textContent = notation;
  for (const copy of page.querySelectorAll("[data-copy]")) copy.setAttribute("data-copy", fenAt(board, board.ply));
  return true;
}

/** @param {Element} page @param {Known} known @param {number} ply @param {string} notation */
function addToList(page, known, ply, notation) {
  addPly(page.querySelector("[data-list]") ?? newList(page), ply, notation, known.startsLate);
}

/** @param {Element} page */
function newList(page) {
  const list = document.createElement("ol");
  list.className = "plies";
  for (const name of ["data-list", "data-moves"]) list.setAttribute(name, "");
  page.querySelector("[data-panel='moves'] .empty")?.replaceWith(list);
  return list;
}

/**
 * @param {Element} page
 * @param {Known} known
 * @param {PlayedMove & {to_move: string}} move
 * @param {{mine: boolean, version: number, age: number, sentence: string}} turn  `age`: milliseconds since the move
 */
function showTurn(page, known, move, { mine, version, age, sentence }) {
  const standing = page.querySelector(".standing");
  const status = known.turns[move.to_move] ?? "";
  const waits = Math.max(0, move.waits - age); // for a first move
  const left = Math.max(0, (move.time_left[known.seats[move.to_move]] ?? 0) - Math.max(0, age - move.waits));
  standing?.setAttribute("data-turn", mine ? "mine" : "");
  write(page, ".status strong", status);
  writeNumber(page, rowsAfter(move.ply + 1, known.startsLate).number);
  write(page, "[data-hint]", "");
  const time = mine ? phrase({ left: known.left }, "left", { time: timeText(left, known.moment) }) : "";
  write(page, "[data-announce]", [sentence, status, time].filter(Boolean).join(" "));
  showBars(page, { mine, version, status });
  whenReleased(removeRequests);
  for (const strip of page.querySelectorAll(".strip")) {
    const seat = known.seats[strip.getAttribute("data-colour") ?? ""];
    const isNext = seat === known.seats[move.to_move];
    strip.toggleAttribute("data-to-move", isNext);
    showClock(strip, { isNext, left: isNext ? left : move.time_left[seat] ?? 0, waits, moment: known.moment, deadline: move.deadline });
  }
}

/**
 * Say that a player has left, or is back; the other may claim the game after a while.
 * @param {Element} page @param {Known} known @param {Record<string, string | null>} presence  by seat: when it may be claimed
 */
function showPresence(page, known, presence) {
  for (const strip of page.querySelectorAll(".strip")) {
    const seat = known.seats[strip.getAttribute("data-colour") ?? ""];
    if (seat in presence) strip.querySelector("[data-left-game]")?.toggleAttribute("hidden", !presence[seat]);
    if (!(seat in presence) || seat === known.seat) continue;
    const claim = page.querySelector("form[data-abandoned]");
    claim?.setAttribute("hidden", "");
    const at = presence[seat];
    if (at) claim?.setAttribute("data-claim-in", String(Math.max(0, Date.parse(at) - Date.now())));
    else claim?.removeAttribute("data-claim-in");
    document.dispatchEvent(new CustomEvent("claim-changed"));
  }
}

/** A move answers what was asked before it. */
function removeRequests() {
  for (const request of document.querySelectorAll("main form.offer:not([data-abandoned])")) request.remove();
}

/** Show the buttons of what the player may do now. @param {Element} page @param {readonly string[]} may */
function showRights(page, may) {
  for (const button of page.querySelectorAll("[data-may]")) {
    button.toggleAttribute("hidden", !may.includes(button.getAttribute("data-may") ?? ""));
  }
}

/** @param {Element} page @param {string} selector @param {string} text */
function write(page, selector, text) {
  const place = page.querySelector(selector);
  if (place) place.textContent = text;
}

/** The number of the move in a text that the server has translated. @param {Element} page @param {number} number */
function writeNumber(page, number) {
  const place = page.querySelector("[data-move-number]");
  const before = place?.getAttribute("data-move-number");
  if (!place || !before) return;
  place.textContent = (place.textContent ?? "").replace(before, String(number));
  place.setAttribute("data-move-number", String(number));
}

/** The bar for the next move, or the one for waiting. @param {Element} page @param {{mine: boolean, version: number, status: string}} turn */
function showBars(page, { mine, version, status }) {
  const waiting = page.querySelector(".submit-bar[data-waiting]");
  const bar = page.querySelector("form.submit-bar:has([data-move])");
  const isTyping = document.activeElement?.matches("[data-move], [data-waiting] input");
  waiting?.toggleAttribute("hidden", mine);
  bar?.toggleAttribute("hidden", !mine);
  const field = waiting?.querySelector("input");
  if (field) field.value = status;
  const next = isTyping && (mine ? bar?.querySelector("[data-move]") : field);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  const hidden = bar?.querySelector("[name='version']");
  if (hidden instanceof HTMLInputElement) hidden.value = String(version);
}

/** @param {number} left @param {string} moment */
const timeText = (left, moment) => timeLeftInWords(left, document.documentElement.lang, moment);

/** @param {Element} strip @param {{isNext: boolean, left: number, waits: number, moment: string, deadline: string | null}} time */
function showClock(strip, { isNext, left, waits, moment, deadline }) {
  const before = strip.querySelector(".clock");
  const clock = before?.cloneNode(true); // a new one: nothing on the page is to shift when its text gets shorter
  const place = clock instanceof Element ? clock.querySelector(".clock-time") : null;
  if (!before || !(clock instanceof Element) || !place) return;
  const isLive = strip.parentElement?.querySelector("checkers-board[data-pace='live']");
  const inDigits = Boolean(isLive) || (isNext && left < HOUR);
  clock.toggleAttribute("data-idle", !isNext);
  clock.toggleAttribute("data-short", isNext && left < Number(place.getAttribute("data-alarm")));
  place.toggleAttribute("data-ticking", inDigits);
  place.textContent = inDigits ? formatTimeLeft(left) : timeText(left, moment);
  place.removeAttribute("title");
  if (isNext) place.setAttribute("data-left", String(left));
  else place.removeAttribute("data-left");
  place.setAttribute("data-waits", String(isNext ? waits : 0));
  before.replaceWith(clock);
  const until = strip.closest("[data-game]")?.querySelector("time[data-deadline]");
  if (isNext && deadline && until) until.setAttribute("datetime", deadline);
}
