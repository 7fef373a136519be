// The page on which the visitor's browser plays the computer. Nothing is fetched for it before it is wanted.
// @ts-check

import { loadGame } from "./board/load.js";
import { moveAlong } from "./board_moves.js";
import { keepGame, keptGame, lastTerms } from "./computer/kept.js";
import { Table } from "./computer/table.js";
import { keepForLater } from "./page_for_later.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./computer/session.js").Session} Session */
/** @typedef {import("./computer/session.js").Known} Known */

const PLACE = { cacheName: "computer", pathname: "/computer/" };
const OF_ENGINE = [new URL("./rules/engine_worker.js", import.meta.url), new URL("./rules/searching.js", import.meta.url)];
const PATIENCE = 300; // milliseconds after which a page that is still loading says so
const PAUSE = 100; // milliseconds in which the visitor sees their own move before the reply, which is there within 300

/** One game on one page. */
class ComputerGame {
  /** @type {Promise<Session> | undefined} */
  #loading;
  #thinking = new AbortController();
  #movedAt = 0; // milliseconds on the clock of the page
  #moved = 0; // how often on this page
  #isGuarded = true; // the server says so: whether the visitor plays games in which this one could help

  /**
   * @param {Element} place
   * @param {CheckersBoard} board
   * @param {Known} known
   */
  constructor(place, board, known) {
    this.board = board;
    this.known = known;
    this.table = new Table(place, known.startsLate);
    place.addEventListener("board-choice", (event) => this.#chosen(/** @type {CustomEvent} */ (event)));
    place.addEventListener("submit", (event) => this.#typed(event));
    place.addEventListener("click", (event) => this.#clicked(event.target));
    place.addEventListener("change", (event) => this.#changed(event.target));
    for (const control of place.querySelectorAll("[data-typed] :disabled")) control.removeAttribute("disabled");
    for (const name of ["pointerdown", "focusin"]) board.addEventListener(name, () => this.#fetch(), { once: true });
  }

  /** Go on with the kept game, if there is one; else wait for the visitor, or move first. */
  begin() {
    const kept = keptGame(this.known);
    if (kept) {
      this.#choose(kept.level);
      void this.#with((session) => {
        session.take(kept);
        this.#show(session);
      });
    } else if (!this.board.moves.length) void this.#with((session) => this.#show(session));
    else this.table.offer({ moves: [], isOver: false, mayClaim: false, level: this.known.level });
  }

  /** The session, fetched once; the next who asks fetches again what could not be fetched. */
  #fetch() {
    this.#loading ??= loadSession(this.known);
    this.#loading.catch(() => (this.#loading = undefined));
    return this.#loading;
  }

  /** Do something with the session, or say why it cannot be done. @param {(session: Session) => void} work */
  async #with(work) {
    const waits = setTimeout(() => this.table.say(this.known.texts.loading), PATIENCE);
    try {
      work(await this.#fetch());
    } catch {
      this.table.say(this.known.texts["WebAssembly" in globalThis ? "unavailable" : "impossible"]);
    } finally {
      clearTimeout(waits);
    }
  }

  // ------------------------------------------------------------------------------------------ what the visitor does

  /** @param {CustomEvent} event */
  #chosen(event) {
    const { atOnce, path } = event.detail;
    if (!atOnce || !path.length) return;
    event.stopPropagation(); // nothing is sent
    this.#play(path);
  }

  /** @param {readonly number[]} path */
  #play(path) {
    this.#movedAt = performance.now();
    this.#moved++;
    void this.#with((session) => {
      const move = moveAlong(session.game.position, path);
      if (!move || this.board.path.join() !== path.join()) return; // thought better of meanwhile
      this.#make(session, move);
      this.#goOn(session);
    });
  }

  /** @param {Event} event */
  #typed(event) {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-typed], .board-form")) return;
    event.preventDefault();
    const { chosen } = this.board;
    const text = String(new FormData(form).get("move") ?? "").trim();
    if (chosen) this.#play(chosen.path);
    else if (text) this.table.hint(this.known.texts["no-such-move"].replace("{move}", text));
  }

  /** @param {EventTarget | null} target */
  #clicked(target) {
    if (!(target instanceof Element)) return;
    if (target.closest("[data-take-back]")) this.#change((session) => session.takeBack());
    else if (target.closest("[data-begin-again]")) this.#change((session) => session.startOver());
    else if (target.closest("[data-claim]")) this.#change((session) => (session.claimed = session.claimable[0] ?? ""));
  }

  /** @param {EventTarget | null} target */
  #changed(target) {
    if (!(target instanceof HTMLSelectElement) || !target.matches("[data-level]")) return;
    this.known.level = Number(target.value);
    if (this.#loading) void this.#with((session) => this.#keep(session));
  }

  /** @param {(session: Session) => void} work  on the game itself */
  #change(work) {
    void this.#with((session) => {
      this.#thinking.abort(); // here: a move that waited for the session has just been made
      work(session);
      this.#show(session);
    });
  }

  // ------------------------------------------------------------------------------------------ the game goes on

  /** Show all of it, and go on. @param {Session} session */
  #show(session) {
    loadGame(this.board, session.shown(this.board.words));
    this.table.list(session.notations);
    this.#goOn(session);
  }

  /** @param {Session} session @param {import("./rules/rules.js").Move} move */
  #make(session, move) {
    session.game.push(move);
    const { ply, move: made, fen, notation } = session.latest(this.board.words);
    this.board.advance(made, { fen, ...session.playable });
    this.table.add(ply, notation);
  }

  /** @param {Session} session */
  #goOn(session) {
    const { record } = this.board.data;
    const last = record.length ? this.board.sentence(record.length) : "";
    const { texts } = this.known;
    this.table.say(session.result || (session.isMine ? texts.mine : texts.theirs), last);
    this.#keep(session);
    document.dispatchEvent(new CustomEvent("game-moved"));
    if (!session.isMine && !session.outcome) void this.#reply(session);
  }

  /** @param {Session} session */
  async #reply(session) {
    this.#thinking = new AbortController();
    const { signal } = this.#thinking;
    try {
      const pause = new Promise((resolve) => setTimeout(resolve, PAUSE - (performance.now() - this.#movedAt)));
      const [move, refusal] = await Promise.all([session.reply(signal), this.#refusal(session), pause]);
      if (signal.aborted) return;
      if (refusal) {
        this.table.say(refusal);
        return;
      }
      this.#make(session, move);
      this.#goOn(session);
      void keepForLater(PLACE, [...OF_ENGINE, this.known.rules, this.known.weights]);
    } catch {
      if (signal.aborted) return;
      this.table.say(this.known.texts.unavailable);
    }
  }

  /** Why the computer does not reply: the visitor plays this position in a running game, too. @param {Session} session @returns {Promise<string>} */
  async #refusal({ game }) {
    const { guard, variant, fen } = this.known;
    if (!guard || !this.#isGuarded) return "";
    const about = { computer: "1", plies: String(game.moves.length), ...(fen && { own: "1" }) };
    // Else the page goes on by itself with a game that was kept, or with the one move that a link has left.
    const hasMoved = this.#moved > (fen ? 1 : 0);
    let answer;
    try {
      const { askGuard } = await import("./guard.js");
      answer = await askGuard(guard, { variant, fen: game.position.fen(), ...about }, hasMoved);
    } catch {
      return ""; // without a connection one plays on
    }
    if (!answer.ok) return "";
    const { refused, guarded } = await answer.json();
    this.#isGuarded = guarded;
    return refused;
  }

  /** @param {Session} session */
  #keep(session) {
    const { moves, claimed, claimable, outcome } = session;
    const { level } = this.known;
    keepGame(this.known, { moves, level, ...(claimed && { claimed }) });
    this.table.offer({ moves, isOver: Boolean(outcome), mayClaim: claimable.length > 0, level });
  }

  /** @param {number} level */
  #choose(level) {
    this.known.level = level;
    const choice = this.table.place.querySelector("select[data-level]");
    if (choice instanceof HTMLSelectElement) choice.value = String(level);
  }
}

/** Fetch everything at once, so that nothing waits for a script that only asks for it. @param {Known} known @returns {Promise<Session>} */
async function loadSession(known) {
  const row = fetched(known.rules).then((answer) => answer.json());
  const weights = fetched(known.weights).then((answer) => answer.arrayBuffer());
  const engine = (async () => (await import("./rules/engine.js")).Engine.load(row, { weights }))();
  const module = (async () => (await import("./rules/kernel.js")).loadModule())();
  for (const part of [row, weights, engine, module]) part.catch(() => undefined); // the session says what is missing
  const { Session } = await import("./computer/session.js");
  return Session.load(known, { row, engine });
}

/** @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`expected ${address}, got status ${answer.status}`);
  return answer;
}

/** The game that was played last has another board than this one. @param {Known} known */
function playedElsewhere(known) {
  const last = location.search ? undefined : lastTerms();
  if (!last || !keptGame(last)) return false;
  return last.variant !== known.variant || last.colour !== known.colour || last.fen !== known.fen;
}

/** @param {Element} place */
async function begin(place) {
  await customElements.whenDefined("checkers-board");
  const board = /** @type {CheckersBoard | null} */ (place.querySelector("checkers-board"));
  const source = place.querySelector("script#computer");
  if (!board || !source?.textContent) return;
  /** @type {Known} */
  const known = JSON.parse(source.textContent);
  const address = new URL(location.href);
  if (address.searchParams.has("new")) {
    keepGame(known, { moves: [], level: known.level });
    address.searchParams.delete("new");
    history.replaceState(history.state, "", address);
  } else if (place.getAttribute("data-computer") === "page" && playedElsewhere(known)) {
    const { variant, colour, fen, level } = /** @type {import("./computer/kept.js").Last} */ (lastTerms());
    location.replace(`?${new URLSearchParams({ variant, colour, fen, level: String(level) })}`);
    return;
  }
  new ComputerGame(place, board, known).begin();
}

for (const place of document.querySelectorAll("[data-computer]")) void begin(place);
