// The page around a board: the move field, the submit bar, the move list, the buttons and the keyboard shortcuts.
// It listens on the document, because the content is replaced whenever the game goes on.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { ANYWHERE, STEPS } from "./board/keyboard.js";
import { setting } from "./board/settings.js";
import { renameSquares, squareRenamer } from "./board/square_names.js";
import { countLost } from "./board/position.js";
import { fenAt, sentenceAt } from "./board/told.js";
import { showPanel } from "./menu.js";

/** The part of the page that belongs to a board. @param {EventTarget | null} target */
function scopeOf(target) {
  return target instanceof Element ? target.closest("[data-scope]") : null;
}

/** @param {ParentNode | null} scope @returns {CheckersBoard | null} */
function boardIn(scope) {
  const board = scope?.querySelector("checkers-board");
  return board instanceof CheckersBoard ? board : null;
}

/** @param {ParentNode | null} scope */
function fieldIn(scope) {
  const field = scope?.querySelector("[data-move]");
  return field instanceof HTMLInputElement ? field : null;
}

/** @param {ParentNode | null} scope @param {string} text */
function showHint(scope, text) {
  const line = scope?.querySelector("[data-hint]");
  if (line) line.textContent = text;
}

// ------------------------------------------------------------------------------------------ events of the board
document.addEventListener("board-choice", (event) => {
  const scope = scopeOf(event.target);
  const { notation, path, atOnce } = /** @type {CustomEvent} */ (event).detail;
  const field = fieldIn(scope);
  if (field) field.value = notation;
  if (!notation) showHint(scope, "");
  if (!notation || !atOnce || !(event.target instanceof Element)) return;
  const form = scope?.querySelector("form[data-sends], form[data-at-once]");
  if (form instanceof HTMLFormElement) form.requestSubmit();
  else submitPath(event.target, path);
});

/** List the moves with the chosen names of squares. */
function renameListedSquares() {
  const board = boardIn(document);
  if (board) renameSquares(document, squareRenamer(board.squares, setting("names")));
}

document.addEventListener("board-ready", renameListedSquares);
document.addEventListener("board-setting", renameListedSquares);

document.addEventListener("board-hint", (event) => {
  showHint(scopeOf(event.target), /** @type {CustomEvent} */ (event).detail.text);
});

document.addEventListener("board-ply", (event) => {
  const board = event.target;
  if (board instanceof CheckersBoard && !board.laws) followPly(board, /** @type {CustomEvent} */ (event).detail.ply);
});

/**
 * Submit a move that is played at once, by the button of its last square with the whole path as its value. All have it:
 * htmx takes the button that was clicked last for the one that submits, and a capture may have gone on from there.
 * @param {Element} board
 * @param {number[]} path
 */
function submitPath(board, path) {
  for (const square of board.querySelectorAll("button[data-square]")) square.setAttribute("value", path.join("-"));
  const last = board.querySelector(`button[data-square="${path[path.length - 1]}"]`);
  if (last instanceof HTMLButtonElement) last.form?.requestSubmit(last);
}

// Links to a position of the game: those of the list of moves, of which there are many, say so only by their address.
const TO_PLY = "a[data-ply], [data-list] a[href^='?ply=']";

/** The ply that a link leads to, or a step from the current one. @param {Element} link */
function whereTo(link) {
  return link.getAttribute("data-ply") ?? new URLSearchParams(link.getAttribute("href") ?? "").get("ply") ?? "";
}

/** Update the move list, the captured pieces and the address to the position shown. @param {CheckersBoard} board @param {number} ply */
function followPly(board, ply) {
  const scope = scopeOf(board);
  const latest = ply === board.lastPly;
  for (const link of scope?.querySelectorAll(TO_PLY) ?? []) {
    const isCurrent = Number(whereTo(link)) === ply;
    if (isCurrent && link.closest("[data-list]")) {
      link.setAttribute("aria-current", "true");
      showInList(link);
    } else link.removeAttribute("aria-current");
  }
  scope?.toggleAttribute("data-browsing", !latest);
  for (const taken of scope?.querySelectorAll("[data-taken]") ?? []) {
    const colour = taken.getAttribute("data-taken") === "black" ? "black" : "white";
    showTaken(taken, countLost(board.positions[0], board.positions[ply], colour));
  }
  for (const copy of scope?.querySelectorAll("[data-copy]") ?? []) copy.setAttribute("data-copy", fenAt(board, ply));
  const address = new URL(location.href);
  address.searchParams.delete("at");
  if (latest) address.searchParams.delete("ply");
  else address.searchParams.set("ply", String(ply));
  history.replaceState(history.state, "", address);
}

/** Scroll the list, and not the page, to a move. @param {Element} link */
function showInList(link) {
  const list = link.closest("[data-list]");
  const line = link.closest("li, tr");
  if (!(list instanceof HTMLElement) || !line) return;
  list.scrollTop += line.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

/** @param {Element} place @param {number} count */
function showTaken(place, count) {
  const number = place.querySelector("[data-count]");
  if (number) number.textContent = count ? `×${count}` : "";
  place.querySelectorAll("svg").forEach((piece, index) => piece.toggleAttribute("data-gone", index < count));
}

// ------------------------------------------------------------------------------------------ input
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.matches("[data-move]")) return;
  boardIn(scopeOf(field))?.choose(field.value);
});

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const board = boardIn(scopeOf(target));
  const link = target?.closest(TO_PLY);
  if (link && board && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    board.show(targetPly(board, whereTo(link)));
    return;
  }
  const name = target?.closest("[data-action]")?.getAttribute("data-action");
  const action = name ? ACTIONS[name] : undefined;
  if (action && target) {
    event.preventDefault();
    action(board, target);
  }
});

/** @type {Record<string, (board: CheckersBoard | null, target: Element) => void>} */
const ACTIONS = {
  flip: (board) => board?.flip(),
  cancel: (board) => {
    board?.cancel();
    const field = fieldIn(scopeOf(board));
    if (field) field.value = "";
  },
  copy: (board, target) => {
    const button = target.closest("[data-copy]");
    const text = button?.getAttribute("data-copy") ?? "";
    void navigator.clipboard?.writeText(text).then(() => board?.hint(board.words.copied));
  },
  link: (board, target) => {
    const address = target.closest("[data-link]")?.getAttribute("data-link") || location.href;
    void navigator.clipboard?.writeText(new URL(address, location.href).href).then(() => board?.hint(board.words.copied));
  },
  keys: () => showPanel("keys"),
  settings: () => showPanel("settings"),
  close: (_board, target) => target.closest("dialog")?.hidePopover(),
};

/** The ply that a link leads to: a number, or a step from the current one. @param {CheckersBoard} board @param {string} where */
function targetPly(board, where) {
  if (where === "back") return board.ply - 1;
  if (where === "forward") return board.ply + 1;
  if (where === "first") return 0;
  return where === "last" ? board.lastPly : Number(where);
}

/** Keyboard shortcuts, wherever the focus is except in a field. @type {Record<string, (board: CheckersBoard) => void>} */
const KEYS = {
  ...ANYWHERE,
  ...STEPS,
  "?": () => showPanel("keys"),
  "/": (board) => fieldIn(scopeOf(board))?.focus(),
};

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const board = boardIn(document);
  if (!board || event.ctrlKey || event.metaKey || event.altKey || target?.closest("dialog")) return;
  const typing = target?.matches("input, select, textarea") && event.key !== "Escape";
  const shortcut = typing ? undefined : KEYS[event.key];
  if (!shortcut) return;
  if (event.key !== "Escape") event.preventDefault();
  shortcut(board);
});

/** Pressing a button beside a typed move leaves the focus in its field: without it the bar moves from under the finger. */
document.addEventListener("mousedown", (event) => {
  const bar = event.target instanceof Element && event.target.closest("button, a")?.closest("form.submit-bar");
  const field = document.activeElement;
  if (bar && bar.contains(field) && field?.matches("[data-move]")) event.preventDefault();
});

// ------------------------------------------------------------------------- replaced content
/** How a control is found in new content: by its attributes; by its words where it has none. @typedef {{selector: string, words: string}} Control */

/**
 * What to restore after the content was replaced.
 * @type {{focused?: Control, isLost?: boolean, ply?: number, typed?: string}}
 */
let before = {};

const MARKS = ["id", "href", "name", "data-action", "data-keep", "data-tab", "popovertarget", "popovertargetaction", "aria-label"];

/** @param {Element | null} element @returns {Control | undefined} */
function describe(element) {
  if (!element?.closest("main")) return undefined;
  const marks = element.matches("button, [type='radio'], [type='checkbox']") ? [...MARKS, "value"] : MARKS;
  const present = (element.matches("[data-square]") ? ["data-square"] : marks).filter((name) => element.hasAttribute(name));
  const selectorOf = (/** @type {Element} */ one, /** @type {string[]} */ names) =>
    one.localName + names.map((name) => `[${name}="${CSS.escape(one.getAttribute(name) ?? "")}"]`).join("");
  const words = present.length ? "" : wordsOf(element);
  if (!present.length && !words) return undefined;
  const section = element.closest("details[data-keep]");
  const inside = section ? `${selectorOf(section, ["data-keep"])} ` : "";
  return { selector: `main ${inside}${selectorOf(element, present)}`, words };
}

/** @param {Element} element */
const wordsOf = (element) => (element.textContent ?? "").trim();

/** @param {Control} control */
function find({ selector, words }) {
  return [...document.querySelectorAll(selector)].find((element) => !words || wordsOf(element) === words);
}

/** Announce what happened in a live region that is not replaced: a replaced one would stay silent. */
function announce() {
  const board = boardIn(document);
  const announcement = document.querySelector("[data-announce]")?.textContent ?? "";
  const text = board?.lastPly ? announcement.replace(sentenceAt(board, board.lastPly), board.sentence(board.lastPly)) : announcement;
  const announcer = document.querySelector("[data-announcer]");
  if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
}

/** Move the focus to what came of a button that is gone now, as after resigning. */
function focusStatus() {
  const status = document.querySelector("main .standing .status");
  if (!(status instanceof HTMLElement)) return;
  status.tabIndex = -1;
  status.focus({ preventScroll: true });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig } = /** @type {CustomEvent} */ (event).detail;
  const focused = document.activeElement;
  const board = boardIn(document);
  const field = fieldIn(document);
  before = {
    focused: describe(focused),
    // A tap does not focus a button everywhere.
    isLost: Boolean(focused?.closest("main")) || requestConfig?.triggeringEvent instanceof SubmitEvent,
    ply: board && board.ply < board.lastPly ? board.ply : undefined,
    typed: field && field === focused ? field.value : undefined,
  };
});

function showCurrent() {
  const link = document.querySelector("[data-list] a[aria-current]");
  if (link) showInList(link);
}

/** Send a premove of a live game as soon as it is legal. */
function sendDuePremove() {
  if (boardIn(document)?.takeDuePremove()) fieldIn(document)?.form?.requestSubmit();
}

showCurrent();
document.addEventListener("game-moved", () => {
  renameListedSquares();
  showCurrent();
  announce();
  sendDuePremove();
});
document.addEventListener("htmx:afterSettle", sendDuePremove);
document.addEventListener("htmx:load", sendDuePremove, { once: true });
document.addEventListener("htmx:afterSwap", () => {
  showCurrent();
  announce();
  const board = boardIn(document);
  const field = fieldIn(document);
  if (board && before.ply !== undefined) board.show(before.ply);
  if (field && before.typed !== undefined) {
    field.value = before.typed;
    board?.choose(before.typed);
  }
  const again = before.focused && find(before.focused);
  const square = again?.getAttribute("data-square");
  if (board && square) board.focusSquare(Number(square), { move: true });
  else if (again instanceof HTMLElement) again.focus();
  if (before.isLost && document.activeElement === document.body) focusStatus();
});
