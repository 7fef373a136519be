// The lines of a report as moves of the rules.
// @ts-check

import { placeOf } from "../rules/step.js";

/** @typedef {import("../rules/rules.js").Move} Move */
/** @typedef {import("../rules/rules.js").Position} Position */
/** @typedef {import("../rules/searching.js").Report} Report */

/**
 * Each line with path and captures of its first move and the notation of at most so many.
 * @param {Position} position
 * @param {Report} report
 * @param {number} most
 * @returns {{score: number, path: number[], captures: number[], moves: string[]}[]}
 */
export function readLines(position, { lines }, most) {
  return lines.flatMap(({ score, moves }) => {
    const notations = [];
    /** @type {Move | undefined} */
    let first;
    let here = position;
    for (const step of moves.slice(0, most)) {
      const at = placeOf(here, step);
      if (at < 0) break;
      const move = here.legalMoves()[at];
      first ??= move;
      notations.push(here.notations()[at]);
      here = here.play(move);
    }
    return first ? [{ score, path: first.path, captures: first.captures, moves: notations }] : [];
  });
}
