// The page of a review: what stands around the board follows it, the graph leads to moves, mistakes become questions,
// and the reader's browser makes a review of its own where it is asked to.
// @ts-check

import { phrase } from "./board/labels.js";
import { fenAt } from "./board/told.js";
import { readStored, store } from "./browser_storage.js";
import { drawArrows } from "./analysis/arrows.js";
import { forBoards, loadRules } from "./local_board.js";
import { makeReview } from "./review/making.js";
import { judgeTry } from "./review/question.js";
import { writeWholeMoves } from "./whole_moves.js";

/** @typedef {import("./board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {import("./rules/engine.js").Engine} Engine */
/** @typedef {import("./rules/rules.js").Rules} Rules */

/**
 * A move with what is known of it.
 * @typedef {{text: string, worth: string, grade?: string, leaning?: string, better?: string, path?: number[], address?: string}} ReviewedMove
 * @typedef {{game: string, moves: Record<string, ReviewedMove>, plot: {left: number, width: number, span: string},
 *   question: import("./review/question.js").Question | null, making: import("./review/making.js").Making,
 *   texts: Record<string, string>}} About
 */

/** One review on the page, until another takes its place. */
class ReviewPage {
  /** @type {Promise<{engine: Engine, rules: Rules}> | undefined} */
  #loading;
  #stop = new AbortController();
  /** The move that was tried last. */
  #tried = "";

  /** @param {HTMLElement} page @param {CheckersBoard} board @param {About} about */
  constructor(page, board, about) {
    this.page = page;
    this.board = board;
    this.about = about;
    this.mistakes = Object.keys(about.moves).map(Number).filter((ply) => about.moves[ply].path).sort((a, b) => a - b);
    page.addEventListener("click", (event) => this.#clicked(event));
    page.addEventListener("board-choice", (event) => this.#chosen(/** @type {CustomEvent} */ (event)), { capture: true });
    page.addEventListener("submit", (event) => this.#typed(event), { capture: true });
    const graph = page.querySelector("[data-graph]");
    for (const name of ["pointerdown", "pointermove"]) {
      graph?.addEventListener(name, (event) => this.#pointed(graph, /** @type {PointerEvent} */ (event)));
    }
    if (!page.hasAttribute("data-from-browser")) this.#showKept();
  }

  /** The board shows the position after another move. @param {number} ply */
  follow(ply) {
    if (this.about.question) return;
    const move = this.about.moves[ply];
    const standing = this.page.querySelector("[data-standing]");
    standing?.toggleAttribute("hidden", !move && !this.mistakes.length);
    this.#write("[data-text]", move?.text ?? "");
    this.#write("[data-grade]", move?.grade ?? "");
    this.#write("[data-worth]", move?.worth ?? "").setAttribute("data-leaning", move?.leaning ?? "");
    const better = this.page.querySelector("[data-better]");
    better?.toggleAttribute("hidden", !move?.better);
    const line = better?.querySelector("a");
    if (line && move?.better) {
      line.href = move.address ?? "";
      writeWholeMoves(line, this.board.withSquareNames(move.better));
    }
    this.#lead("before", this.mistakes.findLast((one) => one < ply));
    this.#lead("after", this.mistakes.find((one) => one > ply));
    const retry = this.page.querySelector("[data-retry]");
    retry?.toggleAttribute("hidden", !move?.path);
    retry?.setAttribute("href", `?retry=${ply}`);
    const next = this.about.moves[ply + 1];
    drawArrows(this.board, next?.path ? [next.path] : []);
    const { left, width, span } = this.about.plot;
    const across = left + (ply * width) / Math.max(this.board.lastPly, 1);
    this.page.querySelector("[data-cursor]")?.setAttribute("d", `M${across.toFixed(1)} ${span}`);
    const address = new URL(location.href);
    address.searchParams.set("ply", String(ply)); // without it a review opens at its first mistake
    history.replaceState(history.state, "", address);
  }

  /** End what runs: another page takes its place. */
  close() {
    this.#stop.abort();
    void this.#loading?.then(({ engine }) => engine.close()).catch(() => undefined);
  }

  /** @param {string} name @param {number | undefined} ply */
  #lead(name, ply) {
    const link = this.page.querySelector(`[data-fault="${name}"]`);
    link?.toggleAttribute("hidden", ply === undefined);
    link?.setAttribute("data-ply", String(ply ?? 0));
    link?.setAttribute("href", `?ply=${ply ?? 0}`);
  }

  /** @param {string} selector @param {string} text @returns {Element} */
  #write(selector, text) {
    const element = this.page.querySelector(selector) ?? document.createElement("span");
    if (element.textContent !== text) element.textContent = text;
    return element;
  }

  /** @param {Element} graph @param {PointerEvent} event */
  #pointed(graph, event) {
    if (!event.buttons || this.about.question || !(graph instanceof SVGSVGElement)) return;
    event.preventDefault();
    const matrix = graph.getScreenCTM()?.inverse();
    const { left, width } = this.about.plot;
    const x = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix).x;
    this.board.show(Math.round(((x - left) / width) * this.board.lastPly));
  }

  // ------------------------------------------------------------------------------------ a review made here

  get #form() {
    const form = this.page.querySelector("form[data-maker]");
    return form instanceof HTMLFormElement ? form : undefined;
  }

  get #key() {
    return `review:${this.about.game}`;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = event.target instanceof Element ? event.target : null;
    const depth = target?.closest("[data-make]")?.getAttribute("data-make");
    if (depth) void this.#make(depth);
    else if (target?.closest("[data-stop]")) this.#stop.abort();
  }

  /** @param {string} depth */
  async #make(depth) {
    const { making, texts } = this.about;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#progress(0, this.board.positions.length);
    try {
      const { engine, rules } = await this.#load();
      const start = rules.position(fenAt(this.board, 0));
      const onProgress = (/** @type {number} */ done, /** @type {number} */ total) => this.#progress(done, total);
      const plies = await makeReview(engine, start, this.board.data.record, making, { nodes: making.nodes[depth], signal, onProgress });
      store(this.#key, { depth, plies }, "sessionStorage");
      this.#submit({ depth, plies });
    } catch {
      this.#progress();
      if (!signal.aborted) this.#say(texts.failed);
    }
  }

  /** What this tab has made of the game before is shown again. */
  #showKept() {
    const kept = readStored(this.#key, "sessionStorage");
    if (kept?.plies?.length !== this.board.positions.length) return;
    if (document.readyState === "complete") this.#submit(kept);
    else addEventListener("load", () => this.#submit(kept), { once: true }); // until then the form would leave the page
  }

  /** @param {{depth: string, plies: import("./review/making.js").Ply[]}} review */
  #submit({ depth, plies }) {
    const form = this.#form;
    if (!form) return;
    const fields = { depth, plies: JSON.stringify(plies), ...Object.fromEntries(new URL(location.href).searchParams) };
    for (const [name, value] of Object.entries(fields)) {
      const field = form.querySelector(`input[name="${CSS.escape(name)}"]`) ?? document.createElement("input");
      for (const [attribute, set] of Object.entries({ type: "hidden", name, value })) field.setAttribute(attribute, set);
      form.append(field);
    }
    form.requestSubmit();
  }

  /** @param {number} [done]  nothing: it does not run @param {number} [total] */
  #progress(done, total = 1) {
    const form = this.#form;
    const isRunning = done !== undefined;
    this.#say(isRunning ? phrase(this.about.texts, "progress", { done: String(done), total: String(total) }) : "");
    for (const part of form?.querySelectorAll("[data-progress]:has(progress), [data-stop]") ?? []) part.toggleAttribute("hidden", !isRunning);
    for (const button of form?.querySelectorAll("[data-make]") ?? []) button.toggleAttribute("disabled", isRunning);
    const bar = form?.querySelector("progress");
    if (bar) [bar.max, bar.value] = [total, done ?? 0];
  }

  /** @param {string} text */
  #say(text) {
    const place = this.#form?.querySelector("[role='status'][data-progress]");
    if (place) place.textContent = text;
    place?.toggleAttribute("hidden", !text);
  }

  #load() {
    const { module, api } = this.about.making;
    this.#loading ??= loadRules(module, `${api}/rules`).then(async ({ rules, package: loaded }) => {
      const { Engine } = /** @type {typeof import("./rules/all.js")} */ (loaded);
      const addresses = { weights: `${api}/weights`, tables: `${api}/tables`, megabytes: 32 };
      return { rules, engine: await Engine.load(rules.row, addresses) };
    });
    this.#loading.catch(() => (this.#loading = undefined));
    return this.#loading;
  }

  // -------------------------------------------------------------------------------- a mistake as a question

  /** @param {CustomEvent} event */
  #chosen(event) {
    const notation = this.board.chosen?.notation ?? "";
    if (event.detail.atOnce && this.#isOurs(notation)) {
      event.stopImmediatePropagation();
      void this.#judge(notation);
    }
  }

  /** @param {Event} event */
  #typed(event) {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-try]")) return;
    const { notation } = this.board.chosen ?? {};
    if (!notation || !this.#isOurs(notation)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void this.#judge(notation);
  }

  /** Whether a move is neither the one looked for nor the mistake: of those the server knows what to say. @param {string} notation */
  #isOurs(notation) {
    const { question } = this.about;
    return question !== null && Boolean(notation) && ![question.best, question.played].includes(notation);
  }

  /** @param {string} notation */
  async #judge(notation) {
    const { question, making, texts } = this.about;
    if (!question) return;
    const line = this.page.querySelector("[data-said] strong");
    const show = (/** @type {string} */ text) => line && writeWholeMoves(line, text);
    this.#tried = notation;
    show(phrase(texts, "judging", { move: notation }));
    try {
      const { engine, rules } = await this.#load();
      const { isGood, text } = await judgeTry(engine, rules.position(question.fen), notation, question, { nodes: making.nodes.quick, texts });
      if (this.#tried !== notation) return;
      show(text);
      if (!isGood && this.board.chosen?.notation === notation) this.board.cancel();
    } catch {
      if (this.#tried !== notation) return;
      const form = this.page.querySelector("form[data-try]");
      const field = form?.querySelector("[data-move]");
      if (field instanceof HTMLInputElement) field.value = notation;
      if (form instanceof HTMLFormElement) form.submit(); // the server can say whether it is the engine's move
    }
  }
}

/** @type {ReviewPage | undefined} */
let current;

forBoards("[data-review]", (page, board) => {
  const source = page.querySelector("script#review");
  if (!source?.textContent || !(page instanceof HTMLElement) || current?.page === page) return;
  current?.close();
  current = new ReviewPage(page, board, JSON.parse(source.textContent));
});

// After the document's own listeners, which take the ply of the last position out of the address.
addEventListener("board-ply", (event) => {
  if (event.target === current?.board) current?.follow(/** @type {CustomEvent} */ (event).detail.ply);
});
