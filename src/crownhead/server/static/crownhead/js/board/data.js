// The data that a page hands to a board, and what is new compared with the board before it.
// @ts-check

import { completed } from "./moves.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {Omit<Move, "notation"> & {sentence?: string}} RecordedMove  the sentence, where it does not follow from the move */

/**
 * `planned`: squares of a conditional move; `mine`: the side of the person looking, if they play.
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
 * @property {RecordedMove[]} record
 * @property {Readonly<Record<number, string>>} fens  by ply, where they do not follow from the moves
 * @property {"black" | "white"} turn  after the last move
 * @property {number} ply
 * @property {Move[]} legal
 * @property {number[]} path
 * @property {number[]} planned
 * @property {number[]} faults  squares whose pieces the rules do not allow
 * @property {number} barred
 * @property {import("./fen.js").Runs} runs  in the position editor
 * @property {Record<string, string>} words
 * @property {[string, string, Record<string, string>]} [laws]  where a script asks them: addresses of the module and the row, words
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
  turn: "white",
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
export function readData(board) {
  const source = board.querySelector("script[type='application/json']");
  if (!source?.textContent) return undefined;
  const data = JSON.parse(source.textContent);
  return { ...NO_DATA, ...data, record: parseRecord(data.record ?? "") };
}

/**
 * The moves of a game as the page writes them, see `move_list_data` in `presenters/board/moves.py`: `11-15 K5-32x27 MK5-1`.
 * @param {string} text
 * @returns {RecordedMove[]}
 */
export function parseRecord(text) {
  return text ? text.split(" ").map(parseMove) : [];
}

/** @param {string} text @returns {RecordedMove} */
function parseMove(text) {
  const [, letters, steps, taken] = /^(\D*)([\d-]+)x?(.*)$/u.exec(text) ?? [];
  const path = steps.split("-").map(Number);
  const kinds = letters.length > 1 ? letters : (letters || "M").repeat(path.length);
  return { path, captures: taken ? taken.split(",").map(Number) : [], kinds };
}

/** @typedef {{data: BoardData, path: readonly number[]}} PreviousBoard */

/**
 * The move that was played since the previous board, unless that board showed it already.
 * @param {PreviousBoard | undefined} previous
 * @param {BoardData} now
 * @returns {RecordedMove | undefined}
 */
export function newlyPlayed(previous, now) {
  const { record } = now;
  const last = record[record.length - 1];
  if (!previous || !last || now.ply !== record.length || previous.data.record.length !== record.length - 1) return undefined;
  const same = (/** @type {unknown} */ one, /** @type {unknown} */ other) => JSON.stringify(one) === JSON.stringify(other);
  const bare = (/** @type {RecordedMove[]} */ moves) => moves.map(({ path, captures, kinds }) => [path, captures, kinds]);
  if (!same(previous.data.start, now.start) || !same(bare(previous.data.record), bare(record.slice(0, -1)))) return undefined;
  const [shown, made] = [previous.path, last.path].map((path) => completed(previous.data.legal, path)?.notation);
  return same(previous.path, last.path) || (shown && shown === made) ? undefined : last;
}
