// Arrows and marks that somebody draws on a board for themselves: which there are, and their shapes.
// @ts-check

/** A mark on one square, or an arrow between two; `second`: drawn in the other style. @typedef {{from: number, to: number, second: boolean}} Mark */

/**
 * The marks after one was drawn: the same once more removes it, in another style replaces it.
 * @param {readonly Mark[]} marks
 * @param {Mark} drawn
 * @returns {Mark[]}
 */
export function toggled(marks, drawn) {
  const same = marks.find(({ from, to }) => from === drawn.from && to === drawn.to);
  const others = marks.filter((mark) => mark !== same);
  return same?.second === drawn.second ? others : [...others, drawn];
}

/**
 * The shape of a mark as the data of a path, with the centres of its squares: a circle, or an arrow.
 * @param {{x: number, y: number}} from  in squares
 * @param {{x: number, y: number}} to
 * @returns {string}
 */
export function shape(from, to) {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(across, down);
  if (!length) return `M${from.x - 0.44} ${from.y}a.44 .44 0 1 0 .88 0a.44 .44 0 1 0 -.88 0`;
  const [x, y] = [across / length, down / length];
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${round(to.x - along * x - aside * y)} ${round(to.y - along * y + aside * x)}`;
  return `M${from.x} ${from.y}L${at(0.08, 0)}M${at(0.42, 0.24)}L${at(0.08, 0)}L${at(0.42, -0.24)}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1000) / 1000;
}
