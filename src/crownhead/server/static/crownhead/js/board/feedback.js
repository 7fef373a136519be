// What the board says after a square is chosen: what can follow, or why nothing can.
// @ts-check

import { candidates, completed, origins, targets } from "./moves.js";
import { phrase } from "./labels.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

/** @param {CheckersBoard} board @param {readonly number[]} before  the path before @param {number} square */
export function explain(board, before, square) {
  const chosen = completed(board.moves, board.path);
  const squares = board.namesOf([...targets(board.moves, board.path).keys()]);
  if (chosen) {
    const how = squares ? "may-go-on" : "chosen";
    return board.hint(phrase(board.words, how, { move: board.withSquareNames(chosen.notation), squares }));
  }
  if (board.path.length) {
    const how = board.path.length > 1 ? "go-on" : "picked";
    return board.hint(phrase(board.words, how, { square: board.nameOf(square), squares }));
  }
  if (!before.length) return refuse(board, square);
  board.hint(phrase(board.words, "taken-back"));
  board.askLaws([...before, square]);
}

/** Say why a square cannot be chosen. @param {CheckersBoard} board @param {number} square */
export function refuse(board, square) {
  const { moves, words } = board;
  const piece = board.pieces.get(square);
  const mover = board.pieces.get(moves[0].path[0]);
  const name = { square: board.nameOf(square) };
  if (!piece) return board.hint(phrase(words, "empty-square", name));
  if (piece.colour !== mover?.colour) return board.hint(phrase(words, "not-yours"));
  if (!moves.some((move) => move.captures.length)) {
    return board.hint(phrase(words, square === board.barred ? "barred" : "cannot-move", name));
  }
  board.setAttribute("data-refused", "");
  const squares = board.namesOf([...origins(moves)].sort((a, b) => a - b));
  board.hint(phrase(words, board.removing ? "must-remove" : "must-jump", { squares }));
  board.askLaws([square]);
}

/** Say what the premove is now. @param {CheckersBoard} board */
export function explainPremove(board) {
  const [origin, ...on] = board.premove.map((square) => board.nameOf(square));
  if (on.length) board.hint(phrase(board.words, "premove", { origin, target: on.join(", ") }));
  else if (origin) {
    board.hint(phrase(board.words, "premove-from", { square: origin }));
    board.askLaws(board.premove);
  }
  else board.hint(phrase(board.words, "taken-back"));
}

/** The squares that can be moved to, with a note for each. @param {CheckersBoard} board */
export function targetNotes(board) {
  /** @type {Map<number, string>} */
  const notes = new Map();
  for (const [square, path] of targets(board.moves, board.path)) {
    const [move] = candidates(board.moves, path);
    const taken = move.captures.slice(board.path.length - 1, path.length - 1);
    const jump = taken.length ? phrase(board.words, "jump-target", { squares: board.namesOf(taken) }) : undefined;
    notes.set(square, jump ?? phrase(board.words, "target"));
  }
  return notes;
}
