// What each key does on the board and on its page.
// @ts-check

import { endOfRow, neighbour } from "./geometry.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

const ARROWS = /** @type {const} */ ({
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
});

/** Keys that work anywhere on the page. @type {Record<string, (board: CheckersBoard) => void>} */
export const ANYWHERE = {
  f: (board) => board.flip(),
  m: (board) => board.describe("moves"),
  l: (board) => board.describe("last"),
  p: (board) => board.describe("pieces"),
  Escape: (board) => board.cancel(),
};

/** Keys that step through the game: with Shift while the board has the focus. @type {Record<string, (board: CheckersBoard) => void>} */
export const STEPS = {
  ArrowLeft: (board) => board.show(board.ply - 1),
  ArrowRight: (board) => board.show(board.ply + 1),
  Home: (board) => board.show(0),
  End: (board) => board.show(board.lastPly),
};

/**
 * Handles a key that was pressed while a square has the focus.
 * @param {CheckersBoard} board
 * @param {KeyboardEvent} event
 */
export function handleKey(board, event) {
  const button = event.target instanceof Element ? event.target.closest("button[data-square]") : null;
  if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
  const here = Number(button.getAttribute("data-square"));
  const go = (/** @type {number} */ square) => board.focusSquare(square, { move: true });
  const { key } = event;
  if (event.shiftKey && key in STEPS) STEPS[key](board);
  else if (board.squareInput.accepts(event)) board.removeAttribute("data-refused");
  else if (board.editing && (key === "Delete" || key === "Backspace")) board.place({ square: here, code: "" });
  else if (key in ARROWS) go(neighbour(board.squares, here, ARROWS[/** @type {keyof typeof ARROWS} */ (key)]));
  else if (key === "Home" || key === "End") go(endOfRow(board.squares, here, key === "Home" ? "first" : "last"));
  else return;
  event.preventDefault();
  event.stopPropagation();
}
