// What is written of a move beside the board, as the server writes it.
// @ts-check

import { phrase } from "./board/labels.js";
import { removesItself } from "./board/position.js";

/**
 * What a move did: `White jumps 15 to 8, takes 11.`
 * @param {Readonly<Record<string, string>>} texts
 * @param {string} side
 * @param {{path: readonly number[], captures: readonly number[], crowned: boolean}} move
 * @param {(square: number) => string} nameOf
 * @returns {string}
 */
export function moveSentence(texts, side, { path, captures, crowned }, nameOf) {
  const facts = {
    side,
    origin: nameOf(path[0]),
    target: nameOf(path[path.length - 1]),
    squares: captures.map(nameOf).join(", "),
  };
  if (removesItself({ path, captures })) return phrase(texts, "removes", facts);
  const sentence = phrase(texts, captures.length ? "jumps" : "moves", facts);
  return crowned ? `${sentence} ${phrase(texts, "crowned")}` : sentence;
}

/**
 * The number of the move that a ply is half of, and whether it is the second half.
 * @param {number} ply  from 1
 * @param {boolean} startsLate  the first move was made by the other side than the variant's first
 * @returns {{number: number, isSecond: boolean}}
 */
export function numberOf(ply, startsLate) {
  const place = ply - 1 + (startsLate ? 1 : 0);
  return { number: Math.floor(place / 2) + 1, isSecond: place % 2 === 1 };
}

/**
 * The line of the move list that a ply stands in, and whether it is the first there.
 * @param {number} ply  from 1
 * @param {boolean} startsLate  the first move was made by the other side than the variant's first
 * @returns {{number: number, begins: boolean}}
 */
export function rowsAfter(ply, startsLate) {
  const { number, isSecond } = numberOf(ply, startsLate);
  return { number, begins: ply === 1 || !isSecond };
}
