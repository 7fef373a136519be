// <checkers-board>: brings to life a board that the server has drawn. It knows no rules; it is told the legal moves.
// Fires `board-ready`, `board-choice` {notation, path, atOnce}, `board-ply` {ply}, `board-hint` {text} and, while a
// position is set up, `board-edit`.
// @ts-check

import { NO_DATA, newMove, told } from "./data.js";
import { Drag, squareOf } from "./drag.js";
import { explain, explainPremove, refuse, targetNotes } from "./explain.js";
import { turned } from "./geometry.js";
import { keyed } from "./keys.js";
import { candidates, finished, origins, targets, touched, typed } from "./moves.js";
import { recall, remember } from "./memory.js";
import { arrive, travel } from "./motion.js";
import { Naming } from "./naming.js";
import { paint, turnAround } from "./paint.js";
import { beforehand, comeTrue } from "./premove.js";
import { setting } from "./settings.js";
import { phrase, pieceList } from "./speech.js";
import { speller } from "./spelling.js";
import { KINDS, along, pieceOf, positions, read, takesItselfOff } from "./state.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./state.js").Pieces} Pieces */
/** @typedef {import("./geometry.js").Square} Square */

const SETTLING = 300; // milliseconds in which a pointer that aimed at the page before is not listened to

/** The board that was taken from the page last: the next one may be of the same game. @type {import("./data.js").Left | undefined} */
let left;

export class CheckersBoard extends HTMLElement {
  data = NO_DATA;
  /** @type {Square[]} from the upper left, as drawn */
  squares = [];
  /** @type {"black" | "white"} */
  bottom = "white";
  /** @type {Record<string, string>} */
  words = {};
  /** @type {Pieces[]} the position after each ply */
  stands = [new Map()];
  ply = 0;
  /** @type {number[]} squares touched so far */
  path = [];
  /** @type {number[]} an origin and where to from there, chosen before it is one's turn */
  premove = [];
  brush = ""; // what a touch puts on a square while a position is set up: "BM", "WK" …; nothing: it is emptied
  naming = new Naming(this);
  #drag = new Drag(this, this);
  #readyAt = 0;
  #due = false;

  connectedCallback() {
    const data = told(this);
    if (!data) return;
    this.data = data;
    /** @type {Square[]} */
    const asWhite = data.squares.map(([number, name, row, column, algebraic]) => ({ number, name, row, column, algebraic }));
    this.squares = data.bottom === "black" ? turned(asWhite, data.width, data.height) : asWhite;
    this.bottom = data.bottom;
    this.words = data.words;
    this.stands = positions(read(data.start), data.record.map((move) => ({ ...move, notation: "" })));
    this.ply = data.ply;
    this.path = data.path;
    this.#restore();
    for (const name of ["click", "keydown", "pointerdown"]) this.addEventListener(name, this);
    document.addEventListener("board-setting", this);
    if (this.#premoving) this.setAttribute("data-hand", data.mine);
    this.focusSquare(this.squares[0].number, { move: false });
    const last = newMove(this.#predecessor(), data);
    this.paint(last && { move: last, from: 0, path: last.path });
    this.dispatchEvent(new CustomEvent("board-ready", { bubbles: true }));
    this.#tellChoice();
    this.#readyAt = performance.now() + SETTLING;
    setTimeout(() => this.setAttribute("data-ready", ""), SETTLING);
  }

  /** The board in whose place this one is put: it may not have been taken away yet. @returns {import("./data.js").Left | undefined} */
  #predecessor() {
    const boards = [...document.querySelectorAll("checkers-board")].filter((board) => board instanceof CheckersBoard);
    return boards.find((board) => board !== this && board.squares.length > 0) ?? left;
  }

  disconnectedCallback() {
    left = { data: this.data, path: this.path };
    this.#drag.abandon();
    for (const name of ["click", "keydown", "pointerdown"]) this.removeEventListener(name, this);
    document.removeEventListener("board-setting", this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) keyed(this, event);
    else if (event instanceof PointerEvent && event.type === "pointerdown") this.#pressed(event);
    else if (event instanceof MouseEvent) this.#clicked(event);
    else {
      this.paint();
      if (finished(this.moves, this.path)) this.#tellChoice();
    }
  }

  // ------------------------------------------------------------------------------------------ what is shown

  /** The position after each ply, as FEN. */
  get fens() {
    return this.data.fens;
  }

  get lastPly() {
    return this.stands.length - 1;
  }

  /** What stands on the board, before anything is touched. */
  get pieces() {
    return this.stands[this.ply];
  }

  /** The legal moves of the position shown. */
  get moves() {
    return this.ply === this.lastPly ? this.data.legal : [];
  }

  /** The moves of the position shown take pieces of one's own from the board. */
  get removing() {
    return this.moves.length > 0 && takesItselfOff(this.moves[0]);
  }

  /** Pieces are put anywhere: nobody plays. */
  get editing() {
    return this.getAttribute("data-mode") === "edit";
  }

  /** A move may be chosen now, to be played once it is one's turn. */
  get #premoving() {
    const waits = this.data.mine && !this.data.legal.length && this.ply === this.lastPly;
    return Boolean(waits) && this.getAttribute("data-pace") === "live";
  }

  /** @param {number} number */
  nameOf(number) {
    const square = this.squares.find((place) => place.number === number);
    const name = setting("names") === "algebraic" ? square?.algebraic : square?.name;
    return name ?? String(number);
  }

  /** A text about moves in the names that are chosen. @param {string} text */
  spelled(text) {
    return speller(this.squares, setting("names"))(text);
  }

  /** What the move at `ply` did, in a sentence. @param {number} ply */
  sentence(ply) {
    return ply ? this.spelled(this.data.record[ply - 1].sentence) : phrase(this.words, "start");
  }

  /** @param {readonly number[]} squares */
  namesOf(squares) {
    return squares.map((square) => this.nameOf(square)).join(", ");
  }

  /**
   * Draw the position, with the half-made move on it; `walk` is what a piece does to come to where it stands.
   * @param {{move: Pick<Move, "captures" | "kinds">, from: number, path: readonly number[], back?: boolean}} [walk]
   */
  paint(walk) {
    arrive(this);
    const [move] = this.path.length ? candidates(this.moves, this.path) : [];
    const last = this.ply ? this.data.record[this.ply - 1] : undefined;
    const before = this.stands[this.ply - 1];
    const shown = move ? along(this.pieces, move, this.path) : { pieces: this.pieces, taken: new Map() };
    const gone = last && before ? last.captures.map((at) => /** @type {const} */ ([at, before.get(at)])) : [];
    const taken = this.data.takenStay ? shown.taken : new Map();
    paint(this, {
      pieces: shown.pieces,
      ghosts: this.path.length > 1 ? taken : new Map(gone),
      last: this.path.length ? undefined : last,
      movable: this.path.length ? new Set() : origins(this.moves),
      removing: this.removing,
      targets: targetNotes(this),
      standing: this.path[this.path.length - 1],
      placed: Boolean(finished(this.moves, this.path)),
      planned: new Set(this.#premoving ? this.premove : this.data.planned),
      faults: new Set(this.data.faults),
    });
    if (!walk) return;
    const { captures, kinds } = walk.move;
    const steps = walk.path.slice(walk.from);
    const kind = KINDS[kinds[walk.back ? kinds.length - 1 : walk.from]];
    if (walk.back) travel(this, { path: [...steps].reverse(), taken: [], kind });
    else travel(this, { path: steps, taken: captures.slice(walk.from, walk.path.length - 1), kind });
  }

  /** Show the position after `ply` moves. @param {number} ply */
  show(ply) {
    const wanted = Math.min(Math.max(ply, 0), this.lastPly);
    if (wanted === this.ply) return;
    const [before, back] = [this.ply, wanted < this.ply];
    this.ply = wanted;
    this.path = [];
    const move = this.data.record[Math.max(wanted, before) - 1];
    const near = Math.abs(wanted - before) === 1;
    this.paint(near ? { move, from: 0, path: move.path, back } : undefined);
    this.#tellChoice();
    this.say(this.sentence(wanted));
    this.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply: wanted } }));
  }

  /** Turn the board by half a turn. */
  flip() {
    arrive(this);
    this.#turn();
    remember(this.data.key, { turned: this.bottom !== this.data.bottom });
    this.say(phrase(this.words, "flipped", { side: phrase(this.words, this.bottom) }));
  }

  #turn() {
    this.squares = turned(this.squares, this.data.width, this.data.height);
    this.bottom = this.bottom === "black" ? "white" : "black";
    turnAround(this);
  }

  // ------------------------------------------------------------------------------------------- choosing a move

  /** @param {PointerEvent} event */
  #pressed(event) {
    const byClicks = setting("entry") === "click" && !this.editing;
    if (performance.now() >= this.#readyAt && !byClicks) this.#drag.pressed(event);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const byPointer = event.detail > 0;
    const square = squareOf(event.target);
    if (square) event.preventDefault();
    if (byPointer && (this.#drag.justEnded || performance.now() < this.#readyAt)) return;
    if (byPointer && square && this.#mustBeDragged(square)) return;
    if (square) {
      this.focusSquare(square, { move: true });
      this.touch(square);
    } else if (this.path.length) this.cancel();
  }

  /** Moves are made by dragging only: a click asks why a piece cannot move, or takes one off. @param {number} square */
  #mustBeDragged(square) {
    if (setting("entry") !== "drag" || this.editing) return false;
    return this.path.length > 0 || this.#premoving || touched(this.moves, [], square).length === 1;
  }

  /** A square is touched, by pointer or key. @param {number} square */
  touch(square) {
    this.naming.forget();
    if (this.editing) this.put(square, this.brush);
    else if (this.moves.length) this.#go(touched(this.moves, this.path, square), square);
    else if (this.#premoving) this.#choosePremove(beforehand(this.premove, square, this.pieces, this.data.mine));
  }

  /** @param {number[]} path @param {number} square @param {{dropped: boolean}} [how] */
  #go(path, square, how) {
    const before = this.path;
    this.path = path;
    this.removeAttribute("data-refused");
    const [move] = candidates(this.moves, path);
    const longer = path.length > 1 && path.length > before.length && !takesItselfOff(move);
    const from = longer && before.every((at, index) => path[index] === at) ? Math.max(before.length - 1, 0) : 0;
    const walk = longer && !how?.dropped ? { move, from, path } : undefined;
    this.paint(walk);
    this.#tellChoice();
    explain(this, before, square);
  }

  /** Take back what is half made, or was chosen beforehand. */
  cancel() {
    this.#drag.abandon();
    if (this.premove.length) this.#choosePremove([]);
    if (!this.path.length) return;
    this.path = [];
    this.paint();
    this.#tellChoice();
    this.hint(phrase(this.words, "taken-back"));
  }

  /** Put the move that a text means on the board; an unfinished text takes it back. @param {string} text */
  choose(text) {
    const before = this.path;
    this.path = typed(this.moves.map((move) => ({ ...move, notation: this.spelled(move.notation) })), text, this.squares);
    const [move] = candidates(this.moves, this.path);
    const made = this.path.length > 1 && before.join() !== this.path.join() && !takesItselfOff(move);
    this.paint(made ? { move, from: 0, path: this.path } : undefined);
    remember(this.data.key, { version: this.data.version, path: this.path });
  }

  #tellChoice() {
    const chosen = finished(this.moves, this.path);
    remember(this.data.key, { version: this.data.version, path: this.path });
    const atOnce = this.data.atOnce && targets(this.moves, this.path).size === 0;
    const detail = { notation: this.spelled(chosen?.notation ?? ""), path: chosen ? [...chosen.path] : [], atOnce };
    this.dispatchEvent(new CustomEvent("board-choice", { bubbles: true, detail }));
  }

  // ----------------------------------------------------------------------------------------- by hand, as Drag asks

  /** @param {number} square */
  mayLift(square) {
    if (this.editing) return this.pieces.has(square);
    if (this.#premoving) return this.pieces.get(square)?.colour === this.data.mine;
    const standing = this.path[this.path.length - 1];
    return this.path.length ? square === standing && targets(this.moves, this.path).size > 0 : this.pieces.has(square) && this.moves.length > 0;
  }

  /** @param {number} square */
  lifted(square) {
    if (this.editing || this.path.includes(square)) return;
    if (this.#premoving) return this.#choosePremove([square]);
    const path = touched(this.moves, [], square);
    // What leaves the board by one touch is not dragged; what cannot move says why.
    if (path.length === 1) this.#go(path, square);
    else this.#drag.abandon();
    if (!path.length) refuse(this, square);
  }

  /** @param {number} square @param {number} origin */
  dropped(square, origin) {
    if (square) this.focusSquare(square, { move: true });
    if (this.editing) return this.#moveTo(origin, square);
    if (square === origin) return;
    if (this.#premoving) return this.#choosePremove(square ? [origin, square] : []);
    const path = targets(this.moves, this.path).get(square);
    if (path) this.#go(path, square, { dropped: path.length === this.path.length + 1 });
    else this.abandoned();
  }

  abandoned() {
    if (this.editing) return;
    if (this.#premoving) this.#choosePremove([]);
    // A capture that has begun stays where it was lifted.
    else if (this.path.length === 1) this.cancel();
  }

  // ------------------------------------------------------------------------------- before it is one's turn

  /** @param {number[]} chosen */
  #choosePremove(chosen) {
    this.premove = chosen;
    remember(this.data.key, { premove: chosen, premovedAt: this.data.version });
    this.paint();
    explainPremove(this);
  }

  /** A move that was chosen beforehand stands on the board, to be sent now. It is told once. */
  takeDue() {
    const due = this.#due;
    this.#due = false;
    return due;
  }

  #restore() {
    const { turned: around, version, path = [], premove = [], premovedAt } = recall(this.data.key);
    if (around) this.#turn();
    const still = version === this.data.version && candidates(this.moves, path).length > 0;
    if (!this.path.length && still) this.path = path;
    if (this.#premoving && premovedAt === this.data.version) this.premove = premove;
    if (premove.length < 2 || premovedAt !== this.data.version - 1 || !this.moves.length) return;
    remember(this.data.key, { premove: [] });
    this.path = comeTrue(this.moves, premove);
    this.#due = this.path.length > 0;
    if (!this.#due) setTimeout(() => this.hint(phrase(this.words, "premove-lost")));
  }

  // ------------------------------------------------------------------------------------- setting a position up

  /** Put a piece on a square, or take off what is like it. @param {number} square @param {string} code "BM", "WK" …, or nothing */
  put(square, code) {
    const wanted = pieceOf(code);
    const there = this.pieces.get(square);
    const same = there && there.colour === wanted?.colour && there.kind === wanted?.kind;
    this.setUp([...this.pieces].filter(([at]) => at !== square).concat(wanted && !same ? [[square, wanted]] : []));
  }

  /** @param {number} origin @param {number} target 0: off the board */
  #moveTo(origin, target) {
    const piece = this.pieces.get(origin);
    const rest = [...this.pieces].filter(([at]) => at !== origin && at !== target);
    if (piece && target !== origin) this.setUp(target ? [...rest, [target, piece]] : rest);
  }

  /** @param {Iterable<[number, import("./state.js").Piece]>} pieces */
  setUp(pieces) {
    this.stands = [new Map(pieces)];
    this.data = { ...this.data, faults: [] };
    this.paint();
    this.dispatchEvent(new CustomEvent("board-edit", { bubbles: true }));
  }

  /** Point at what the laws do not allow. @param {number[]} squares */
  showFaults(squares) {
    this.data = { ...this.data, faults: squares };
    this.paint();
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

  /** Tell what can be asked for by a key: the possible moves, the last move, the pieces. @param {string} what */
  tell(what) {
    const { words } = this.data;
    const moves = this.spelled(this.moves.map((move) => move.notation).join(", "));
    if (what === "moves") this.hint(moves ? phrase(words, "possible", { moves }) : phrase(words, "no-moves"));
    if (what === "last") this.say(this.sentence(this.ply));
    if (what === "pieces") this.say(pieceList(words, this.pieces, (square) => this.nameOf(square)));
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
