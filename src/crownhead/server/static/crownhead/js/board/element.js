// <checkers-board>: makes a board that the server has drawn playable. It knows no rules; the page lists the legal moves.
// Fires `board-ready`, `board-choice` {notation, path, atOnce}, `board-ply` {ply}, `board-hint` {text} and, in the
// position editor, `board-place` {square, origin, code}.
// @ts-check

import { NO_DATA, newlyPlayed, readData } from "./data.js";
import { Drag, squareOf } from "./drag.js";
import { explain, explainPremove, refuse, targetNotes } from "./feedback.js";
import { rotated } from "./geometry.js";
import { handleKey } from "./keyboard.js";
import { afterTouch, candidates, completed, matchTyped, origins, targets } from "./moves.js";
import { load, save } from "./storage.js";
import { animate, finishAnimations } from "./animation.js";
import { SquareInput } from "./square_input.js";
import { render, rotateBoard } from "./render.js";
import { extendPremove, resolvePremove } from "./premove.js";
import { setting } from "./settings.js";
import { phrase, describePieces } from "./labels.js";
import { squareRenamer } from "./square_names.js";
import { sentenceAt } from "./told.js";
import { KINDS, afterPath, parsePieces, removesItself, replay } from "./position.js";

/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./position.js").Pieces} Pieces */
/** @typedef {import("./geometry.js").Square} Square */

/** The board that was removed from the page last: the next one may belong to the same game. @type {import("./data.js").PreviousBoard | undefined} */
let previous;

export class CheckersBoard extends HTMLElement {
  data = NO_DATA;
  /** @type {Square[]} from the upper left, as drawn */
  squares = [];
  /** @type {"black" | "white"} */
  bottom = "white";
  /** @type {Record<string, string>} */
  words = {};
  /** @type {Pieces[]} the position after each ply */
  positions = [new Map()];
  ply = 0;
  /** @type {number[]} squares touched so far */
  path = [];
  /** @type {number[]} a move chosen in advance: its origin and the squares after it */
  premove = [];
  /** @type {Map<number, string>} where the piece of a premove could go now, once the laws are here */
  reach = new Map();
  /** The laws, where the page knows them for every position of the line. @type {((ply: number) => {legal: Move[], barred: number}) | undefined} */
  laws = undefined;
  squareInput = new SquareInput(this);
  #drag = new Drag(this, this);
  #due = false;
  /** @type {Parameters<CheckersBoard["render"]>[0]} how the last hop of a move that goes at once is shown */
  #lastHop = undefined;

  connectedCallback() {
    const data = readData(this);
    if (!data) return;
    this.data = data;
    /** @type {Square[]} */
    const asWhite = data.squares.map(([number, name, row, column, algebraic]) => ({ number, name, row, column, algebraic }));
    this.squares = data.bottom === "black" ? rotated(asWhite, data.width, data.height) : asWhite;
    this.bottom = data.bottom;
    this.words = data.words;
    this.positions = replay(parsePieces(data.start), data.record.map((move) => ({ ...move, notation: "" })));
    this.ply = data.ply;
    this.path = data.path;
    this.#restore();
    for (const name of ["click", "keydown", "pointerdown"]) this.addEventListener(name, this);
    document.addEventListener("board-setting", this);
    if (this.#premoving) this.setAttribute("data-hand", data.mine);
    this.focusSquare(this.squares[0].number, { move: false });
    const last = newlyPlayed(this.#previousBoard(), data);
    this.render(last && { move: last, from: 0, path: last.path });
    this.dispatchEvent(new CustomEvent("board-ready", { bubbles: true }));
    this.#fireChoice();
    this.setAttribute("data-ready", "");
  }

  /** The board that this one replaces, which may still be on the page. @returns {import("./data.js").PreviousBoard | undefined} */
  #previousBoard() {
    const boards = [...document.querySelectorAll("checkers-board")].filter((board) => board instanceof CheckersBoard);
    return boards.find((board) => board !== this && board.squares.length > 0) ?? previous;
  }

  disconnectedCallback() {
    previous = { data: this.data, path: this.path };
    this.#drag.cancel();
    for (const name of ["click", "keydown", "pointerdown"]) this.removeEventListener(name, this);
    document.removeEventListener("board-setting", this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) handleKey(this, event);
    else if (event instanceof PointerEvent && event.type === "pointerdown") this.#pointerDown(event);
    else if (event instanceof MouseEvent) this.#clicked(event);
    else {
      this.render();
      if (completed(this.moves, this.path)) this.#fireChoice();
    }
  }

  // ------------------------------------------------------------------------------------------ what is shown

  get lastPly() {
    return this.positions.length - 1;
  }

  /** The pieces of the position shown, without the half-made move. */
  get pieces() {
    return this.positions[this.ply];
  }

  /** The legal moves of the position shown. */
  get moves() {
    if (this.laws) return this.laws(this.ply).legal;
    return this.ply === this.lastPly ? this.data.legal : [];
  }

  /** The king that may not step again in the position shown; 0: none. */
  get barred() {
    return this.laws ? this.laws(this.ply).barred : this.data.barred;
  }

  /** Whether a move consists in removing one of your own pieces (Konane). */
  get removing() {
    return this.moves.length > 0 && removesItself(this.moves[0]);
  }

  /** Whether this is the position editor. */
  get editing() {
    return this.getAttribute("data-mode") === "edit";
  }

  /** Whether a premove can be chosen now. */
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

  /** A text about moves with the chosen names of squares. @param {string} text */
  withSquareNames(text) {
    return squareRenamer(this.squares, setting("names"))(text);
  }

  /** The move at `ply` as a sentence. @param {number} ply */
  sentence(ply) {
    return ply ? this.withSquareNames(sentenceAt(this, ply)) : phrase(this.words, "start");
  }

  /** @param {readonly number[]} squares */
  namesOf(squares) {
    return squares.map((square) => this.nameOf(square)).join(", ");
  }

  /**
   * Draw the position with the half-made move; `animated` is the move that led to it, if it is to be animated.
   * @param {{move: Pick<Move, "captures" | "kinds">, from: number, path: readonly number[], back?: boolean}} [animated]
   */
  render(animated) {
    finishAnimations(this);
    const [move] = this.path.length ? candidates(this.moves, this.path) : [];
    const last = this.ply ? this.data.record[this.ply - 1] : undefined;
    const before = this.positions[this.ply - 1];
    const shown = move ? afterPath(this.pieces, move, this.path) : { pieces: this.pieces, taken: new Map() };
    const justTaken = last && before ? last.captures.map((at) => /** @type {const} */ ([at, before.get(at)])) : [];
    const taken = this.data.takenStay ? shown.taken : new Map();
    render(this, {
      pieces: shown.pieces,
      ghosts: this.path.length > 1 ? taken : new Map(justTaken),
      last: this.path.length ? undefined : last,
      movable: this.path.length ? new Set() : origins(this.moves),
      removing: this.removing,
      targets: this.premove.length === 1 ? this.reach : targetNotes(this),
      standing: this.path[this.path.length - 1],
      placed: Boolean(completed(this.moves, this.path)),
      planned: new Set(this.#premoving ? this.premove : this.data.planned),
      faults: new Set(this.data.faults),
    });
    if (!animated) return;
    const { captures, kinds } = animated.move;
    const steps = animated.path.slice(animated.from);
    const kind = KINDS[kinds[animated.back ? kinds.length - 1 : animated.from]];
    if (animated.back) animate(this, { path: [...steps].reverse(), taken: [], kind });
    else animate(this, { path: steps, taken: captures.slice(animated.from, animated.path.length - 1), kind });
  }

  /** Show the position after `ply` moves. @param {number} ply */
  show(ply) {
    const target = Math.min(Math.max(ply, 0), this.lastPly);
    if (target === this.ply) return;
    const [before, back] = [this.ply, target < this.ply];
    this.ply = target;
    this.path = [];
    const move = this.data.record[Math.max(target, before) - 1];
    const near = Math.abs(target - before) === 1;
    this.render(near ? { move, from: 0, path: move.path, back } : undefined);
    this.#fireChoice();
    this.announce(this.sentence(target));
    this.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply: target } }));
  }

  /** Turn the board around. */
  flip() {
    finishAnimations(this);
    this.#rotate();
    save(this.data.key, { turned: this.bottom !== this.data.bottom });
    this.announce(phrase(this.words, "flipped", { side: phrase(this.words, this.bottom) }));
  }

  /**
   * Show a move that was played meanwhile, unless somebody looks at an earlier position.
   * @param {import("./data.js").RecordedMove} move
   * @param {{fen: string, legal: Move[], barred: number}} after
   */
  advance(move, { fen, legal, barred }) {
    const { chosen } = this;
    const [isLatest, isShown] = [this.ply === this.lastPly, chosen && chosen.notation === completed(this.moves, move.path)?.notation];
    this.#drag.cancel();
    const { version, record, fens } = this.data;
    this.data = { ...this.data, version: version + 1, record: [...record, move], fens: { ...fens, [record.length + 1]: fen }, legal, barred, planned: [] };
    this.positions.push(afterPath(this.positions[this.lastPly], { ...move, notation: "" }, move.path).pieces);
    if (isLatest) this.#followTo(this.lastPly);
    if (isLatest && isShown) this.render(this.#lastHop);
    else this.render(isLatest ? { move, from: 0, path: move.path } : undefined);
    this.dispatchEvent(new CustomEvent("board-ply", { bubbles: true, detail: { ply: this.ply } }));
    this.#fireChoice();
  }

  /** The move that is on the board whole, if one is. */
  get chosen() {
    return completed(this.moves, this.path);
  }

  /** What the server says of the last position, which was shown before it answered. @param {string} fen */
  confirm(fen) {
    this.data = { ...this.data, fens: { ...this.data.fens, [this.lastPly]: fen } };
  }

  /** @param {number} ply  the latest one */
  #followTo(ply) {
    const { premove } = this;
    this.ply = ply;
    this.path = [];
    this.premove = [];
    this.#playPremove(premove);
    // Of a premove that was only begun, the first click counts as that of the move.
    if (premove.length === 1 && this.moves.length) this.path = afterTouch(this.moves, [], premove[0]);
    if (this.#premoving) this.setAttribute("data-hand", this.data.mine);
    else this.removeAttribute("data-hand");
  }

  #rotate() {
    this.squares = rotated(this.squares, this.data.width, this.data.height);
    this.bottom = this.bottom === "black" ? "white" : "black";
    rotateBoard(this);
  }

  // ------------------------------------------------------------------------------------------- choosing a move

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    const byClicks = setting("entry") === "click" && !this.editing;
    if (!byClicks) this.#drag.pointerDown(event);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const byPointer = event.detail > 0;
    const square = squareOf(event.target);
    if (square) event.preventDefault();
    if (byPointer && this.#drag.justEnded) return;
    if (byPointer && square && this.#mustBeDragged(square)) return;
    if (square) {
      this.focusSquare(square, { move: true });
      this.touch(square);
    } else if (this.path.length) this.cancel();
  }

  /** Whether moves are made by dragging only; a click still asks why a piece cannot move, or removes one. @param {number} square */
  #mustBeDragged(square) {
    if (setting("entry") !== "drag" || this.editing) return false;
    return this.path.length > 0 || this.#premoving || afterTouch(this.moves, [], square).length === 1;
  }

  /** A square is clicked, tapped or chosen by key. @param {number} square */
  touch(square) {
    this.squareInput.reset();
    if (this.editing) this.place({ square });
    else if (this.moves.length) this.#advance(afterTouch(this.moves, this.path, square), square);
    else if (this.#premoving) this.#choosePremove(extendPremove(this.premove, square, this.pieces, this.data.mine));
  }

  /** Ask the position editor to change what stands on a square. @param {{square: number, origin?: number, code?: string}} detail  `origin`: a piece is dragged from there */
  place(detail) {
    this.dispatchEvent(new CustomEvent("board-place", { bubbles: true, detail }));
  }

  /** @param {number[]} path @param {number} square @param {{dropped: boolean}} [how] */
  #advance(path, square, how) {
    const before = this.path;
    this.path = path;
    this.removeAttribute("data-refused");
    if (path.length && path.join() === before.join()) return explain(this, before, square);
    const [move] = candidates(this.moves, path);
    const longer = path.length > 1 && path.length > before.length && !removesItself(move);
    const from = longer && before.every((at, index) => path[index] === at) ? Math.max(before.length - 1, 0) : 0;
    const animated = longer && !how?.dropped ? { move, from, path } : undefined;
    if (this.#goesAtOnce) {
      this.#lastHop = animated;
      this.#fireChoice();
      this.#lastHop = undefined;
      if (this.path !== path) return; // it has been made
    }
    this.render(animated);
    if (this.#goesAtOnce) return this.hint(""); // it is sent, and the page will say what was played
    this.#fireChoice();
    explain(this, before, square);
  }

  /** Take back a half-made move or a premove. */
  cancel() {
    this.#drag.cancel();
    if (this.premove.length) this.#choosePremove([]);
    if (!this.path.length) return;
    this.path = [];
    this.render();
    this.#fireChoice();
    this.hint(phrase(this.words, "taken-back"));
  }

  /** Put the move that was typed on the board; an unfinished text takes it back. @param {string} text */
  choose(text) {
    const before = this.path;
    this.path = matchTyped(this.moves.map((move) => ({ ...move, notation: this.withSquareNames(move.notation) })), text, this.squares);
    const [move] = candidates(this.moves, this.path);
    const made = this.path.length > 1 && before.join() !== this.path.join() && !removesItself(move);
    this.render(made ? { move, from: 0, path: this.path } : undefined);
    save(this.data.key, { version: this.data.version, path: this.path });
  }

  /** Whether the move on the board is played without being submitted; a premove is sent by the page. */
  get #goesAtOnce() {
    return this.data.atOnce && !this.#due && Boolean(this.chosen) && targets(this.moves, this.path).size === 0;
  }

  #fireChoice() {
    const chosen = completed(this.moves, this.path);
    save(this.data.key, { version: this.data.version, path: this.path });
    const detail = { notation: this.withSquareNames(chosen?.notation ?? ""), path: chosen ? [...chosen.path] : [], atOnce: this.#goesAtOnce };
    this.dispatchEvent(new CustomEvent("board-choice", { bubbles: true, detail }));
  }

  // ----------------------------------------------------------------------------------------- dragging

  /** @param {number} square */
  canDrag(square) {
    if (this.editing) return this.pieces.has(square);
    if (this.#premoving) return this.pieces.get(square)?.colour === this.data.mine;
    const standing = this.path[this.path.length - 1];
    return this.path.length ? square === standing && targets(this.moves, this.path).size > 0 : this.pieces.has(square) && this.moves.length > 0;
  }

  /** @param {number} square */
  dragStarted(square) {
    if (this.editing || this.path.includes(square)) return;
    if (this.#premoving) return this.#choosePremove([square]);
    const path = afterTouch(this.moves, [], square);
    // A piece that one click removes is not dragged; for one that cannot move the board says why.
    if (path.length === 1) this.#advance(path, square);
    else this.#drag.cancel();
    if (!path.length) refuse(this, square);
  }

  /** @param {number} square @param {number} origin */
  dropped(square, origin) {
    if (square) this.focusSquare(square, { move: true });
    if (this.editing) return this.place({ square, origin });
    if (square === origin) return;
    if (this.#premoving) return this.#choosePremove(square ? [origin, square] : []);
    const path = targets(this.moves, this.path).get(square);
    if (path) return this.#advance(path, square, { dropped: path.length === this.path.length + 1 });
    this.dragCancelled();
    if (square) this.askLaws([origin, square]);
  }

  dragCancelled() {
    if (this.editing) return;
    if (this.#premoving) this.#choosePremove([]);
    // A capture under way stays where it was.
    else if (this.path.length === 1) this.cancel();
  }

  // ------------------------------------------------------------------------------- premoves

  /** @param {number[]} chosen */
  #choosePremove(chosen) {
    this.premove = chosen;
    this.reach = new Map();
    save(this.data.key, { premove: chosen, premovedAt: this.data.version });
    this.render();
    explainPremove(this);
  }

  /** Whether a premove has become legal and is on the board, to be sent now. True once. */
  takeDuePremove() {
    const due = this.#due;
    this.#due = false;
    return due;
  }

  #restore() {
    const { turned: isTurned, version, path = [], premove = [], premovedAt } = load(this.data.key);
    if (isTurned) this.#rotate();
    const unchanged = version === this.data.version && candidates(this.moves, path).length > 0;
    if (!this.path.length && unchanged) this.path = path;
    if (this.#premoving && premovedAt === this.data.version) this.premove = premove;
    if (premovedAt === this.data.version - 1) this.#playPremove(premove);
  }

  /** Put a premove on the board, to be sent, once it is that side's turn. @param {number[]} premove */
  #playPremove(premove) {
    if (premove.length < 2 || !this.moves.length) return;
    save(this.data.key, { premove: [] });
    this.path = resolvePremove(this.moves, premove);
    this.#due = this.path.length > 0;
    if (!this.#due) setTimeout(() => this.hint(phrase(this.words, "premove-lost")));
  }

  // ------------------------------------------------------------------------------------------ focus and announcements

  /** Make a square the only tab stop, and focus it if asked to. @param {number} square @param {{move: boolean}} how */
  focusSquare(square, { move }) {
    for (const button of this.querySelectorAll("button[data-square]")) {
      const here = Number(button.getAttribute("data-square")) === square;
      button.setAttribute("tabindex", here ? "0" : "-1");
      if (here && move && button instanceof HTMLElement) button.focus();
    }
  }

  /** Announce what a key asks for: the possible moves, the last move or the pieces. @param {string} what */
  describe(what) {
    const { words } = this.data;
    const moves = this.withSquareNames([...new Set(this.moves.map((move) => move.notation))].join(", "));
    if (what === "moves") this.hint(moves ? phrase(words, "possible", { moves }) : phrase(words, "no-moves"));
    if (what === "last") this.announce(this.sentence(this.ply));
    if (what === "pieces") this.announce(describePieces(words, this.pieces, (square) => this.nameOf(square)));
  }

  /** Say more, once the laws are here (js/board_laws.js). @param {readonly number[]} path */
  askLaws(path) {
    const { shown, data: { laws } } = this;
    if (laws) void import(laws[0]).then(({ say }) => say(this, path, shown)).catch(() => undefined);
  }

  /** What the board shows, to see whether it still does. */
  get shown() {
    return [this.ply, this.lastPly, this.path, this.premove].join();
  }

  /** Announce a text to screen readers. @param {string} text */
  announce(text) {
    const region = this.querySelector("[data-live]");
    if (region) region.textContent = text;
  }

  /** Announce a text that the page shows too. @param {string} text */
  hint(text) {
    this.announce(text);
    this.dispatchEvent(new CustomEvent("board-hint", { bubbles: true, detail: { text } }));
  }
}
