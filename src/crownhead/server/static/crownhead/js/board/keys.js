// The keyboard on the board: where each key leads.
// @ts-check

import { endOfRow, neighbour } from "./geometry.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

const ARROWS = /** @type {const} */ ({
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
});

/** Keys that do the same anywhere on the page. @type {Record<string, (board: CheckersBoard) => void>} */
export const ANYWHERE = {
  f: (board) => board.flip(),
  m: (board) => board.tell("moves"),
  l: (board) => board.tell("last"),
  p: (board) => board.tell("pieces"),
  Escape: (board) => board.cancel(),
};

/** Keys that step through the game: off the board, and with Shift on it. @type {Record<string, (board: CheckersBoard) => void>} */
export const STEPS = {
  ArrowLeft: (board) => board.show(board.ply - 1),
  ArrowRight: (board) => board.show(board.ply + 1),
  Home: (board) => board.show(0),
  End: (board) => board.show(board.lastPly),
};

/**
 * A key was pressed while a square had the focus.
 * @param {CheckersBoard} board
 * @param {KeyboardEvent} event
 */
export function keyed(board, event) {
  const button = event.target instanceof Element ? event.target.closest("button[data-square]") : null;
  if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = Number(button.getAttribute("data-square"));
  const go = (/** @type {number} */ square) => board.focusSquare(square, { move: true });
  const { key } = event;
  if (event.shiftKey && key in STEPS) STEPS[key](board);
  else if (board.naming.takes(key)) board.removeAttribute("data-refused");
  else if (board.editing && (key === "Delete" || key === "Backspace")) board.put(here, "");
  else if (key in ARROWS) go(neighbour(board.squares, here, ARROWS[/** @type {keyof typeof ARROWS} */ (key)]));
  else if (key === "Home" || key === "End") go(endOfRow(board.squares, here, key === "Home" ? "first" : "last"));
  else return;
  event.preventDefault();
  event.stopPropagation();
}
