// Tests of the modules that write texts: labels for screen readers, names of squares, FEN.
// @ts-check

import assert from "node:assert/strict";
import { toFen } from "../../src/crownhead/server/static/crownhead/js/board/fen.js";
import { describePieces, phrase, squareLabel } from "../../src/crownhead/server/static/crownhead/js/board/labels.js";
import { parsePieces } from "../../src/crownhead/server/static/crownhead/js/board/position.js";
import { squareRenamer } from "../../src/crownhead/server/static/crownhead/js/board/square_names.js";

const WORDS = {
  black: "Red",
  white: "White",
  empty: "empty",
  none: "nothing",
  "white-king": "white king",
  "list-man": "men {squares}",
  "list-king": "kings {squares}",
};

Deno.test("a phrase keeps placeholders that nobody fills, and an unknown key is shown as it is", () => {
  assert.equal(phrase({ go: "from {a} to {b}" }, "go", { a: "1" }), "from 1 to {b}");
  assert.equal(phrase({}, "go"), "go");
});

Deno.test("a square is labelled with its piece and notes", () => {
  assert.equal(squareLabel(WORDS, { name: "22", piece: { colour: "white", kind: "king" }, notes: ["can move"] }), "22, white king, can move");
  assert.equal(squareLabel(WORDS, { name: "22", notes: [] }), "22, empty");
});

Deno.test("the pieces are listed by side and kind", () => {
  const pieces = parsePieces({ 1: "BM", 2: "BM", 30: "BK" });
  assert.equal(describePieces(WORDS, pieces, String), "Red: men 1, 2; kings 30. White: nothing.");
});

Deno.test("numbers of squares become file and rank, and other names stay", () => {
  const squares = [{ name: "11", algebraic: "c3" }, { name: "15", algebraic: "d4" }];
  assert.equal(squareRenamer(squares, "algebraic")("White jumps 15 to 8, takes 11."), "White jumps d4 to 8, takes c3.");
  assert.equal(squareRenamer(squares, "own")("11-15"), "11-15");
  assert.equal(squareRenamer([{ name: "a3", algebraic: "a3" }], "algebraic")("a3-a4"), "a3-a4");
});

Deno.test("a position is written with the side to move and sorted squares", () => {
  const pieces = parsePieces({ 22: "WK", 21: "WM", 1: "BM" });
  assert.equal(toFen("white", pieces, String), "W:W21,K22:B1");
  assert.equal(toFen("black", new Map(), String), "B:W:B");
});

Deno.test("a king's run is written while that king is there", () => {
  const pieces = parsePieces({ 46: "WK", 28: "WK", 7: "BM" });
  assert.equal(toFen("white", pieces, String, { white: [46, 2] }), "W:WK28,K46:B7:+0+2@46");
  assert.equal(toFen("white", pieces, String, { white: [40, 2] }), "W:WK28,K46:B7");
});
