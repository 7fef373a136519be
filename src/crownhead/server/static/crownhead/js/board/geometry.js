// Where squares are on the screen and which ones are next to each other.
// @ts-check

/**
 * A playable square; row and column from the upper left, as drawn. `algebraic`: its name by file and rank.
 * @typedef {{number: number, name: string, algebraic: string, row: number, column: number}} Square
 */
/** @typedef {"up" | "down" | "left" | "right"} Direction */

/**
 * The same squares with the board turned around.
 * @param {readonly Square[]} squares
 * @param {number} width
 * @param {number} height
 * @returns {Square[]}
 */
export function rotated(squares, width, height) {
  return squares.map((square) => ({
    ...square,
    row: height - 1 - square.row,
    column: width - 1 - square.column,
  }));
}

/**
 * The next playable square in a direction; the same one at the edge. Where only every other square of a row is
 * playable, up and down stay within a pair of columns, so that going back leads back.
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
  const ahead = squares.filter((square) =>
    across
      ? square.row === here.row && (square.column - here.column) * step > 0
      : square.row === here.row + step && square.column >> 1 === here.column >> 1,
  );
  const distance = (/** @type {Square} */ square) => Math.abs(square.column - here.column);
  const [next] = ahead.sort((a, b) => distance(a) - distance(b));
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
