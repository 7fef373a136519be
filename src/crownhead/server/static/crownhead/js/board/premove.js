// Premoves: an origin and the squares after it, chosen on the opponent's turn and played as soon as that is legal.
// @ts-check

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./position.js").Pieces} Pieces */

/**
 * The premove after one more square was chosen: nothing, an origin, or an origin and the squares after it. Further
 * empty squares distinguish captures that begin and end alike.
 * @param {readonly number[]} chosen
 * @param {number} square
 * @param {Pieces} pieces
 * @param {string} mine  the side that premoves
 * @returns {number[]}
 */
export function extendPremove(chosen, square, pieces, mine) {
  const own = pieces.get(square)?.colour === mine;
  if (chosen.length > 1) return pieces.has(square) || chosen.includes(square) ? [] : [...chosen, square];
  if (own) return chosen[0] === square ? [] : [square];
  return chosen.length === 1 ? [chosen[0], square] : [];
}

/**
 * The path of the one legal move that fits a premove; empty if none or several fit. A move fits that goes over the
 * chosen squares in their order and ends on the last; failing that, one that has to go on from there.
 * @param {readonly Move[]} moves
 * @param {readonly number[]} chosen
 * @returns {number[]}
 */
export function resolvePremove(moves, chosen) {
  const fitting = moves.filter(({ path }) => path[0] === chosen[0] && passes(path, chosen));
  const exact = fitting.filter(({ path }) => path[path.length - 1] === chosen[chosen.length - 1]);
  const [only, ...others] = exact.length ? exact : fitting;
  return only && others.every(({ notation }) => notation === only.notation) ? [...only.path] : [];
}

/** Whether a path goes over squares in their order. @param {readonly number[]} path @param {readonly number[]} squares */
function passes(path, squares) {
  let at = 0;
  for (const square of path) if (square === squares[at]) at += 1;
  return at === squares.length;
}
