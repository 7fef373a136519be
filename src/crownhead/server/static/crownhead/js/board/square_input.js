// Typing the name of a square to focus it: digits at any time; letters after a full stop, because they are shortcuts otherwise.
// @ts-check

import { phrase } from "./labels.js";

/** @typedef {import("./element.js").CheckersBoard} CheckersBoard */

const TIMEOUT = 1500; // milliseconds between two characters of one name

export class SquareInput {
  #board;
  #typed = "";
  #at = 0;
  #letters = false;

  /** @param {CheckersBoard} board */
  constructor(board) {
    this.#board = board;
  }

  reset() {
    this.#typed = "";
    this.#letters = false;
  }

  /**
   * Whether the key belongs to a name; if so, the square with that name gets the focus.
   * The time of a key is when it was pressed: a page that is busy hears of it later.
   * @param {KeyboardEvent} event
   */
  accepts({ key, timeStamp }) {
    if (timeStamp - this.#at > TIMEOUT) this.reset();
    if (key === ".") {
      this.reset();
      this.#letters = true;
      this.#board.announce(phrase(this.#board.words, "naming"));
    } else if (/^\d$/u.test(key) || (this.#letters && /^[a-z]$/iu.test(key))) this.#add(key.toLowerCase());
    else return false;
    this.#at = timeStamp;
    return true;
  }

  /** @param {string} character */
  #add(character) {
    this.#typed += character;
    const names = this.#board.squares;
    const named =
      names.find((square) => this.#board.nameOf(square.number) === this.#typed) ??
      names.find((square) => square.name === this.#typed || square.algebraic === this.#typed);
    if (named) this.#board.focusSquare(named.number, { move: true });
  }
}
