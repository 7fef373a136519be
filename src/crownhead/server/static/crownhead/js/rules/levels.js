// Ten levels of play, as in `crownhead.engine.levels`: the lower, the shallower the search and the freer the choice.
// A level has good and bad days: now and then it plays like one of the two above or below.
// @ts-check

import { placeOf } from "./step.js";

/** @typedef {import("./rules.js").Move} Move */
/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./searching.js").Limits} Limits */
/** @typedef {import("./searching.js").Report} Report */
/** How a game began, and whose turn it is.
 * @typedef {{positions: readonly {fen: () => string}[], moves: readonly {path: readonly number[]}[],
 *   position: {turn: string}}} Begun */

/**
 * One of the `horizons` is drawn for each move: plies to search, 0 being the own move alone; without any, the level
 * plays as well as it can for `seconds`. `temperature`: the hundredths of a man that make the better move e times as
 * likely.
 * @typedef {{horizons: number[], temperature: number, nodes?: number, seconds?: number}} Level
 */

/** @type {readonly Level[]} */
export const LEVELS = [
  { horizons: [0, 0, 0, 1, 1, 1, 1, 1], temperature: 60, nodes: 20_000 },
  { horizons: [0, 1, 1, 1, 2], temperature: 55, nodes: 20_000 },
  { horizons: [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3], temperature: 45, nodes: 20_000 },
  { horizons: [1, 1, 2, 2, 3], temperature: 32, nodes: 50_000 },
  { horizons: [1, 2, 2, 3, 4, 5], temperature: 25, nodes: 50_000 },
  { horizons: [2, 3, 4, 5, 6], temperature: 18, nodes: 100_000 },
  { horizons: [4, 5, 7, 8], temperature: 12, nodes: 200_000 },
  { horizons: [6, 8, 10, 11], temperature: 7, nodes: 400_000 },
  { horizons: [11, 13, 15], temperature: 3, nodes: 1_000_000 },
  { horizons: [], temperature: 0, seconds: 2 },
];

const MAN = 100;
const CROWN = 150;
const MAX_LINES = 64;
const FORCED = 29_500;
const FORMS = [-2, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2]; // equally likely
const OPENING = 6; // plies of a game that decide the form of both sides

/**
 * The move of a level: in a game, in the form of `levelIn`. Rejects with a `RangeError` for an unknown level, or where
 * the game is over.
 * @param {Position | Game} subject
 * @param {number} level
 * @param {(limits: Limits, fresh: boolean) => Promise<Report>} search  of the position; `fresh`: with an empty
 *   transposition table, for entries of an earlier search would reach beyond the horizon
 * @param {() => number} [dice]  numbers from 0 up to 1
 * @returns {Promise<Move>}
 */
export async function chooseMove(subject, level, search, dice = Math.random) {
  const position = "positions" in subject ? subject.position : subject;
  const wanted = LEVELS[levelIn(subject, level) - 1];
  const legal = position.legalMoves();
  if (!wanted || !legal.length) throw new RangeError(`expected a level from 1 to 10 and a legal move, got ${level}`);
  if (legal.length === 1) return legal[0];
  if (!wanted.horizons.length) return moveOf(position, await search({ seconds: wanted.seconds }, false), 0);
  const horizon = wanted.horizons[Math.floor(dice() * wanted.horizons.length)];
  if (horizon === 0) return drawn(materialGains(position), wanted.temperature, dice);
  const lines = Math.min(legal.length, MAX_LINES);
  const report = await search({ depth: horizon, nodes: wanted.nodes, lines, tables: false }, true);
  if (report.lines[0].score > FORCED) return moveOf(position, report, 0);
  const seen = report.lines.map(({ score }, at) => /** @type {const} */ ([moveOf(position, report, at), score]));
  return drawn(seen, wanted.temperature, dice);
}

/**
 * The level as which the side to move of a game plays: the given one, or one near to it, as the game began. The lowest
 * and the highest level are always themselves, as every level is for a position alone.
 * @param {object | Begun} subject
 * @param {number} level
 */
export function levelIn(subject, level) {
  const most = Math.min(level - 1, LEVELS.length - level);
  if (!("positions" in subject) || most <= 0) return level;
  const { positions, position, moves } = subject;
  const forms = FORMS.filter((form) => Math.abs(form) <= most);
  const paths = moves.slice(0, OPENING).map(({ path }) => path.join());
  return level + forms[hashOf(`${positions[0].fen()} ${paths.join(" ")} ${position.turn} ${level}`) % forms.length];
}

/**
 * FNV-1a, of 32 bits. The upper half is mixed into the lower one, whose bits depend on too little.
 * @param {string} text
 */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 16;
}

/**
 * The legal move that begins a line of a report.
 * @param {Position} position
 * @param {Report} report
 * @param {number} line
 * @returns {Move}
 */
export function moveOf(position, report, line) {
  const move = position.legalMoves()[placeOf(position, report.lines[line].moves[0])];
  if (!move) throw new RangeError("expected a report on this position");
  return move;
}

/**
 * The material that each move gains, without any search of the replies.
 * @param {Position} position
 * @returns {(readonly [Move, number])[]}
 */
function materialGains(position) {
  const sign = position.rules.row.stuckWins ? -1 : 1;
  return position.legalMoves().map((move) => [move, sign * (MAN * move.captures.length + (move.crowns ? CROWN : 0))]);
}

/**
 * One of the moves, drawn by softmax of the scores.
 * @param {readonly (readonly [Move, number])[]} seen
 * @param {number} temperature
 * @param {() => number} dice
 */
function drawn(seen, temperature, dice) {
  const best = Math.max(...seen.map(([, score]) => score));
  const weights = seen.map(([, score]) => Math.exp((score - best) / temperature));
  let rest = dice() * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => (rest -= weight) < 0);
  return seen[at < 0 ? seen.length - 1 : at][0];
}
