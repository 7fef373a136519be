// Where squares lie on the screen and which one is next to which.
// @ts-check

/** @typedef {{number: number, name: string, row: number, column: number}} Square  from the upper left, as drawn */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/**
 * The same squares after half a turn of the board.
 * @param {readonly Square[]} squares
 * @param {number} width
 * @param {number} height
 * @returns {Square[]}
 */
export function turned(squares, width, height) {
  return squares.map((square) => ({
    ...square,
    row: height - 1 - square.row,
    column: width - 1 - square.column,
  }));
}

/**
 * The next playable square in a direction; the same one at the edge. Up and down keep to a pair of
 * columns, in which every row has just one playable square, so that going back leads back.
 * @param {readonly Square[]} squares
 * @param {number} from
 * @param {Direction} direction
 * @returns {number}
 */
export function neighbour(squares, from, direction) {
  const here = squares.find((square) => square.number === from);
  if (!here) return from;
  const across = direction === "left" || direction === "right";
  const step = direction === "left" || direction === "up" ? -1 : 1;
  const next = squares.find((square) =>
    across
      ? square.row === here.row && square.column === here.column + 2 * step
      : square.row === here.row + step && square.column >> 1 === here.column >> 1,
  );
  return next ? next.number : from;
}

/**
 * The first or the last playable square of a row.
 * @param {readonly Square[]} squares
 * @param {number} from
 * @param {"first" | "last"} which
 * @returns {number}
 */
export function endOfRow(squares, from, which) {
  const here = squares.find((square) => square.number === from);
  const row = squares.filter((square) => square.row === here?.row).sort((a, b) => a.column - b.column);
  const end = which === "first" ? row[0] : row[row.length - 1];
  return end ? end.number : from;
}
