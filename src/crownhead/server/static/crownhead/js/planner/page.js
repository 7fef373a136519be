// What stands around the planner's board follows the line that is built there: its text, the address, forms and links.
// @ts-check

import { phrase } from "../board/labels.js";
import { setting } from "../board/settings.js";
import { renameSquares, squareRenamer } from "../board/square_names.js";
import { made } from "../analysis/move_list.js";
import { isComplete, isMine, taskOf } from "./task.js";

/**
 * What the page hands over, see `presenters/plan.py`. `own`: lines begin with a move of the planner's own.
 * @typedef {import("../analysis/session.js").Terms & {rules: string, module: string, address: string, ply: number, own: boolean}} About
 */

/** @typedef {import("../analysis/session.js").Session<About>} Session */

/** The parts of the page that follow a session. */
export class PlannerPage {
  /** @param {Element} page @param {Session} session */
  constructor(page, session) {
    this.page = page;
    this.session = session;
  }

  /** The line that is built, also beyond the position shown. */
  get moves() {
    return this.session.line.slice(1).map(({ notation }) => notation);
  }

  /** Make a move in the position shown, in place of those that followed. @param {readonly number[]} path */
  play(path) {
    const { session } = this;
    const { tree, node } = session;
    session.play(path);
    for (const other of node.children.filter((child) => child !== session.node)) tree.remove(other);
  }

  /** Do here what a link of the page would ask the server for. @param {Element} link @returns {boolean} whether it is done */
  follow(link) {
    const { session } = this;
    const { line, tree } = session;
    const action = link.getAttribute("data-planner");
    if (action === "back" && line.length > 1) session.goTo(tree.remove(line[line.length - 1]));
    else if (action === "again") session.startOver();
    else if (session.read(link.getAttribute("data-line") ?? "")) return false; // a line from an earlier position
    else session.goTo(session.line[session.line.length - 1]);
    return true;
  }

  /** Show the line in every part. */
  redraw() {
    const { page, moves, session } = this;
    const { about, board, node, line } = session;
    const text = moves.join(" ");
    const flip = session.isTurned ? "1" : "";
    history.replaceState(history.state, "", this.#address(text, flip));
    for (const field of page.querySelectorAll('input[name="line"]')) if (field instanceof HTMLInputElement) field.value = text;
    page.querySelector('a[data-action="flip"]')?.setAttribute("href", this.#address(text, flip ? "" : "1"));
    const draft = { count: moves.length, own: about.own, isOver: Boolean(line[line.length - 1].position.outcome()) };
    const task = phrase(about.texts, taskOf(draft), { move: moves[moves.length - 1] ?? "" });
    this.#write(".status strong", task);
    this.#write("[data-announce]", `${node.ply ? board.sentence(node.ply) : ""} ${task}`.trim());
    page.querySelector(".line")?.replaceChildren(...(moves.length ? this.#steps() : [made("span", { class: "muted" }, about.texts.empty)]));
    renameSquares(page, squareRenamer(board.squares, setting("names")));
    const save = page.querySelector('button[name="add"]');
    save?.setAttribute("value", text);
    save?.toggleAttribute("disabled", !isComplete(draft));
    for (const link of page.querySelectorAll("a[data-planner]")) link.toggleAttribute("hidden", !moves.length);
  }

  /** The line as `parts/line.html` has it. */
  #steps() {
    const { own, texts } = this.session.about;
    return this.moves.flatMap((move, at) => {
      const word = made("span", { class: "keyword" }, texts[isMine(at, own) ? (at ? "then" : "after") : "if"]);
      const step = isMine(at, own)
        ? made("span", { class: "answer" }, word, " ", made("b", {}, move))
        : made("span", { class: "condition" }, word, ` ${move}`);
      return [step, " "];
    });
  }

  /** @param {string} line @param {string} flip */
  #address(line, flip) {
    const { address, ply } = this.session.about;
    const values = Object.entries({ ply: String(ply), line, flip }).filter(([, value]) => value);
    return `${address}?${new URLSearchParams(values)}`;
  }

  /** @param {string} selector @param {string} text */
  #write(selector, text) {
    const element = this.page.querySelector(selector);
    if (element && element.textContent !== text) element.textContent = text;
  }
}
