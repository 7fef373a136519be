// A move that is chosen while the opponent thinks: an origin and a target, tried as soon as there are legal moves.
// @ts-check

import { finished, targets } from "./moves.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./state.js").Pieces} Pieces */

/**
 * What is chosen beforehand once a square is touched: nothing, an origin, or an origin and a target.
 * @param {readonly number[]} chosen
 * @param {number} square
 * @param {Pieces} pieces
 * @param {string} mine  the side that chooses
 * @returns {number[]}
 */
export function beforehand(chosen, square, pieces, mine) {
  const own = pieces.get(square)?.colour === mine;
  if (chosen.length === 2) return [];
  if (own) return chosen[0] === square ? [] : [square];
  return chosen.length === 1 ? [chosen[0], square] : [];
}

/**
 * The path of the legal move that was meant; an empty one where none or more than one could be.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} chosen
 * @returns {number[]}
 */
export function comeTrue(moves, [origin, target]) {
  const path = targets(moves, [origin]).get(target) ?? [];
  return finished(moves, path) ? path : [];
}
