// The page on which problems are solved by the browser alone: it has their solutions, and asks the club nothing.
// @ts-check

import { loadGame } from "./board/load.js";
import { NOTHING, boardMoves, moveAlong, recordedMove } from "./board_moves.js";
import { isSame } from "./board_routes.js";
import { addPly } from "./move_list.js";
import { keepForLater } from "./page_for_later.js";
import { WrongTry } from "./problems/wrong_try.js";
import { Game } from "./rules/game.js";
import { Rules } from "./rules/rules.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./board/position.js").Piece} Piece */
/** @typedef {import("./rules/rules.js").Move} Move */
/** @typedef {import("./rules/rules.js").Position} Position */

/** @typedef {{fen: string, goal: string, failure: string, line: string[], difficulty: number, link: string}} Problem */

/**
 * What the page hands to its script, see `problems/presenters.py`.
 * @typedef {import("./problems/answer.js").Terms & {startsLate: boolean, problems: readonly Problem[]}} Known
 */

const PLACE = { cacheName: "problems", pathname: "/problems/practice/" };
const OF_ENGINE = [new URL("./rules/engine_worker.js", import.meta.url), new URL("./rules/searching.js", import.meta.url)];
const PAUSE = 400; // milliseconds in which the solver sees their own move before the defence

/** The problems of one page, one after the other. */
class Practice {
  #at = 0;
  #isSpoiled = false; // a wrong move was tried, or the solution shown
  #isOver = false;
  /** Which problems were solved at the first try. @type {Set<number>} */
  #solved = new Set();
  /** The move that is being refuted. @type {WrongTry | undefined} */
  #wrong;
  /** @type {Promise<import("./problems/answer.js").Answers> | undefined} */
  #answers;

  /**
   * @param {Element} place
   * @param {CheckersBoard} board
   * @param {Known} known
   * @param {Rules} rules
   */
  constructor(place, board, known, rules) {
    this.place = place;
    this.board = board;
    this.known = known;
    this.rules = rules;
    this.game = new Game(rules.position(known.problems[0].fen));
    place.addEventListener("board-choice", (event) => this.#chosen(/** @type {CustomEvent} */ (event)));
    place.addEventListener("submit", (event) => this.#typed(event));
    place.addEventListener("click", (event) => this.#clicked(event.target));
  }

  get #problem() {
    return this.known.problems[this.#at];
  }

  /** Show a problem from its beginning. @param {number} at */
  show(at) {
    this.#wrong?.end();
    this.#at = at;
    this.#isSpoiled = this.#isOver = false;
    const { fen, goal, difficulty, link } = this.#problem;
    this.game = new Game(this.rules.position(fen));
    this.board.positions = [piecesOf(this.game.position)];
    this.#write("[data-goal]", goal);
    this.#write("[data-difficulty]", String(difficulty));
    this.#write("[data-number]", this.known.texts.number.replace("{number}", String(at + 1)));
    this.place.querySelector("a[data-problem]")?.setAttribute("href", link);
    for (const control of this.place.querySelectorAll("[data-next], [data-typed] :disabled")) {
      control.removeAttribute("disabled");
    }
    this.#load();
    this.#showField();
    this.#clearField();
    this.#say("");
  }

  /** The field for moves is there while there is something to play; a solver who types goes on with the next problem. */
  #showField() {
    const form = this.place.querySelector("form[data-typed]");
    const next = this.place.querySelector("button[data-next]");
    if (this.#isOver && form?.contains(document.activeElement) && next instanceof HTMLElement) next.focus();
    form?.toggleAttribute("hidden", this.#isOver);
  }

  /** Draw the game as it is. */
  #load() {
    const { moves, positions } = this.game;
    const record = moves.map((move, at) => this.#recorded(positions[at], move));
    loadGame(this.board, { record, fens: positions.map((position) => position.fen()), ...this.#playable });
    this.place.querySelector("[data-list]")?.replaceChildren();
    moves.forEach((move, at) => this.#list(at, move));
  }

  get #playable() {
    return this.#isOver ? NOTHING : boardMoves(this.game.position, this.known);
  }

  // ------------------------------------------------------------------------------------------ what the solver does

  /** @param {CustomEvent} event */
  #chosen(event) {
    const { atOnce, path } = event.detail;
    if (!atOnce || !path.length || this.#isOver) return;
    event.stopPropagation(); // nothing is sent
    const move = moveAlong(this.game.position, path);
    if (move) this.#answer(move);
  }

  /** @param {Event} event */
  #typed(event) {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-typed], .board-form")) return;
    event.preventDefault();
    const text = String(new FormData(form).get("move") ?? "").trim();
    if (!text || this.#isOver) return;
    try {
      const { chosen } = this.board;
      this.#answer((chosen && moveAlong(this.game.position, chosen.path)) ?? this.game.position.parse(text));
    } catch {
      this.#write("[data-hint]", this.known.texts["no-such-move"].replace("{move}", text));
    }
  }

  /** @param {EventTarget | null} target */
  #clicked(target) {
    if (!(target instanceof Element)) return;
    if (target.closest("[data-next]")) this.show((this.#at + 1) % this.known.problems.length);
    else if (target.closest("[data-show]")) this.#giveUp();
  }

  /** @param {Move} move */
  #answer(move) {
    this.#clearField();
    const { position, moves } = this.game;
    const right = position.parse(this.#problem.line[moves.length]);
    if (!isSame(right, move)) {
      this.#isSpoiled = true;
      this.#refute(move);
      return;
    }
    this.#make(right);
    if (this.#isOver) this.#end(this.known.texts.solved);
    else this.#defend();
  }

  /** @param {Move} move  it does not do */
  #refute(move) {
    const { place, board, known: { texts }, game: { position } } = this;
    this.#wrong = new WrongTry({
      place,
      board,
      move: this.#recorded(position, move),
      failure: this.#problem.failure.replace("{move}", position.notation(move)),
      texts,
      restore: () => this.#load(),
      say: (text, hint) => this.#say(text, hint),
    });
    void this.#wrong.refute(async (signal) => (await this.#fetchAnswers()).to(position, move, signal));
  }

  /** What looks for answers; the next who asks fetches again what could not be fetched. */
  #fetchAnswers() {
    this.#answers ??= (async () => new (await import("./problems/answer.js")).Answers(this.rules, this.known, this.board.words))();
    this.#answers.catch(() => (this.#answers = undefined));
    return this.#answers;
  }

  // ------------------------------------------------------------------------------------------ the problem goes on

  #defend() {
    this.#say(this.known.texts.right);
    const { game, board } = this;
    board.data = { ...board.data, legal: [] };
    setTimeout(() => {
      if (game === this.game && !this.#isOver) this.#make(game.position.parse(this.#problem.line[game.moves.length]));
    }, PAUSE);
  }

  #giveUp() {
    this.#wrong?.end();
    if (this.#isOver) return;
    this.#clearField();
    this.#isSpoiled = true;
    const { game } = this;
    const step = () => {
      if (game !== this.game || this.#isOver) return;
      this.#make(game.position.parse(this.#problem.line[game.moves.length]));
      if (this.#isOver) this.#end(this.known.texts.shown);
      else setTimeout(step, PAUSE);
    };
    step();
  }

  /** @param {Move} move */
  #make(move) {
    const { game } = this;
    const before = game.position;
    game.push(move);
    this.#isOver = game.moves.length >= this.#problem.line.length;
    this.#showField();
    this.board.advance(this.#recorded(before, move), { fen: game.position.fen(), ...this.#playable });
    this.#list(game.moves.length - 1, move);
    document.dispatchEvent(new CustomEvent("game-moved"));
  }

  /** @param {string} sentence */
  #end(sentence) {
    if (!this.#isSpoiled) this.#solved.add(this.#at);
    this.#say(sentence);
    this.#write("[data-solved]", this.known.texts.count.replace("{count}", String(this.#solved.size)));
    void this.#keepForLater();
  }

  /** Keep the page, with what answers wrong moves. */
  async #keepForLater() {
    const { rules, weights } = this.known;
    const answers = await this.#fetchAnswers().catch(() => undefined);
    await keepForLater(PLACE, answers ? [...OF_ENGINE, rules, weights] : [rules]);
  }

  /** @param {Position} before @param {Move} move */
  #recorded(before, move) {
    return recordedMove(before, move, this.known, { texts: this.known.texts, words: this.board.words });
  }

  /** @param {number} at @param {Move} move */
  #list(at, move) {
    const list = this.place.querySelector("[data-list]");
    if (list) addPly(list, at + 1, this.game.positions[at].notation(move), this.known.startsLate);
  }

  /** @param {string} text @param {string} [hint] */
  #say(text, hint = "") {
    const { ply } = this.board;
    this.#write("[data-said]", this.board.withSquareNames(text));
    this.#write("[data-announce]", `${ply ? this.board.sentence(ply) : this.#problem.goal} ${text}`.trim());
    this.#write("[data-hint]", hint);
    this.place.querySelector("[data-show]")?.toggleAttribute("disabled", this.#isOver);
  }

  #clearField() {
    const field = this.place.querySelector("[data-typed] [data-move]");
    if (field instanceof HTMLInputElement) field.value = "";
  }

  /** @param {string} selector @param {string} text */
  #write(selector, text) {
    const element = this.place.querySelector(selector);
    if (element && element.textContent !== text) element.textContent = text;
  }
}

/** @param {Position} position */
function piecesOf(position) {
  /** @type {Map<number, Piece>} */
  const pieces = new Map();
  position.rules.row.squares.forEach((_name, at) => {
    const piece = position.piece(at + 1);
    if (piece) pieces.set(at + 1, piece);
  });
  return pieces;
}

/** @param {Element} place */
async function begin(place) {
  await customElements.whenDefined("checkers-board");
  const board = /** @type {CheckersBoard | null} */ (place.querySelector("checkers-board"));
  const source = place.querySelector("script#practice");
  if (!board || !source?.textContent) return;
  /** @type {Known} */
  const known = JSON.parse(source.textContent);
  try {
    new Practice(place, board, known, await Rules.fetch(known.rules)).show(0);
  } catch {
    const line = place.querySelector("[data-said]");
    if (line) line.textContent = known.texts.unavailable;
  }
}

for (const place of document.querySelectorAll("[data-practice]")) void begin(place);
