// A board that the browser takes over from the server: as soon as the rules are loaded, moves are made without a
// request; where they cannot be, the server goes on answering.
// @ts-check

import { CheckersBoard } from "./board/element.js";

/** @typedef {import("./rules/rules.js").Rules} Rules */

/**
 * What has been taken over: its part of the page, and what to do there. `redraw`: the board has been turned, or its
 * squares are named otherwise.
 * @typedef {object} Local
 * @property {Element} page
 * @property {{board: CheckersBoard, node: {position: import("./rules/rules.js").Position}}} session
 * @property {(path: readonly number[]) => void} play
 * @property {() => void} redraw
 */

/**
 * Let the current board be played on: by its squares, by typed moves, turned and with other names.
 * @param {() => Local | undefined} current
 */
export function listen(current) {
  // A move is on the board whole. The page is asked before the document, which would send it.
  document.addEventListener("board-choice", (event) => {
    const { path, atOnce } = /** @type {CustomEvent} */ (event).detail;
    const local = current();
    if (!local || !atOnce || event.target !== local.session.board) return;
    event.stopImmediatePropagation();
    local.play(path);
  }, { capture: true });

  // What is no move is told by the server.
  document.addEventListener("submit", (event) => {
    const local = current();
    const form = event.target;
    const field = form instanceof HTMLFormElement ? form.querySelector("[data-move]") : null;
    if (!local || !(field instanceof HTMLInputElement) || !local.page.contains(field)) return;
    const { board, node } = local.session;
    try {
      const { path } = board.chosen ?? node.position.parse(field.value);
      event.preventDefault();
      local.play(path);
      field.value = "";
    } catch {
      // the form goes to the server
    }
  });

  document.addEventListener("board-setting", () => current()?.redraw());
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-action='flip']")) current()?.redraw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "f" && isShortcut(event)) current()?.redraw();
  });
}

/** Whether a key is pressed outside fields and dialogs, and alone. @param {KeyboardEvent} event */
export function isShortcut({ target, ctrlKey, metaKey, altKey }) {
  return !ctrlKey && !metaKey && !altKey && !(target instanceof Element && target.closest("dialog, input, select, textarea"));
}

/**
 * Call back for each board that a part of the page gets, and the one that it has.
 * @param {string} part  a selector
 * @param {(page: Element, board: CheckersBoard) => void} start
 */
export function forBoards(part, start) {
  const begin = (/** @type {EventTarget | null} */ board) => {
    const page = board instanceof CheckersBoard ? board.closest(part) : null;
    if (page && board instanceof CheckersBoard) start(page, board);
  };
  document.addEventListener("board-ready", (event) => begin(event.target));
  begin(document.querySelector(`:is(${part}) checkers-board[data-ready]`));
}

/**
 * The rules of a variant with the package they came in. Rejects without WebAssembly, and offline.
 * @template {{Rules: typeof import("./rules/rules.js").Rules}} Package
 * @param {string} address  of the package, which is not bundled
 * @param {string} row  the address of the variant's row
 * @returns {Promise<{rules: Rules, package: Package}>}
 */
export async function loadRules(address, row) {
  const loaded = await import(address);
  return { package: loaded, rules: await loaded.Rules.fetch(row) };
}
