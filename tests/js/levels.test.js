// Tests of the form that a level of play has in a game.
// @ts-check

import { levelIn } from "../../src/crownhead/server/static/crownhead/js/rules/levels.js";

const GAMES = 600;

/** @param {number} number @param {string} [turn] */
function gameOf(number, turn = "white") {
  const moves = [number % 7, number % 11, number % 13, number].map((square) => ({ path: [square, square + 4] }));
  return { positions: [{ fen: () => "the start" }], moves, position: { turn } };
}

/** @param {number} level @param {string} [turn] */
function levelsAt(level, turn) {
  return Array.from({ length: GAMES }, (_, number) => levelIn(gameOf(number, turn), level));
}

Deno.test("a level has good and bad days equally often", () => {
  for (let level = 3; level <= 8; level++) {
    const levels = levelsAt(level);
    for (const form of [-2, -1, 0, 1, 2]) {
      const times = levels.filter((one) => one === level + form).length;
      const expected = (GAMES / 16) * [6, 4, 1][Math.abs(form)];
      const isNear = Math.abs(times - expected) <= 4 * Math.sqrt(expected);
      if (!isNear) throw new Error(`level ${level} played like ${level + form} in ${times} games`);
    }
  }
  for (const level of [2, 9]) {
    if (levelsAt(level).some((one) => Math.abs(one - level) > 1)) throw new Error(`level ${level} played far from itself`);
  }
});

Deno.test("each side of a game has a form of its own", () => {
  const [white, black] = [levelsAt(5, "white"), levelsAt(5, "black")];
  const alike = white.filter((level, number) => level === black[number]).length;
  if (alike < 110 || alike > 220) throw new Error(`alike in ${alike} games of ${GAMES}`);
});

Deno.test("later moves leave the form as it is", () => {
  const game = gameOf(5);
  game.moves.push({ path: [9, 13] }, { path: [24, 20] });
  const before = levelIn(game, 5);
  for (let square = 1; square < 30; square++) game.moves.push({ path: [square, square + 4] });
  if (levelIn(game, 5) !== before) throw new Error("the form has changed");
});

Deno.test("the lowest and the highest level are always themselves, and every level for a position alone", () => {
  for (const level of [1, 10]) {
    if (levelsAt(level).some((one) => one !== level)) throw new Error(`level ${level} had another form`);
  }
  if (levelIn({ fen: () => "the start" }, 5) !== 5) throw new Error("a position had a form");
});
