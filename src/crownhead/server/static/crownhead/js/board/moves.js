// How touching squares, one after the other, picks one of the legal moves. It knows no rules: a move is a path.
// @ts-check

/**
 * A legal move. `kinds` has a letter for each square of the path: as what the piece stands there.
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
 * The path once the piece on `square` is touched: a piece that goes nowhere has moved by that.
 * @param {readonly Move[]} moves
 * @param {number} square
 * @returns {number[]}
 */
export function picked(moves, square) {
  const stays = moves.some(({ path }) => path.length === 2 && path[0] === square && path[1] === square);
  return stays ? [square, square] : [square];
}

/**
 * The move that `path` has brought to its end, if any; there may be longer ones that begin like it.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {Move | undefined}
 */
export function finished(moves, path) {
  return candidates(moves, path).find((move) => move.path.length === path.length);
}

/**
 * Goes on along `path` for as long as there is no choice.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {number[]}
 */
function carriedOn(moves, path) {
  const walked = [...path];
  for (;;) {
    const next = new Set(candidates(moves, walked).map((move) => move.path[walked.length]));
    const [only] = next;
    if (next.size !== 1 || only === undefined) return walked;
    walked.push(only);
  }
}

/**
 * Where a piece on its way along `path` can be sent, with the path that each square leads to: the next
 * landing squares, and the last squares that only one move ends on. The square on which the piece stands is
 * none of the last: touching it takes the move back.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @returns {Map<number, number[]>}
 */
export function targets(moves, path) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  if (path.length === 0) return found;
  const onward = candidates(moves, path).filter((move) => move.path.length > path.length);
  for (const move of onward) {
    const next = move.path[path.length];
    if (!found.has(next)) found.set(next, carriedOn(moves, [...path, next]));
  }
  const ends = onward.map((move) => move.path[move.path.length - 1]);
  onward.forEach((move, index) => {
    const end = ends[index];
    const unique = ends.filter((other) => other === end).length === 1;
    const stands = path[path.length - 1] === end;
    if (unique && !stands && !found.has(end)) found.set(end, [...move.path]);
  });
  return found;
}

/**
 * The path after `square` was touched; an empty one when everything is taken back.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} path
 * @param {number} square
 * @returns {number[]}
 */
export function touched(moves, path, square) {
  const onward = targets(moves, path).get(square);
  if (onward) return onward;
  if (path.slice(1, -1).includes(square)) return [...path]; // the piece has passed it by itself already
  if (path[path.length - 1] === square) return [];
  return origins(moves).has(square) ? picked(moves, square) : [];
}

/**
 * The path that typed text means: the notation of a legal move, or its squares, however they are called and joined.
 * @param {readonly Move[]} moves
 * @param {string} text
 * @param {readonly {number: number, name: string, algebraic: string}[]} squares
 * @returns {number[]}
 */
export function typed(moves, text, squares) {
  const same = moves.find((move) => move.notation.toLowerCase() === text.trim().toLowerCase());
  if (same) return [...same.path];
  const words = text.toLowerCase().split(/[^a-w0-9]+/u).filter(Boolean).join("-"); // x joins squares too
  for (const kind of /** @type {const} */ (["name", "algebraic"])) {
    const names = new Map(squares.map((square) => [square.number, square[kind]]));
    const spelled = (/** @type {readonly number[]} */ path) => path.map((square) => names.get(square)).join("-");
    const whole = moves.filter((move) => spelled(move.path) === words);
    const short = moves.filter((move) => spelled([move.path[0], move.path[move.path.length - 1]]) === words);
    const meant = whole.length === 1 ? whole : short;
    if (meant.length === 1) return [...meant[0].path];
  }
  return [];
}
