// Tests of a game against the computer that the browser plays and keeps.
// @ts-check

import assert from "node:assert/strict";
import { keepGame, keptGame, lastTerms } from "../../src/crownhead/server/static/crownhead/js/computer/kept.js";
import { Session } from "../../src/crownhead/server/static/crownhead/js/computer/session.js";

/** A position in which the side to move has one man and one move. @param {number} ply @returns {any} */
function position(ply = 0) {
  const move = { path: [ply + 1, ply + 2], captures: [], crowns: false };
  return {
    turn: ply % 2 ? "white" : "black",
    rules: { row: { squares: ["a", "b", "c", "d", "e"], draws: [], countsRuns: false, captureSign: "x" } },
    piece: () => ({ colour: ply % 2 ? "white" : "black", kind: "man" }),
    legalMoves: () => [move],
    notation: () => `${ply + 1}-${ply + 2}`,
    notations: () => [`${ply + 1}-${ply + 2}`],
    play: () => position(ply + 1),
    outcome: () => null,
    fen: () => `after ${ply}`,
  };
}

Deno.test("the last move is shown as it is among all of them", () => {
  /** @type {any} */
  const rules = { start: position };
  /** @type {any} */
  const known = { fen: "", mine: "black", crowning: {}, kingRun: 0, texts: { moves: "{side} moves {origin} to {target}." } };
  const session = new Session(rules, known);
  for (let ply = 0; ply < 2; ply++) session.game.push(session.game.position.legalMoves()[0]);
  const words = { black: "Red", white: "White" };
  const { record, fens, legal } = session.shown(words);
  assert.deepEqual(record.map(({ sentence }) => sentence), ["Red moves a to b.", "White moves b to c."]);
  assert.deepEqual(session.notations, ["1-2", "2-3"]);
  assert.deepEqual(session.latest(words), { ply: 2, move: record[1], notation: "2-3", fen: fens[2] });
  assert.deepEqual(legal.map(({ notation }) => notation), ["3-4"]);
});

Deno.test("games are kept apart by variant, side and start, and forgotten without moves", () => {
  const [one, other] = [{ variant: "russian", colour: "first", fen: "" }, { variant: "russian", colour: "second", fen: "" }];
  localStorage.clear();
  keepGame(one, { moves: ["c3-d4"], level: 2 });
  keepGame(other, { moves: ["c3-b4", "b6-a5"], level: 9 });
  assert.deepEqual(keptGame(one), { moves: ["c3-d4"], level: 2 });
  assert.deepEqual(lastTerms(), { ...other, level: 9 });
  keepGame(one, { moves: [], level: 2 });
  assert.equal(keptGame(one), undefined);
});
