// Tests of analysis/: the tree of moves, records in PDN, what scores mean.
// @ts-check

import assert from "node:assert/strict";
import { playMoves, splitRecord, writeMoves, writeRecord } from "../../src/crownhead/server/static/crownhead/js/analysis/record.js";
import { shortWorth, whiteShare, worth } from "../../src/crownhead/server/static/crownhead/js/analysis/scores.js";
import { Tree } from "../../src/crownhead/server/static/crownhead/js/analysis/tree.js";

const MOVES = ["11-15", "9-13", "12-16"];

/** A position in which the same three moves can always be made. @param {number} ply @returns {any} */
function position(ply = 0) {
  const legal = MOVES.map((text) => ({ path: text.split("-").map(Number), captures: [], crowns: false }));
  return {
    turn: ply % 2 ? "white" : "black",
    legalMoves: () => legal,
    notation: (/** @type {{path: number[]}} */ { path }) => {
      if (MOVES.includes(path.join("-"))) return path.join("-");
      throw new RangeError("no such move");
    },
    play: () => position(ply + 1),
    parse: (/** @type {string} */ text) => legal[MOVES.indexOf(text)] ?? assert.fail("no such move"),
  };
}

/** @param {string} text */
function read(text) {
  const tree = new Tree(position());
  const done = playMoves(text, tree);
  return { tree, ...done, written: writeMoves(tree, false).join(" ") };
}

Deno.test("another move at the same place is a variation, and the same move is not played twice", () => {
  const tree = new Tree(position());
  const [first, second] = tree.root.position.legalMoves();
  const main = tree.play(tree.root, first);
  const side = tree.play(tree.root, second);
  assert.equal(tree.play(tree.root, first), main);
  assert.deepEqual(tree.root.children, [main, side]);
  assert.deepEqual([main.isVariation, side.isVariation, tree.play(side, first).isVariation], [false, true, true]);
  assert.deepEqual(tree.line(tree.root).map(({ notation }) => notation), ["", "11-15"]);
  assert.throws(() => tree.play(main, { path: [1, 2], captures: [], crowns: false }), RangeError);
});

Deno.test("a variation is promoted by one place, and deleted with all that follows", () => {
  const { tree, end } = read("1. 11-15 (1. 9-13 11-15) (1. 12-16) 1... 9-13");
  const inside = tree.root.children[1].children[0];
  assert.equal(tree.promote(inside), true);
  assert.deepEqual(tree.root.children.map(({ notation }) => notation), ["9-13", "11-15", "12-16"]);
  assert.equal(tree.promote(inside), false);
  assert.equal(tree.remove(inside), tree.root.children[0]);
  assert.equal(tree.node(inside.id), undefined);
  assert.equal(end.notation, "9-13");
  assert.throws(() => tree.remove(tree.root), RangeError);
});

Deno.test("a record is read with its variations, comments and marks, and written as it was", () => {
  const text = "{a start} 1. 11-15! 9-13 (1... 12-16 {worse} 2. 11-15) (1... 11-15?) 2. 12-16";
  const { tree, written, refused } = read(text);
  assert.equal(refused, "");
  assert.equal(written, text);
  assert.equal(read(written).written, written);
  assert.equal(tree.root.comment, "a start");
});

Deno.test("a record that starts with the other side begins with its second half", () => {
  const tree = new Tree(position());
  playMoves("1... 11-15 2. 9-13", tree);
  assert.equal(writeMoves(tree, true).join(" "), "1... 11-15 2. 9-13");
});

Deno.test("a move that cannot be made ends its line, and no other", () => {
  const { written, refused } = read("1. 11-15 (1. 9-13 7-7 11-15) 9-13 $2 2. 8-8 3. 11-15");
  assert.equal(refused, "7-7");
  assert.equal(written, "1. 11-15 (1. 9-13) 1... 9-13?");
});

Deno.test("of several records the first is read, brackets that do not match included", () => {
  assert.equal(read("1. 11-15 1-0 1. 9-13").written, "1. 11-15");
  assert.equal(read("( 1. 11-15").written, "");
  assert.equal(read(") 1. 11-15").written, "");
});

Deno.test("the tags of a record are read and written with their quotation marks", () => {
  const { tags, moves } = splitRecord('[Event "The \\"Open\\""]\n[GameType "21"]\n\n1. 11-15 *');
  assert.deepEqual([...tags], [["Event", 'The "Open"'], ["GameType", "21"]]);
  assert.equal(moves.trim(), "1. 11-15 *");
  const { tree } = read(moves);
  assert.equal(writeRecord(tree, { tags: [["Event", 'The "Open"']], startsLate: false }), '[Event "The \\"Open\\""]\n\n1. 11-15 *\n');
});

Deno.test("a score says who is ahead, who wins and in how many moves", () => {
  const texts = { white: "White", black: "Red", "wins-in": "{side} wins in {count}", "has-won": "{side} has won", wins: "{side} wins", drawn: "draw", equal: "equal" };
  assert.equal(worth(45, "black", texts), "Red +0.45");
  assert.equal(worth(-45, "black", texts), "White +0.45");
  assert.equal(worth(29_991, "white", texts), "White wins in 5");
  assert.equal(worth(-30_000, "white", texts), "Red has won");
  assert.equal(worth(25_000, "white", texts), "White wins");
  assert.equal(worth(12, "white", texts, "draw"), "draw");
  assert.equal(worth(12, "white", texts, "loss"), "Red wins");
  assert.deepEqual([shortWorth(45, "black"), shortWorth(29_991, "black"), shortWorth(0, "black")], ["−0.5", "#−5", "0.0"]);
  assert.equal(shortWorth(4, "black"), "0.0");
});

Deno.test("the bar is even where the game is, and full where it is decided", () => {
  assert.equal(whiteShare(0, "black"), 0.5);
  assert.ok(whiteShare(100, "black") < 0.2 && whiteShare(100, "black") > 0.02);
  assert.deepEqual([whiteShare(29_999, "white"), whiteShare(29_999, "black"), whiteShare(300, "black", "draw")], [1, 0, 0.5]);
});
