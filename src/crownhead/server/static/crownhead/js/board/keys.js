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
  if (key in ARROWS) go(neighbour(board.squares, here, ARROWS[/** @type {keyof typeof ARROWS} */ (key)]));
  else if (key === "Home" || key === "End") go(endOfRow(board.squares, here, key === "Home" ? "first" : "last"));
  else if (/^\d$/u.test(key)) board.digit(key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
