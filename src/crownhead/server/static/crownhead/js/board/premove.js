// A move that is chosen while the opponent thinks: an origin and the squares it is to go over, tried as soon as there are
// legal moves.
// @ts-check

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./state.js").Pieces} Pieces */

/**
 * What is chosen beforehand once a square is touched: nothing, an origin, or an origin and where to from there. A
 * capture is told apart from others by more of its squares: those that are empty are added.
 * @param {readonly number[]} chosen
 * @param {number} square
 * @param {Pieces} pieces
 * @param {string} mine  the side that chooses
 * @returns {number[]}
 */
export function beforehand(chosen, square, pieces, mine) {
  const own = pieces.get(square)?.colour === mine;
  if (chosen.length > 1) return pieces.has(square) || chosen.includes(square) ? [] : [...chosen, square];
  if (own) return chosen[0] === square ? [] : [square];
  return chosen.length === 1 ? [chosen[0], square] : [];
}

/**
 * The path of the legal move that was meant; an empty one where none or more than one could be. A move is meant that
 * goes over the chosen squares in their order and ends on the last; else one that has to go on from there.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} chosen
 * @returns {number[]}
 */
export function comeTrue(moves, chosen) {
  const meant = moves.filter(({ path }) => path[0] === chosen[0] && passes(path, chosen));
  const whole = meant.filter(({ path }) => path[path.length - 1] === chosen[chosen.length - 1]);
  const [only, ...others] = whole.length ? whole : meant;
  return only && !others.length ? [...only.path] : [];
}

/** Whether a path goes over squares in their order. @param {readonly number[]} path @param {readonly number[]} squares */
function passes(path, squares) {
  let at = 0;
  for (const square of path) if (square === squares[at]) at += 1;
  return at === squares.length;
}
