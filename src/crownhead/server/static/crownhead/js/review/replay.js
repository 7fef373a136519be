// A game that was played, as the engine looks at it: none of its moves is refused by a draw rule, for it went on.
// @ts-check

import { moveAlong } from "../board_moves.js";
import { reversiblePositions } from "../rules/reversible.js";

/** @typedef {import("../rules/engine.js").Course} Course */
/** @typedef {import("../rules/rules.js").Move} Move */
/** @typedef {import("../rules/rules.js").Position} Position */

/**
 * The positions of a record; throws a `RangeError` for a move that is not legal.
 * @param {Position} start
 * @param {readonly {path: readonly number[], captures: readonly number[]}[]} record
 * @returns {{positions: Position[], moves: Move[]}}
 */
export function replayRecord(start, record) {
  const positions = [start];
  const moves = record.map(({ path, captures }) => {
    const here = positions[positions.length - 1];
    const move = moveAlong(here, path, captures);
    if (!move) throw new RangeError(`expected a legal move, got ${path.join("-")}`);
    positions.push(here.play(move));
    return move;
  });
  return { positions, moves };
}

/**
 * The game after its first `ply` moves.
 * @param {readonly Position[]} positions
 * @param {readonly Move[]} moves
 * @param {number} ply
 * @returns {Course}
 */
export function courseUpTo(positions, moves, ply) {
  const course = positions.slice(0, ply + 1);
  return { positions: course, reversible: () => reversiblePositions(course, (at) => isIrreversible(course[at], moves[at])) };
}

/** @param {Position} before @param {Move} move */
function isIrreversible(before, { path, captures }) {
  return captures.length > 0 || before.piece(path[0])?.kind !== "king";
}
