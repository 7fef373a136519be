// Games against the computer that this browser keeps, one for each variant, side and position to begin from.
// @ts-check

import { readStored, store } from "../browser_storage.js";

/**
 * @typedef {object} Terms
 * @property {string} variant
 * @property {string} colour  the visitor's side: first or second
 * @property {string} fen  where the game begins; empty for the usual start
 */

/** @typedef {{moves: string[], level: number, claimed?: string}} KeptGame  `claimed`: why it was drawn on demand */
/** @typedef {Terms & {level: number}} Last */

const KEY = "crownhead:computer";

/** @param {Terms} terms */
const keyOf = ({ variant, colour, fen }) => `${KEY}:${variant}:${colour}:${fen}`;

/** @param {Terms} terms @returns {KeptGame | undefined} */
export function keptGame(terms) {
  return readStored(keyOf(terms)) ?? undefined;
}

/** The terms of the game that was played last. @returns {Last | undefined} */
export function lastTerms() {
  return readStored(KEY) ?? undefined;
}

/** Keep a game; one without moves is forgotten. @param {Terms} terms @param {KeptGame} game */
export function keepGame(terms, game) {
  const { variant, colour, fen } = terms;
  store(keyOf(terms), game.moves.length ? game : undefined);
  store(KEY, { variant, colour, fen, level: game.level });
}
