// The engine in the browser follows the position that is shown, as long as its switch is on: lines, depth, nodes, the
// evaluation bar and arrows. It does not run for the reader's own games in progress: the server says which those are.
// @ts-check

import { phrase } from "../board/labels.js";
import { setting } from "../board/settings.js";
import { squareRenamer } from "../board/square_names.js";
import { readStored, store } from "../browser_storage.js";
import { askGuard } from "../guard.js";
import { drawArrows } from "./arrows.js";
import { readLines } from "./lines.js";
import { shortWorth, whiteShare, worth } from "./scores.js";
import { made } from "./move_list.js";

/** @typedef {import("../rules/searching.js").Report} Report */
/** @typedef {import("../rules/engine.js").Engine} Engine */
/** @typedef {import("./page.js").Session} Session */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {typeof import("../rules/all.js")} Package */

const KEY = "crownhead:engine";
const REST = 150; // milliseconds that a position is shown before the engine looks at it
const EVERY = 150; // milliseconds between two reports that are shown
const LONGEST = 60; // seconds for one position
const MEGABYTES = 32;
const SHOWN = 12; // plies of a line

export class EnginePanel {
  /** @type {Promise<Engine> | undefined} */
  #engine;
  #stop = new AbortController();
  /** @type {Report | undefined} */
  #report;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #due;
  #isGuarded = true;

  /**
   * @param {Element} page
   * @param {Session} session
   * @param {Package} rules
   */
  constructor(page, session, rules) {
    this.page = page;
    this.session = session;
    this.rules = rules;
    const box = page.querySelector("[data-engine-panel]");
    this.toggle = /** @type {HTMLInputElement} */ (box?.querySelector("[data-engine]"));
    this.count = /** @type {HTMLSelectElement} */ (box?.querySelector("[data-engine-lines]"));
    const { on = false, lines = "3" } = readStored(KEY) ?? {};
    this.toggle.checked = on;
    this.count.value = lines;
    this.toggle.disabled = this.count.disabled = false;
    this.toggle.addEventListener("change", () => this.#chosen(true));
    this.count.addEventListener("change", () => this.#chosen(false));
    box?.querySelector("[data-engine-found]")?.addEventListener("click", (event) => this.#clicked(event));
  }

  /** Turn it on or off. */
  switch() {
    this.toggle.click();
  }

  /** Look at the position that is shown, if the switch is on. @param {{asked?: boolean}} [how]  `asked`: the reader has just switched it on */
  follow({ asked = false } = {}) {
    const { node } = this.session;
    this.halt();
    this.page.querySelector("[data-evaluation]")?.toggleAttribute("hidden", !this.toggle.checked);
    if (!this.toggle.checked) return this.#rest("");
    if (node.position.outcome()) return this.#rest("over");
    if (this.page.querySelector(".findings .variations, .findings[data-running]")) return this.#rest("waits");
    const { signal } = this.#stop;
    this.#report = undefined;
    drawArrows(this.session.board, []);
    this.page.querySelector("[data-engine-found]")?.setAttribute("data-stale", ""); // until there are others
    this.#due = setTimeout(() => void this.#look(node, signal, asked), REST);
  }

  /** End the search. */
  halt() {
    clearTimeout(this.#due);
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** End everything: another board takes its place. */
  close() {
    this.halt();
    void this.#engine?.then((engine) => engine.close());
  }

  /** Draw bar, lines and arrows again: the board has been turned, or squares have other names. */
  redraw() {
    if (this.#report) this.#show(this.#report);
  }

  /** @param {boolean} isSwitch */
  #chosen(isSwitch) {
    store(KEY, { on: this.toggle.checked, lines: this.count.value });
    this.follow({ asked: isSwitch && this.toggle.checked });
  }

  /** @param {Node} node @param {AbortSignal} signal @param {boolean} asked */
  async #look(node, signal, asked) {
    try {
      const refusal = await this.#refusal(node, asked);
      if (signal.aborted) return;
      if (refusal) return this.#rest("refused", refusal);
      if (!this.#engine) this.#say("starting");
      this.#engine ??= this.#load();
      const engine = await this.#engine;
      if (signal.aborted) return;
      let shownAt = -EVERY;
      const onReport = (/** @type {Report} */ report) => {
        if (performance.now() - shownAt < EVERY || signal.aborted) return;
        shownAt = performance.now();
        this.#show(report);
      };
      const limits = { seconds: LONGEST, lines: Number(this.count.value) };
      const report = await engine.analyse(this.session.gameSoFar(this.rules.Game) ?? node.position, limits, { signal, onReport });
      this.#show(report);
    } catch {
      if (signal.aborted) return; // another position is shown
      this.#engine = undefined; // the next position tries again
      this.#rest("failed");
    }
  }

  #load() {
    const { api } = this.session.about;
    const { row } = this.session.rules;
    return this.rules.Engine.load(row, { weights: `${api}/weights`, tables: `${api}/tables`, megabytes: MEGABYTES });
  }

  /** Why the engine must not look, by the server; it is asked as long as the reader plays such games. @param {Node} node @param {boolean} asked @returns {Promise<string>} */
  async #refusal({ position }, asked) {
    const { guard, variant } = this.session.about;
    if (!guard || (!this.#isGuarded && !asked)) return "";
    const answer = await askGuard(guard, { variant, fen: position.fen() }, asked);
    if (!answer.ok) throw new Error(`expected an answer of ${guard}, got ${answer.status}`);
    const { refused, guarded } = await answer.json();
    this.#isGuarded = guarded;
    return refused;
  }

  /** @param {Event} event */
  #clicked(event) {
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    event.preventDefault();
    if (!item?.parentElement || !this.#report) return;
    const [line] = readLines(this.session.node.position, this.#report, 1).slice([...item.parentElement.children].indexOf(item));
    if (line) this.session.play(line.path);
  }

  /** Show nothing, and why. @param {string} key @param {string} [reason] */
  #rest(key, reason) {
    this.#report = undefined;
    if (key !== "waits") drawArrows(this.session.board, []); // else those of the club's engine stay
    this.#list([]);
    this.#weigh(0.5, "", "");
    this.#say(key, { reason: reason ?? "" });
  }

  /** @param {Report} report */
  #show(report) {
    const { node, board, about } = this.session;
    const { turn } = node.position;
    const lines = readLines(node.position, report, SHOWN);
    if (!lines.length) return;
    this.#report = report;
    drawArrows(board, lines.map(({ path }) => path));
    this.#list(lines.map(({ score, moves }, at) => [worth(score, turn, about.texts, at ? null : report.verdict), moves]));
    const { depth, nodes, verdict } = report;
    this.#weigh(whiteShare(lines[0].score, turn, verdict), shortWorth(lines[0].score, turn, verdict), worth(lines[0].score, turn, about.texts, verdict));
    this.#say(verdict ? "tables" : "state", {
      depth: String(depth),
      nodes: new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumFractionDigits: 1 }).format(nodes),
    });
  }

  /** Keep the items, for one may have the focus. @param {[string, string[]][]} lines */
  #list(lines) {
    const list = this.page.querySelector("[data-engine-found]");
    if (!list) return;
    list.removeAttribute("data-stale");
    const { board } = this.session;
    const rename = squareRenamer(board.squares, setting("names"));
    while (list.children.length > lines.length) list.lastElementChild?.remove();
    while (list.children.length < lines.length) list.append(made("li", {}, made("span", { class: "worth" }), made("a", { href: "" })));
    lines.forEach(([said, moves], at) => {
      const [score, link] = list.children[at].children;
      if (score.textContent !== said) score.textContent = said;
      if (link.textContent === moves.map(rename).join(" ")) return;
      link.replaceChildren(...moves.flatMap((move) => [made("span", {}, rename(move)), " "]).slice(0, -1));
    });
  }

  /** @param {number} share  White's @param {string} figure @param {string} words */
  #weigh(share, figure, words) {
    const bar = this.page.querySelector("[data-evaluation]");
    if (!bar) return;
    const { board, about } = this.session;
    const percent = Math.round(share * 100);
    const white = bar.querySelector("[data-white]");
    white?.setAttribute("y", String(board.bottom === "white" ? 100 - percent : 0));
    white?.setAttribute("height", String(percent));
    const number = bar.querySelector("[data-figure]");
    if (number) number.textContent = figure;
    bar.setAttribute("aria-label", words ? phrase(about.texts, "evaluation", { score: words }) : about.texts["no-evaluation"]);
  }

  /** @param {string} key @param {Record<string, string>} [values] */
  #say(key, values) {
    const { texts } = this.session.about;
    const state = this.page.querySelector("[data-engine-state]");
    const text = key === "refused" ? (values?.reason ?? "") : key ? phrase(texts, key, values) : "";
    if (state && state.textContent !== text) state.textContent = text;
  }
}
