// A move in a report of the engine, which knows no path, as a move of the rules.
// @ts-check

/** @typedef {import("./rules.js").Position} Position */
/** @typedef {import("./searching.js").Step} Step */

/**
 * The place of a step among the legal moves of a position; -1: it is none of them.
 * @param {Position} position
 * @param {Step} step
 */
export function placeOf(position, { origin, target, crowns, captures }) {
  return position.legalMoves().findIndex((move) =>
    move.path[0] === origin && move.path[move.path.length - 1] === target && move.crowns === crowns &&
    move.captures.length === captures.length && captures.every((square) => move.captures.includes(square))
  );
}
