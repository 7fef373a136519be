// Typing the name of a square: digits at any time, and after a full stop letters too, which else are keys.
// @ts-check

import { phrase } from "./speech.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

const FORGETS = 1500; // milliseconds between two signs of one name

export class Naming {
  #board;
  #typed = "";
  #at = 0;
  #letters = false;

  /** @param {CheckersBoard} board */
  constructor(board) {
    this.#board = board;
  }

  forget() {
    this.#typed = "";
    this.#letters = false;
  }

  /** Whether the key belongs to a name; it then goes to the square that has it. @param {string} key */
  takes(key) {
    if (performance.now() - this.#at > FORGETS) this.forget();
    if (key === ".") {
      this.forget();
      this.#letters = true;
      this.#board.say(phrase(this.#board.words, "naming"));
    } else if (/^\d$/u.test(key) || (this.#letters && /^[a-z]$/iu.test(key))) this.#add(key.toLowerCase());
    else return false;
    this.#at = performance.now();
    return true;
  }

  /** @param {string} sign */
  #add(sign) {
    this.#typed += sign;
    const names = this.#board.squares;
    const found =
      names.find((square) => this.#board.nameOf(square.number) === this.#typed) ??
      names.find((square) => square.name === this.#typed || square.algebraic === this.#typed);
    if (found) this.#board.focusSquare(found.number, { move: true });
  }
}
