// Putting pieces on the board of the position editor, and marking those that cannot stand there.
// @ts-check

import { parsePiece } from "../board/position.js";

/** @typedef {import("../board/element.js").CheckersBoard} CheckersBoard */

/**
 * Put a piece on a square, or remove the same one from it; or move what stands on `origin`, off the board where `square` is 0.
 * @param {CheckersBoard} board
 * @param {{square: number, origin?: number, code?: string}} change  `code`: "BM", "WK" …; empty: nothing is put there
 */
export function place(board, { square, origin, code = "" }) {
  const there = board.pieces.get(square);
  const moved = origin ? board.pieces.get(origin) : undefined;
  if (origin && (!moved || square === origin)) return;
  const piece = moved ?? parsePiece(code);
  const isSame = !moved && there && there.colour === piece?.colour && there.kind === piece?.kind;
  const rest = [...board.pieces].filter(([at]) => at !== square && at !== origin);
  board.positions = [new Map(piece && square && !isSame ? [...rest, [square, piece]] : rest)];
  showFaults(board, []);
}

/** Mark the squares whose pieces the rules do not allow. @param {CheckersBoard} board @param {number[]} faults */
export function showFaults(board, faults) {
  board.data = { ...board.data, faults };
  board.render();
}
