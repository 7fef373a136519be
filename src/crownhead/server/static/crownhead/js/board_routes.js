// The routes of a capture: the ways to take the same pieces and end on the same square, all of them one move. See
// `play/presenters/board/routes.py`, which finds the same ones.
// @ts-check

/** @typedef {import("./rules/rules.js").Move} Move */
/** @typedef {import("./rules/rules.js").Position} Position */
/** @typedef {import("./rules/rules.js").Row} Row */

const MOST = 64; // routes of a move
const JUMPS = 2000; // that are tried for a position; crafted boards have millions

const ANY = { far: true, takenStay: false };

/** From each square, the squares in every direction, the next first. @type {WeakMap<Row, Map<number, number[][]>>} */
const known = new WeakMap();

/**
 * Every route of the legal moves, with the number of its move: first as it is written, then by its other routes.
 * @param {Position} position
 * @returns {[Move, number][]}
 */
export function allRoutes(position) {
  const patience = { jumps: JUMPS };
  return position.legalMoves().flatMap((move, at) => [move, ...others(position, move, patience)].map((route) => /** @type {[Move, number]} */ ([route, at])));
}

/** @param {Position} position @param {Move} move @param {{jumps: number}} patience */
function others(position, move, patience) {
  const { captures, crowns } = move;
  const written = [move.path, captures].join(";");
  const standsThere = (/** @type {number} */ square) => square !== move.path[0] && position.piece(square) !== undefined;
  const lines = captures.length > 1 ? linesOf(position.rules.row) : new Map();
  const target = move.path[captures.length];
  const { far, takenStay } = position.rules.row.jumps ?? ANY; // rows that were kept before have none
  const dead = new Set();
  /** @type {Move[]} */
  const found = [];

  /** Whether a line of jumps was carried to the end. @param {number[]} path @param {number[]} taken @returns {boolean} */
  const goOn = (path, taken) => {
    const here = path[path.length - 1];
    if (taken.length === captures.length) {
      if (here !== target) return false;
      if ([path, taken].join(";") !== written && found.length < MOST - 1 && isLegal(position, move, path)) found.push({ path, captures: taken, crowns });
      return true;
    }
    const state = [here, ...[...taken].sort()].join();
    if (dead.has(state) || found.length === MOST - 1 || patience.jumps-- <= 0) return false;
    const isFree = (/** @type {number} */ square) => !standsThere(square) || (!takenStay && taken.includes(square));
    let some = false;
    for (const line of lines.get(here) ?? []) {
      const at = line.findIndex((/** @type {number} */ square) => !isFree(square));
      if (at < 0 || !captures.includes(line[at]) || taken.includes(line[at])) continue;
      for (const landing of far ? line.slice(at + 1) : line.slice(at + 1, at + 2)) {
        if (!isFree(landing)) break;
        if (goOn([...path, landing], [...taken, line[at]])) some = true;
      }
    }
    if (!some) dead.add(state);
    return some;
  };
  try {
    if (captures.length > 1) goOn([move.path[0]], []);
  } catch {
    patience.jumps = 0; // a crafted board: the laws have no patience for other moves, either
  }
  return found;
}

/** Whether the laws let a move go over these squares, one after the other. @param {Position} position @param {Move} move @param {number[]} path */
function isLegal(position, { path: { length }, captures, crowns }, path) {
  return position.find(path).some((one) => one.path.length === length && one.crowns === crowns && areSame(one.captures, captures));
}

/** Whether squares are the same ones in any order. @param {readonly number[]} some @param {readonly number[]} others */
export function areSame(some, others) {
  return [...some].sort().join() === [...others].sort().join();
}

/**
 * Whether two moves are one, which may have several routes.
 * @param {Pick<Move, "path" | "captures">} one
 * @param {Pick<Move, "path" | "captures">} other
 */
export function isSame(one, other) {
  const ends = (/** @type {Pick<Move, "path">} */ { path }) => `${path[0]}-${path[path.length - 1]}`;
  return ends(one) === ends(other) && areSame(one.captures, other.captures);
}

/** @param {Row} row */
function linesOf(row) {
  const lines = known.get(row) ?? new Map();
  if (!lines.size) {
    const places = row.algebraic.map((name) => [name.charCodeAt(0), Number(name.slice(1))]);
    const at = new Map(places.map((place, index) => [place.join(), index + 1]));
    const ways = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);
    const reach = [...Array(32).keys()].slice(1);
    places.forEach(([file, rank], index) => {
      const through = ways.map(([x, y]) => reach.flatMap((far) => at.get([file + x * far, rank + y * far].join()) ?? []));
      lines.set(index + 1, through);
    });
    known.set(row, lines);
  }
  return lines;
}
