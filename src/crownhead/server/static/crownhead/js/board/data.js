// What a page tells a board, and what a board remembers of the one that stood in its place.
// @ts-check

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {Omit<Move, "notation"> & {sentence: string}} Recorded */

/**
 * `planned`: squares of a move that is only thought of; `mine`: the visitor's side, if he plays.
 * @typedef {object} BoardData
 * @property {string} key
 * @property {number} version
 * @property {boolean} atOnce
 * @property {"black" | "white" | ""} mine
 * @property {"black" | "white"} bottom
 * @property {number} width
 * @property {number} height
 * @property {boolean} takenStay
 * @property {[number, string, number, number, string][]} squares
 * @property {Record<string, string>} start
 * @property {Recorded[]} record
 * @property {string[]} fens
 * @property {number} ply
 * @property {Move[]} legal
 * @property {number[]} path
 * @property {number[]} planned
 * @property {number[]} faults  squares whose pieces the laws object to
 * @property {number} barred
 * @property {import("./fen.js").Runs} runs  while a position is set up
 * @property {Record<string, string>} words
 */

/** @type {BoardData} */
export const NO_DATA = {
  key: "",
  version: 0,
  atOnce: false,
  mine: "",
  bottom: "white",
  width: 0,
  height: 0,
  takenStay: true,
  squares: [],
  start: {},
  record: [],
  fens: [],
  ply: 0,
  legal: [],
  path: [],
  planned: [],
  faults: [],
  barred: 0,
  runs: {},
  words: {},
};

/** @param {Element} board @returns {BoardData | undefined} */
export function told(board) {
  const source = board.querySelector("script[type='application/json']");
  return source?.textContent ? { ...NO_DATA, ...JSON.parse(source.textContent) } : undefined;
}

/** @typedef {{data: BoardData, path: readonly number[]}} Left */

/**
 * The move by which a game has gone on since a board was left, unless it was seen there already.
 * @param {Left | undefined} left
 * @param {BoardData} now
 * @returns {Recorded | undefined}
 */
export function newMove(left, now) {
  const { record } = now;
  const last = record[record.length - 1];
  if (!left || !last || now.ply !== record.length || left.data.record.length !== record.length - 1) return undefined;
  const same = (/** @type {unknown} */ one, /** @type {unknown} */ other) => JSON.stringify(one) === JSON.stringify(other);
  if (!same(left.data.start, now.start) || !same(left.data.record, record.slice(0, -1))) return undefined;
  return same(left.path, last.path) ? undefined : last;
}
