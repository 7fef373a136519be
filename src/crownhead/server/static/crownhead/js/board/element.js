// <checkers-board>: brings to life a board that the server has drawn. It knows no rules; it is told the legal moves.
// Fires `board-choice` {notation, path}, `board-ply` {ply} and `board-hint` {text}.
// @ts-check

import { turned } from "./geometry.js";
import { keyed } from "./keys.js";
import { candidates, finished, origins, targets, touched, typed } from "./moves.js";
import { paint, turnAround } from "./paint.js";
import { phrase, pieceList } from "./speech.js";
import { along, positions, read, takesItselfOff } from "./state.js";
import { recall, remember } from "./memory.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./state.js").Pieces} Pieces */
/** @typedef {import("./geometry.js").Square} Square */

const SETTLING = 300; // milliseconds in which a pointer that aimed at the page before is not listened to
const FORGETS_DIGITS = 1000; // milliseconds between the digits of one number

/**
 * @typedef {object} BoardData
 * @property {string} key
 * @property {number} version
 * @property {boolean} atOnce
 * @property {"black" | "white"} bottom
 * @property {number} width
 * @property {number} height
 * @property {boolean} takenStay
 * @property {[number, string, number, number][]} squares
 * @property {Record<string, string>} start
 * @property {(Omit<Move, "notation"> & {sentence: string})[]} record
 * @property {string[]} fens
 * @property {number} ply
 * @property {Move[]} legal
 * @property {number[]} path
 * @property {number} barred
 * @property {Record<string, string>} words
 */

/** @type {BoardData} */
const NO_DATA = {
  key: "",
  version: 0,
  atOnce: false,
  bottom: "white",
  width: 0,
  height: 0,
  takenStay: true,
  squares: [],
  start: {},
  record: [],
  fens: [],
  ply: 0,
  legal: [],
  path: [],
  barred: 0,
  words: {},
};

export class CheckersBoard extends HTMLElement {
  /** @type {BoardData} */
  data = NO_DATA;
  /** @type {Square[]} from the upper left, as drawn */
  squares = [];
  /** @type {"black" | "white"} */
  bottom = "white";
  /** @type {Record<string, string>} */
  words = {};
  /** @type {Map<number, string>} */
  names = new Map();
  /** @type {Pieces[]} the position after each ply */
  stands = [new Map()];
  ply = 0;
  /** @type {number[]} squares touched so far */
  path = [];
  #digits = "";
  #digitsAt = 0;
  #readyAt = 0;

  connectedCallback() {
    const source = this.querySelector("script[type='application/json']");
    if (!source?.textContent) return;
    this.data = JSON.parse(source.textContent);
    const { squares, width, height, start, record, words } = this.data;
    /** @type {Square[]} */
    const asWhite = squares.map(([number, name, row, column]) => ({ number, name, row, column }));
    this.squares = this.data.bottom === "black" ? turned(asWhite, width, height) : asWhite;
    this.bottom = this.data.bottom;
    this.words = words;
    this.names = new Map(this.squares.map((square) => [square.number, square.name]));
    this.stands = positions(read(start), record.map((move) => ({ ...move, notation: "" })));
    this.ply = this.data.ply;
    this.path = this.data.path;
    this.#restore();
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
    this.focusSquare(this.squares[0].number, { move: false });
    this.paint();
    this.#tellChoice();
    this.#readyAt = performance.now() + SETTLING;
    setTimeout(() => this.setAttribute("data-ready", ""), SETTLING);
  }

  disconnectedCallback() {
    this.removeEventListener("click", this);
    this.removeEventListener("keydown", this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) keyed(this, event);
    else if (event instanceof MouseEvent) this.#clicked(event);
  }

  // ------------------------------------------------------------------------------------------ what is shown

  /** The position after each ply, as FEN. */
  get fens() {
    return this.data.fens;
  }

  get lastPly() {
    return this.stands.length - 1;
  }

  /** The legal moves of the position shown. */
  get moves() {
    return this.ply === this.lastPly ? this.data.legal : [];
  }

  /** The moves of the position shown take pieces of one's own from the board. */
  get #removing() {
    return this.moves.length > 0 && takesItselfOff(this.moves[0]);
  }

  /** @param {number} square */
  nameOf(square) {
    return this.names.get(square) ?? String(square);
  }

  /** @param {number[]} squares */
  namesOf(squares) {
    return squares.map((square) => this.nameOf(square)).join(", ");
  }

  /** Draw the position, with the half-made move on it. */
  paint() {
    const [move] = this.path.length ? candidates(this.moves, this.path) : [];
    const pieces = this.stands[this.ply];
    const last = this.ply ? this.data.record[this.ply - 1] : undefined;
    const before = this.stands[this.ply - 1];
    const shown = move ? along(pieces, move, this.path) : { pieces, taken: new Map() };
    const moving = this.path.length > 1;
    const gone = last && before ? last.captures.map((at) => /** @type {const} */ ([at, before.get(at)])) : [];
    const taken = this.data.takenStay ? shown.taken : new Map();
    paint(this, {
      pieces: shown.pieces,
      ghosts: moving ? taken : new Map(gone),
      last: this.path.length ? undefined : last,
      movable: this.path.length ? new Set() : origins(this.moves),
      removing: this.#removing,
      targets: this.#targetNotes(),
      standing: this.path[this.path.length - 1],
      placed: Boolean(finished(this.moves, this.path)),
    });
  }

  /** Show the position after `ply` moves. @param {number} ply */
  show(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.lastPly);
    if (wanted === this.ply) return;
    this.ply = wanted;
    this.path = [];
    this.paint();
    this.#tellChoice();
    this.say(wanted ? this.data.record[wanted - 1].sentence : phrase(this.words, "start"));
    this.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply: wanted } }));
  }

  /** Turn the board by half a turn. */
  flip() {
    this.squares = turned(this.squares, this.data.width, this.data.height);
    this.bottom = this.bottom === "black" ? "white" : "black";
    turnAround(this);
    remember(this.data.key, { turned: this.bottom !== this.data.bottom });
    this.say(phrase(this.words, "flipped", { side: phrase(this.words, this.bottom) }));
  }

  // ------------------------------------------------------------------------------------------- choosing a move

  /** @param {MouseEvent} event */
  #clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button[data-square]") : null;
    if (!button) {
      if (this.path.length) this.cancel();
      return;
    }
    event.preventDefault();
    const byPointer = event.detail > 0;
    if (byPointer && performance.now() < this.#readyAt) return;
    const square = Number(button.getAttribute("data-square"));
    this.focusSquare(square, { move: true });
    this.touch(square);
  }

  /** A square is touched, by pointer or key. @param {number} square */
  touch(square) {
    this.#digits = "";
    if (!this.moves.length) return;
    const before = this.path;
    this.path = touched(this.moves, before, square);
    this.removeAttribute("data-refused");
    this.paint();
    this.#tellChoice();
    this.#explain(before, square);
  }

  /** Take back what is half made. */
  cancel() {
    if (!this.path.length) return;
    this.path = [];
    this.paint();
    this.#tellChoice();
    this.hint(phrase(this.words, "taken-back"));
  }

  /** Put the move that a text means on the board; an unfinished text takes it back. @param {string} text */
  choose(text) {
    this.path = typed(this.moves, text, (square) => this.nameOf(square));
    this.paint();
    remember(this.data.key, { version: this.data.version, path: this.path });
  }

  /** @param {number[]} before @param {number} square */
  #explain(before, square) {
    const chosen = finished(this.moves, this.path);
    const squares = this.namesOf([...targets(this.moves, this.path).keys()]);
    if (chosen) {
      const how = squares ? "may-go-on" : "chosen";
      return this.hint(phrase(this.words, how, { move: chosen.notation, squares }));
    }
    if (this.path.length) {
      const going = this.path.length > 1;
      return this.hint(phrase(this.words, going ? "go-on" : "picked", { square: this.nameOf(square), squares }));
    }
    if (before.length) return this.hint(phrase(this.words, "taken-back"));
    return this.#refuse(square);
  }

  /** Say why nothing can be done with a square. @param {number} square */
  #refuse(square) {
    const piece = this.stands[this.ply].get(square);
    const mover = this.stands[this.ply].get(this.moves[0].path[0]);
    const name = { square: this.nameOf(square) };
    if (!piece) return this.hint(phrase(this.words, "empty-square", name));
    if (piece.colour !== mover?.colour) return this.hint(phrase(this.words, "not-yours"));
    if (!this.moves.some((move) => move.captures.length)) {
      const why = square === this.data.barred ? "barred" : "cannot-move";
      return this.hint(phrase(this.words, why, name));
    }
    this.setAttribute("data-refused", "");
    const squares = this.namesOf([...origins(this.moves)].sort((a, b) => a - b));
    return this.hint(phrase(this.words, this.#removing ? "must-remove" : "must-jump", { squares }));
  }

  /** The squares that can be gone to, and what is said of each. */
  #targetNotes() {
    /** @type {Map<number, string>} */
    const notes = new Map();
    for (const [square, path] of targets(this.moves, this.path)) {
      const [move] = candidates(this.moves, path);
      const taken = move.captures.slice(this.path.length - 1, path.length - 1);
      const words = taken.length ? phrase(this.words, "jump-target", { squares: this.namesOf(taken) }) : undefined;
      notes.set(square, words ?? phrase(this.words, "target"));
    }
    return notes;
  }

  #tellChoice() {
    const chosen = finished(this.moves, this.path);
    remember(this.data.key, { version: this.data.version, path: this.path });
    const atOnce = this.data.atOnce && targets(this.moves, this.path).size === 0;
    const detail = { notation: chosen?.notation ?? "", path: chosen ? [...chosen.path] : [], atOnce };
    this.dispatchEvent(new CustomEvent("board-choice", { bubbles: true, detail }));
  }

  #restore() {
    const kept = recall(this.data.key);
    if (kept.turned) {
      this.squares = turned(this.squares, this.data.width, this.data.height);
      this.bottom = this.bottom === "black" ? "white" : "black";
      turnAround(this);
    }
    const path = kept.path ?? [];
    const still = kept.version === this.data.version && candidates(this.moves, path).length > 0;
    if (!this.path.length && still) this.path = path;
  }

  // ------------------------------------------------------------------------------------------ focus and speech

  /** Make a square the one tab stop, and go there. @param {number} square @param {{move: boolean}} how */
  focusSquare(square, { move }) {
    for (const button of this.querySelectorAll("button[data-square]")) {
      const here = Number(button.getAttribute("data-square")) === square;
      button.setAttribute("tabindex", here ? "0" : "-1");
      if (here && move && button instanceof HTMLElement) button.focus();
    }
  }

  /** A digit of a square's number. @param {string} digit */
  digit(digit) {
    const now = performance.now();
    this.#digits = now - this.#digitsAt < FORGETS_DIGITS ? this.#digits + digit : digit;
    this.#digitsAt = now;
    const found = this.squares.find((square) => square.name === this.#digits);
    if (found) this.focusSquare(found.number, { move: true });
  }

  /** Tell what can be asked for by a key: the possible moves, the last move, the pieces. @param {string} what */
  tell(what) {
    const { record, words } = this.data;
    const moves = this.moves.map((move) => move.notation).join(", ");
    if (what === "moves") this.hint(moves ? phrase(words, "possible", { moves }) : phrase(words, "no-moves"));
    if (what === "last") this.say(this.ply ? record[this.ply - 1].sentence : phrase(words, "start"));
    if (what === "pieces") this.say(pieceList(words, this.stands[this.ply], (square) => this.nameOf(square)));
  }

  /** Speak to those who listen. @param {string} text */
  say(text) {
    const region = this.querySelector("[data-live]");
    if (region) region.textContent = text;
  }

  /** Say something that the page shows too. @param {string} text */
  hint(text) {
    this.say(text);
    this.dispatchEvent(new CustomEvent("board-hint", { bubbles: true, detail: { text } }));
  }
}
