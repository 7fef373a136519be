// Gives a board another line of moves, where a page knows the laws by itself.
// @ts-check

import { replay } from "./position.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./data.js").RecordedMove} RecordedMove */

/**
 * The line that can be stepped through, without drawing anything: the position shown must be in it.
 * @param {CheckersBoard} board
 * @param {{record: RecordedMove[], fens: Readonly<Record<number, string>>}} line  from the start of the board on; a FEN more than moves
 */
export function setLine(board, { record, fens }) {
  board.data = { ...board.data, record, fens, version: record.length, planned: [] };
  board.positions = replay(board.positions[0], record.map((move) => ({ ...move, notation: "" })));
}

/**
 * Show the position after `ply` moves of a line; a half-made move is taken back.
 * @param {CheckersBoard} board
 * @param {{record: RecordedMove[], fens: Readonly<Record<number, string>>, ply: number}} line
 */
export function load(board, { record, fens, ply }) {
  board.cancel();
  setLine(board, { record, fens });
  board.ply = ply;
  board.render();
  board.announce(board.sentence(ply));
  board.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply } }));
}

/**
 * Show another game from the same start, at its end, where the board is told what may be played.
 * @param {CheckersBoard} board
 * @param {{record: RecordedMove[], fens: Readonly<Record<number, string>>, legal: import("./moves.js").Move[], barred: number}} game
 */
export function loadGame(board, { record, fens, legal, barred }) {
  board.cancel();
  setLine(board, { record, fens });
  board.data = { ...board.data, legal, barred };
  board.ply = record.length;
  board.render();
  board.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply: record.length } }));
}
