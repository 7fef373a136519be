// A wrong move stays on the board, with the best answer to it, until the solver tries again: by the button, with Escape,
// by a step back, by typing, or by a touch of the board, which chooses a piece at once.
// @ts-check

import { squareOf } from "../board/drag.js";
import { phrase } from "../board/labels.js";
import { origins } from "../board/moves.js";

/** @typedef {import("../board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("../board/data.js").RecordedMove} RecordedMove */
/** @typedef {import("./answer.js").Answer} Answer */

/**
 * `failure`: what the move doesn't reach; `restore` shows the position before it; `say` tells a sentence, and a hint.
 * @typedef {object} Scene
 * @property {Element} place  the part of the page
 * @property {CheckersBoard} board  it shows the position before the move
 * @property {RecordedMove} move
 * @property {string} failure
 * @property {Readonly<Record<string, string>>} texts
 * @property {() => void} restore
 * @property {(text: string, hint: string) => void} say
 */

const PAUSE = 400; // milliseconds in which the solver sees their own move before the answer

/** What comes of a wrong move, as long as it is on the board. */
export class WrongTry {
  #end = new AbortController();

  /** @param {Scene} scene */
  constructor(scene) {
    const { place, board, move } = scene;
    this.scene = scene;
    this.said = scene.failure;
    this.ply = board.lastPly;
    board.path = [...move.path]; // the solver has just put the piece there
    this.#advance(move, "");
    const { signal } = this.#end;
    this.button?.toggleAttribute("disabled", false);
    this.button?.addEventListener("click", () => this.#again(), { signal });
    place.addEventListener("input", (event) => this.#written(event), { signal, capture: true });
    board.addEventListener("board-ply", () => this.#stepped(), { signal });
    board.addEventListener("pointerdown", (event) => this.#pressed(event), { signal, capture: true });
    board.addEventListener("click", (event) => this.#clicked(event), { signal, capture: true });
    document.addEventListener("keydown", (event) => this.#typed(event), { signal });
  }

  get button() {
    return this.scene.place.querySelector("button[data-again]");
  }

  /**
   * Show the answer, once it is found. Where there is none to be had, the solver can try again at once.
   * @param {(signal: AbortSignal) => Promise<Answer | undefined>} find  the signal aborts when the solver tries again
   */
  async refute(find) {
    const { say, texts } = this.scene;
    const { signal } = this.#end;
    say(this.said, texts.looking);
    try {
      const [answer] = await Promise.all([find(signal), new Promise((resolve) => setTimeout(resolve, PAUSE))]);
      if (signal.aborted) return;
      if (answer) {
        const { made, fen, side, move } = answer;
        this.said = `${this.said} ${phrase(texts, "answers", { side, move })}`;
        this.#advance(made, fen);
      }
      say(this.said, texts["choose-again"]);
    } catch {
      this.end();
    }
  }

  /** Let the solver try again. */
  end() {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    const { restore, say, texts } = this.scene;
    if (document.activeElement === this.button) this.#focusBoard();
    this.button?.toggleAttribute("disabled", true);
    restore();
    say(`${this.said} ${texts.again}`, "");
  }

  /** Show a move after which nothing can be played. @param {RecordedMove} move @param {string} fen  after it */
  #advance(move, fen) {
    this.scene.board.advance(move, { fen, legal: [], barred: 0 });
  }

  /** The next key is for the board. */
  #focusBoard() {
    const stop = this.scene.board.querySelector("button[data-square][tabindex='0']");
    if (stop instanceof HTMLElement) stop.focus();
  }

  #again() {
    this.#focusBoard();
    this.end();
  }

  #stepped() {
    if (this.scene.board.ply <= this.ply) this.end();
  }

  /** A piece that stands where it stood can be dragged at once; a finger may be about to scroll. @param {PointerEvent} event */
  #pressed({ target, pointerType }) {
    if (pointerType === "touch") return;
    const { board, move } = this.scene;
    const [before, square] = [board.positions[this.ply], squareOf(target)];
    const mine = before.get(move.path[0])?.colour;
    if ([before, board.pieces].every((pieces) => pieces.get(square)?.colour === mine)) this.end();
  }

  /** @param {Event} event */
  #clicked(event) {
    this.end();
    if (origins(this.scene.board.moves).has(squareOf(event.target))) return; // the board goes on with the piece
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {Event} event */
  #written({ target }) {
    if (target instanceof Element && target.matches("[data-move]")) this.end();
  }

  /** @param {KeyboardEvent} event */
  #typed({ key, target }) {
    if (key === "Escape" && !(target instanceof Element && target.closest("dialog"))) this.end();
  }
}
