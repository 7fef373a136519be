// How choosing squares one after the other selects a legal move. It knows no rules: a move is a path.
// @ts-check

/**
 * A route of a legal move, of which each has its notation and comes first as it is written. `kinds` has a letter for each
 * square of the path: the kind of the piece there.
 * @typedef {{notation: string, path: number[], captures: number[], kinds: string}} Move
 */

/**
 * The moves whose path begins with `path`.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {Move[]}
 */
export function candidates(moves, path) {
  return moves.filter((move) => path.every((square, index) => move.path[index] === square));
}

/**
 * The squares from which a move starts.
 * @param {readonly Move[]} moves
 * @returns {Set<number>}
 */
export function origins(moves) {
  return new Set(moves.map((move) => move.path[0]));
}

/**
 * The path after the piece on `square` is chosen; where a move removes that piece, it is complete by that.
 * @param {readonly Move[]} moves
 * @param {number} square
 * @returns {number[]}
 */
export function picked(moves, square) {
  const stays = moves.some(({ path }) => path.length === 2 && path[0] === square && path[1] === square);
  return stays ? [square, square] : [square];
}

/**
 * The move that `path` completes, if any; longer ones may begin like it.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {Move | undefined}
 */
export function completed(moves, path) {
  return candidates(moves, path).find((move) => move.path.length === path.length);
}

/** Whether all these are routes of one move. @param {readonly Move[]} moves */
function areOne(moves) {
  return moves.length > 0 && moves.every(({ notation }) => notation === moves[0].notation);
}

/** The last square of a move. @param {Move} move */
const endOf = ({ path }) => path[path.length - 1];

/**
 * The path extended for as long as there is no choice, to its end where all routes are of one move. It stops before a square that can be chosen again where the
 * choice comes: somebody who chooses every square of a capture would choose that one too early.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {number[]}
 */
function extendForced(moves, path) {
  const extended = [...path];
  for (;;) {
    const onward = candidates(moves, extended);
    if (areOne(onward)) return [...onward[0].path];
    const next = new Set(onward.map((move) => move.path[extended.length]));
    const [only] = next;
    if (next.size === 1 && only !== undefined) extended.push(only);
    else {
      const again = extended.findIndex((square, index) => index >= path.length && next.has(square));
      return again < 0 ? extended : extended.slice(0, again);
    }
  }
}

/**
 * Where a piece can go on to after `path`, with the path that each square leads to: the next landing
 * squares, and the final squares on which only one move ends. Squares that the piece has reached already are
 * not among those: choosing one of them keeps the path.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {Map<number, number[]>}
 */
export function targets(moves, path) {
  /** @type {Map<number, number[]>} */
  const paths = new Map();
  if (path.length === 0) return paths;
  const onward = candidates(moves, path).filter((move) => move.path.length > path.length);
  for (const move of onward) {
    const next = move.path[path.length];
    if (!paths.has(next)) paths.set(next, extendForced(moves, [...path, next]));
  }
  const reached = path.length > 1 ? path.slice(1) : path;
  for (const move of onward) {
    const end = endOf(move);
    const unique = areOne(onward.filter((other) => endOf(other) === end));
    if (unique && !reached.includes(end) && !paths.has(end)) paths.set(end, [...move.path]);
  }
  return paths;
}

/**
 * The path after `square` was chosen; an empty one when everything is taken back. A square that the piece has reached
 * already, by itself or chosen, the last one included, keeps the path, and so does one on another route of a whole move:
 * only a piece that has not moved is let go.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @param {number} square
 * @returns {number[]}
 */
export function afterTouch(moves, path, square) {
  const onward = targets(moves, path).get(square);
  if (onward) return onward;
  const whole = completed(moves, path);
  const routes = moves.filter(({ notation }) => notation === whole?.notation);
  if ([{ path }, ...routes].some((route) => route.path.slice(1).includes(square))) return [...path];
  if (path[0] === square && path.length === 1) return [];
  return origins(moves).has(square) ? picked(moves, square) : [];
}

/**
 * Whether names of squares are those of a path: its first, its last, and of those between as many as are named.
 * @param {readonly string[]} words
 * @param {readonly (string | undefined)[]} names
 */
function isNamed(words, names) {
  let at = 0;
  for (const name of names) if (name === words[at]) at += 1;
  return at === words.length && words[0] === names[0] && words[at - 1] === names[names.length - 1];
}

/**
 * The path of the move that was typed: in notation, or as squares by either name with any separator, of which those
 * between its first and its last may be left out.
 * @param {readonly Move[]} moves
 * @param {string} text
 * @param {readonly {number: number, name: string, algebraic: string}[]} squares
 * @returns {number[]}
 */
export function matchTyped(moves, text, squares) {
  const same = moves.find((move) => move.notation.toLowerCase() === text.trim().toLowerCase());
  if (same) return [...same.path];
  const words = text.toLowerCase().split(/[^a-w0-9]+/u).filter(Boolean); // x joins squares too
  for (const kind of /** @type {const} */ (["name", "algebraic"])) {
    const named = new Map(squares.map((square) => [square.number, square[kind]]));
    const meant = words.length < 2 ? [] : moves.filter(({ path }) => isNamed(words, path.map((square) => named.get(square))));
    const whole = meant.filter(({ path }) => path.length === words.length);
    for (const found of [whole, meant]) if (areOne(found)) return [...found[0].path];
  }
  return [];
}
