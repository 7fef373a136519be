// Moves of the rules as a board follows them: with their notation, and as what the piece stands on each square.
// @ts-check

import { phrase } from "./board/labels.js";
import { allRoutes, areSame } from "./board_routes.js";
import { moveSentence } from "./game_texts.js";

/** @typedef {import("./rules/rules.js").Kind} Kind */
/** @typedef {import("./rules/rules.js").Move} Move */
/** @typedef {import("./rules/rules.js").Position} Position */
/** @typedef {import("./board/data.js").RecordedMove} RecordedMove */
/** @typedef {import("./board/moves.js").Move} BoardMove */
/** @typedef {Readonly<Record<string, string>>} Words */

/**
 * What a page says of its variant. `crowning`: where a man is crowned amid its move, by side; none where it goes on as a man.
 * `kingRun`: after so many steps in a row a king may not step again, 0 where it always may.
 * @typedef {{crowning: Partial<Record<"black" | "white", number[]>>, kingRun: number}} Laws
 */

/**
 * What may be played in a position: the legal moves, and the king that may not step again.
 * @typedef {{legal: BoardMove[], barred: number}} Playable
 */

/** @type {Readonly<Record<Kind, string>>} */
const LETTERS = { man: "M", king: "K", mule: "U", parachutist: "P" };

/** @type {Playable} */
export const NOTHING = { legal: [], barred: 0 };

/**
 * The legal moves of a position by all their routes, with what else a board asks of it.
 * @param {Position} position
 * @param {Laws} laws
 * @returns {Playable}
 */
export function boardMoves(position, laws) {
  const notations = position.notations();
  const legal = allRoutes(position).map(([move, at]) => ({ ...boardMove(position, move, laws), notation: notations[at] }));
  return { legal, barred: barredKing(position, laws) };
}

/**
 * @param {Position} before
 * @param {Move} move
 * @param {Pick<Laws, "crowning">} laws
 */
export function boardMove(before, { path, captures, crowns }, { crowning }) {
  const piece = before.piece(path[0]);
  if (!piece) throw new RangeError(`expected a piece on square ${path[0]}`);
  // A parachutist is a man from its one capture on.
  const after = crowns ? "king" : piece.kind === "parachutist" ? "man" : piece.kind;
  const amid = path.findIndex((square, at) => at > 0 && crowning[piece.colour]?.includes(square));
  const changes = !crowns ? 1 : amid > 0 ? amid : path.length - 1;
  const kinds = path.map((_square, at) => LETTERS[at < changes ? piece.kind : after]).join("");
  return { path, captures, kinds };
}

/**
 * A move that was made, as the board's record has it.
 * @param {Position} before
 * @param {Move} move
 * @param {Pick<Laws, "crowning">} laws
 * @param {{texts: Words, words: Words}} told  `words` are those of the board
 * @returns {RecordedMove}
 */
export function recordedMove(before, move, laws, { texts, words }) {
  const { path, captures, crowns } = move;
  const nameOf = (/** @type {number} */ square) => before.rules.row.squares[square - 1];
  const sentence = moveSentence(texts, phrase(words, before.turn), { path, captures, crowned: crowns }, nameOf);
  return { ...boardMove(before, move, laws), sentence };
}

/**
 * The legal move that goes over these squares, by any of its routes, and, where they are given, takes those pieces.
 * @param {Position} position
 * @param {readonly number[]} path
 * @param {readonly number[]} [captures]
 */
export function moveAlong(position, path, captures) {
  const takes = (/** @type {Move} */ move) => !captures || areSame(move.captures, captures);
  const written = position.legalMoves().find((move) => move.path.join() === path.join() && takes(move));
  if (written || path.length < 3) return written;
  return position.find(path).find((move) => move.path.length === path.length && takes(move));
}

/** @param {Position} position @param {Laws} laws */
function barredKing(position, { kingRun }) {
  if (!kingRun || !position.rules.row.countsRuns) return 0;
  const [square, steps] = position.bytes.subarray(position.turn === "black" ? 1 : 3);
  return steps >= kingRun ? square : 0;
}
