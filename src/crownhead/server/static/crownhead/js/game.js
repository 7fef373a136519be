// What surrounds a board: the text field, the submit bar, the move list, the buttons and the keys of the page.
// It listens on the document, for the content is replaced whenever the game goes on.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import { ANYWHERE, STEPS } from "./board/keys.js";
import { setting } from "./board/settings.js";
import { respell, speller } from "./board/spelling.js";
import { lost } from "./board/state.js";

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

// ------------------------------------------------------------------------------------------ what the board tells
document.addEventListener("board-choice", (event) => {
  const scope = scopeOf(event.target);
  const { notation, path, atOnce } = /** @type {CustomEvent} */ (event).detail;
  const field = fieldIn(scope);
  if (field) field.value = notation;
  if (!notation) showHint(scope, "");
  if (notation && atOnce && event.target instanceof Element) playOn(event.target, path);
});

/** Moves are listed, and spoken of, in the names of squares that are chosen. */
function spellMoves() {
  const board = boardIn(document);
  if (board) respell(document, speller(board.squares, setting("names")));
}

document.addEventListener("board-ready", spellMoves);
document.addEventListener("board-setting", spellMoves);

document.addEventListener("board-hint", (event) => {
  showHint(scopeOf(event.target), /** @type {CustomEvent} */ (event).detail.text);
});

document.addEventListener("board-ply", (event) => {
  const board = event.target;
  if (board instanceof CheckersBoard) browse(board, /** @type {CustomEvent} */ (event).detail.ply);
});

/**
 * Ask the server for the position after a move that is played at once: press its last square with the whole path.
 * @param {Element} board
 * @param {number[]} path
 */
function playOn(board, path) {
  const square = board.querySelector(`button[data-square="${path[path.length - 1]}"]`);
  if (!(square instanceof HTMLButtonElement)) return;
  square.value = path.join("-");
  square.form?.requestSubmit(square);
}

/** The move list, the captured pieces and the address follow the position shown. @param {CheckersBoard} board @param {number} ply */
function browse(board, ply) {
  const scope = scopeOf(board);
  const latest = ply === board.lastPly;
  for (const link of scope?.querySelectorAll("a[data-ply]") ?? []) {
    const here = Number(link.getAttribute("data-ply")) === ply;
    if (here && link.closest("[data-list]")) {
      link.setAttribute("aria-current", "true");
      showInList(link);
    } else link.removeAttribute("aria-current");
  }
  scope?.toggleAttribute("data-browsing", !latest);
  for (const taken of scope?.querySelectorAll("[data-taken]") ?? []) {
    const colour = taken.getAttribute("data-taken") === "black" ? "black" : "white";
    showTaken(taken, lost(board.stands[0], board.stands[ply], colour));
  }
  for (const copy of scope?.querySelectorAll("[data-copy]") ?? []) copy.setAttribute("data-copy", board.fens[ply] ?? "");
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

// ------------------------------------------------------------------------------------------ what the visitor does
document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.matches("[data-move]")) return;
  boardIn(scopeOf(field))?.choose(field.value);
});

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const board = boardIn(scopeOf(target));
  const link = target?.closest("a[data-ply]");
  if (link && board && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    board.show(steps(board, link.getAttribute("data-ply") ?? ""));
    return;
  }
  const act = target?.closest("[data-act]")?.getAttribute("data-act");
  const done = act ? ACTS[act] : undefined;
  if (done && target) {
    event.preventDefault();
    done(board, target);
  }
});

/** @type {Record<string, (board: CheckersBoard | null, target: Element) => void>} */
const ACTS = {
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
  keys: () => showDialog("keys"),
  settings: () => showDialog("settings"),
  close: (_board, target) => target.closest("dialog")?.close(),
};

/** A ply by its number, or a step from here. @param {CheckersBoard} board @param {string} where */
function steps(board, where) {
  if (where === "back") return board.ply - 1;
  if (where === "forward") return board.ply + 1;
  if (where === "first") return 0;
  return where === "last" ? board.lastPly : Number(where);
}

/** @param {string} name */
function showDialog(name) {
  const dialog = document.querySelector(`dialog[data-dialog="${name}"]`);
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
}

/** Keys of the page, wherever the focus is but in a field. @type {Record<string, (board: CheckersBoard) => void>} */
const KEYS = {
  ...ANYWHERE,
  ...STEPS,
  "?": () => showDialog("keys"),
  "/": (board) => fieldIn(scopeOf(board))?.focus(),
};

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const board = boardIn(document);
  if (!board || event.ctrlKey || event.metaKey || event.altKey || target?.closest("dialog")) return;
  const writing = target?.matches("input, select, textarea") && event.key !== "Escape";
  const act = writing ? undefined : KEYS[event.key];
  if (!act) return;
  if (event.key !== "Escape") event.preventDefault();
  act(board);
});

// ------------------------------------------------------------------------- the content is replaced as the game goes on
/** @type {{focused?: string, ply?: number, typed?: string}} */
let before = {};

/**
 * A selector that finds the same control in new content.
 * @param {Element | null} element
 * @returns {string | undefined}
 */
function selectorOf(element) {
  if (!element?.closest("main")) return undefined;
  const told = element.matches("button, [type='radio'], [type='checkbox']") ? ["name", "value"] : ["name"];
  const marks = element.matches("[data-square]") ? ["data-square"] : ["href", "data-act", ...told];
  const here = marks.filter((name) => element.hasAttribute(name));
  const spelled = here.map((name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? "")}"]`);
  return `main ${element.localName}${spelled.join("")}`;
}

/** What happened, for those who listen: it goes to a place that is not replaced, or it would not be heard. */
function announce() {
  const board = boardIn(document);
  const [last] = board?.data.record.slice(-1) ?? [];
  const said = document.querySelector("[data-announce]")?.textContent ?? "";
  const text = board && last ? said.replace(last.sentence, board.sentence(board.lastPly)) : said;
  const announcer = document.querySelector("[data-announcer]");
  if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
}

document.addEventListener("htmx:beforeSwap", () => {
  const focused = document.activeElement;
  const board = boardIn(document);
  const field = fieldIn(document);
  before = {
    focused: selectorOf(focused),
    ply: board && board.ply < board.lastPly ? board.ply : undefined,
    typed: field && field === focused ? field.value : undefined,
  };
});

function showCurrent() {
  const link = document.querySelector("[data-list] a[aria-current]");
  if (link) showInList(link);
}

/** A move that was chosen beforehand, in a live game, is sent as soon as it can be. */
function sendDue() {
  if (boardIn(document)?.takeDue()) fieldIn(document)?.form?.requestSubmit();
}

showCurrent();
document.addEventListener("htmx:afterSettle", sendDue);
document.addEventListener("htmx:load", sendDue, { once: true });
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
  const again = before.focused ? document.querySelector(before.focused) : null;
  const square = again?.getAttribute("data-square");
  if (board && square) board.focusSquare(Number(square), { move: true });
  else if (again instanceof HTMLElement) again.focus();
});
