// Moves as text: reading the common forms, writing the short one unless it is ambiguous.
// @ts-check

import { squareOf } from "./fen.js";

/** @typedef {import("./rules.js").Move} Move */
/** @typedef {import("./rules.js").Row} Row */
/** @typedef {import("./rules.js").Position} Position */

const NUMBERS = /^\d{1,4}(?:(?:\s*[-–:xX×]\s*\d{1,4})+|(?:\s+\d{1,4})+)$/;
const NAMES = /^[a-w]\d{1,2}(?:(?:(?:\s*[-–:xX×]\s*)?[a-w]\d{1,2})+|(?:\s+[a-w]\d{1,2})+)$/i;
const ALONE = /^(?:[a-w]\d{1,2}|\d{1,4})$/i;
const SHORT = /^([a-w])\s*[-–:xX×]?\s*([a-w]\d{1,2})$/i;

/**
 * A move with every square of its path.
 * @param {Move} move
 * @param {Row} row
 */
export function writeFull(move, row) {
  return joined(move, move.path, row);
}

/**
 * The notation of all legal moves of a position: origin and target, or the whole path if moves share them.
 * @param {readonly Move[]} moves
 * @param {Row} row
 */
export function writeMoves(moves, row) {
  const ends = moves.map(({ path }) => path[0] * 256 + path[path.length - 1]);
  /** @type {Map<number, number>} */
  const alike = new Map();
  for (const pair of ends) alike.set(pair, (alike.get(pair) ?? 0) + 1);
  return moves.map((move, at) => {
    const { path } = move;
    return joined(move, alike.get(ends[at]) === 1 ? [path[0], path[path.length - 1]] : path, row);
  });
}

/**
 * @param {Move} move
 * @param {readonly number[]} squares
 * @param {Row} row
 */
function joined({ captures }, squares, row) {
  return squares.map((square) => row.squares[square - 1]).join(captures.length ? row.captureSign : "-");
}

/**
 * The legal move that a text means: see `Position.parse`.
 * @param {Position} position
 * @param {string} text
 * @returns {Move}
 */
export function parseMove(position, text) {
  const { row } = position.rules;
  const body = text.trim().replace(/[!? ]+$/, "");
  const [found, meant] = fitting(position, body);
  if (found.length === 1) return found[0];
  const whole = found.filter(({ path }) => path.length === meant.length);
  const exactly = whole.length === 1 ? whole : whole.filter(({ path }) => path.every((square, at) => square === meant[at]));
  if (exactly.length === 1) return exactly[0];
  if (!found.length) throw new RangeError(`expected a legal move, got ${text}`);
  throw new RangeError(`expected one move, got ${text}: ${found.map((move) => writeFull(move, row)).join(", ")}`);
}

/**
 * @param {Position} position
 * @param {string} body
 * @returns {[readonly Move[], readonly number[]]}
 */
function fitting(position, body) {
  const { row } = position.rules;
  const short = SHORT.exec(body);
  if (short) {
    const target = squareOf(row, short[2]);
    const from = (/** @type {Move} */ { path }) => row.algebraic[path[0] - 1][0] === short[1].toLowerCase();
    return [position.legalMoves().filter((move) => move.path[move.path.length - 1] === target && from(move)), []];
  }
  const squares = squaresIn(body, row);
  return [squares.includes(0) ? [] : position.find(squares), squares];
}

/**
 * The squares in a text, 0 for those that are none.
 * @param {string} body
 * @param {Row} row
 */
function squaresIn(body, row) {
  const alone = row.jumpsOnly && ALONE.test(body);
  if (!alone && !NUMBERS.test(body) && !NAMES.test(body)) {
    throw new SyntaxError(`expected a move such as ${row.squares[8]}-${row.squares[12]}, got ${body}`);
  }
  const words = body.match(/[a-w]?\d+/gi) ?? [];
  return (alone ? [body, body] : words).map((word) => squareOf(row, word.replace(/^0+(?=\d)/, "")));
}
