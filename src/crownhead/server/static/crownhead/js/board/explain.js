// What the board answers to a touch: what it led to, or why to nothing.
// @ts-check

import { candidates, finished, origins, targets } from "./moves.js";
import { phrase } from "./speech.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

/** @param {CheckersBoard} board @param {readonly number[]} before  what was touched before @param {number} square */
export function explain(board, before, square) {
  const chosen = finished(board.moves, board.path);
  const squares = board.namesOf([...targets(board.moves, board.path).keys()]);
  if (chosen) {
    const how = squares ? "may-go-on" : "chosen";
    return board.hint(phrase(board.words, how, { move: board.spelled(chosen.notation), squares }));
  }
  if (board.path.length) {
    const how = board.path.length > 1 ? "go-on" : "picked";
    return board.hint(phrase(board.words, how, { square: board.nameOf(square), squares }));
  }
  if (before.length) return board.hint(phrase(board.words, "taken-back"));
  return refuse(board, square);
}

/** Say why nothing can be done with a square. @param {CheckersBoard} board @param {number} square */
export function refuse(board, square) {
  const { moves, words } = board;
  const piece = board.pieces.get(square);
  const mover = board.pieces.get(moves[0].path[0]);
  const name = { square: board.nameOf(square) };
  if (!piece) return board.hint(phrase(words, "empty-square", name));
  if (piece.colour !== mover?.colour) return board.hint(phrase(words, "not-yours"));
  if (!moves.some((move) => move.captures.length)) {
    return board.hint(phrase(words, square === board.data.barred ? "barred" : "cannot-move", name));
  }
  board.setAttribute("data-refused", "");
  const squares = board.namesOf([...origins(moves)].sort((a, b) => a - b));
  return board.hint(phrase(words, board.removing ? "must-remove" : "must-jump", { squares }));
}

/** What a choice made beforehand has come to. @param {CheckersBoard} board */
export function explainPremove(board) {
  const [origin, ...on] = board.premove.map((square) => board.nameOf(square));
  if (on.length) board.hint(phrase(board.words, "premove", { origin, target: on.join(", ") }));
  else if (origin) board.hint(phrase(board.words, "premove-from", { square: origin }));
  else board.hint(phrase(board.words, "taken-back"));
}

/** The squares that can be gone to, and what is said of each. @param {CheckersBoard} board */
export function targetNotes(board) {
  /** @type {Map<number, string>} */
  const notes = new Map();
  for (const [square, path] of targets(board.moves, board.path)) {
    const [move] = candidates(board.moves, path);
    const taken = move.captures.slice(board.path.length - 1, path.length - 1);
    const said = taken.length ? phrase(board.words, "jump-target", { squares: board.namesOf(taken) }) : undefined;
    notes.set(square, said ?? phrase(board.words, "target"));
  }
  return notes;
}
