// What the rules say of a position that has been set up, at once: who is to move, or why it is not possible. The server
// tells where the rules could not be loaded, and what this page has no words for.
// @ts-check

import { toFen } from "../board/fen.js";
import { phrase } from "../board/labels.js";
import { loadRules } from "../local_board.js";

/** @typedef {import("../rules/rules.js").Rules} Rules */
/** @typedef {import("../board/element.js").CheckersBoard} CheckersBoard */

/**
 * What the page hands over, see `presenters/analysis_data.py`. `moves`: the sentence of each number of moves; `faults`:
 * patterns of what the kernel objects to, each with its sentence.
 * @typedef {{module: string, rules: string, texts: Record<string, string>, moves: string[], faults: [string, string][]}} Known
 */

const MAX_REASONS = 12; // as in `presenters/arrangement.py`

/** The rules by the address of their row; where they could not be loaded, they are not asked for again. @type {Map<string, Promise<Rules>>} */
const loaded = new Map();

/** @param {Element} page @returns {Known | undefined} */
function known(page) {
  const source = page.querySelector("script#setup")?.textContent;
  return source ? JSON.parse(source) : undefined;
}

/** @param {Known} about */
function rulesOf({ module, rules }) {
  const before = loaded.get(rules) ?? loadRules(module, rules).then((found) => found.rules);
  loaded.set(rules, before);
  return before;
}

/**
 * Who is to move and with how many moves, or who has won.
 * @param {Element} page
 * @param {string} fen
 * @returns {Promise<string | undefined>}  undefined where only the server can tell
 */
export async function sentenceFor(page, fen) {
  const about = known(page);
  if (!about) return undefined;
  try {
    const position = (await rulesOf(about)).position(fen);
    const outcome = position.outcome();
    if (outcome) return about.texts[`${outcome.winner}:${outcome.termination}`];
    const moves = about.moves[position.legalMoves().length];
    return moves && `${about.texts[`turn:${position.turn}`]} ${moves}`;
  } catch {
    return undefined; // not possible, or no WebAssembly
  }
}

/**
 * Why a position is not possible, and on which squares: it is judged again without each piece that is at fault.
 * @param {Element} page
 * @param {CheckersBoard} board
 * @param {"black" | "white"} turn
 * @returns {Promise<{sentence: string, reasons: string[], faults: number[]} | undefined>}  undefined where only the server can tell
 */
export async function whyImpossible(page, board, turn) {
  const about = known(page);
  const rules = about && (await rulesOf(about).catch(() => undefined));
  if (!rules) return undefined;
  const names = new Map(board.squares.map(({ number, name }) => [number, name]));
  const nameOf = (/** @type {number} */ square) => names.get(square) ?? "";
  const pieces = new Map(board.pieces);
  /** @type {{side: string, square: number, reason: string}[]} */
  const faults = [];
  while (faults.length < MAX_REASONS) {
    const objection = objectionTo(rules, toFen(turn, pieces, nameOf, board.data.runs));
    if (!objection) break;
    const [found] = about.faults.flatMap(([pattern, sentence]) => {
      const groups = new RegExp(pattern, "u").exec(objection)?.groups;
      if (!groups) return [];
      const [side = "", square] = [groups.side, Number(groups.square)];
      return [{ side, square, reason: phrase({ sentence }, "sentence", { side: about.texts[side], square: nameOf(square) }) }];
    });
    if (!found || !pieces.delete(found.square)) return undefined;
    faults.push(found);
  }
  if (!faults.length) return undefined;
  faults.sort((one, other) => one.side.localeCompare(other.side)); // black first, as the server has it
  return { sentence: about.texts.impossible, reasons: faults.map(({ reason }) => reason), faults: faults.map(({ square }) => square) };
}

/** What the kernel says against a position; nothing where it is possible. @param {Rules} rules @param {string} fen */
function objectionTo(rules, fen) {
  try {
    rules.position(fen);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @param {Element} page @param {{sentence: string, reasons: string[]}} why */
export function showImpossible(page, { sentence, reasons }) {
  const list = document.createElement("ul");
  list.className = "reasons";
  list.append(...reasons.map((reason) => Object.assign(document.createElement("li"), { textContent: reason })));
  page.querySelector("[data-verdict]")?.replaceChildren(statusLine(sentence), list);
}

/** @param {string} sentence */
function statusLine(sentence) {
  const status = document.createElement("p");
  status.className = "status";
  status.append(Object.assign(document.createElement("strong"), { textContent: sentence }));
  return status;
}

/**
 * Show a possible position as `setup.html` does.
 * @param {Element} page
 * @param {string} sentence
 * @param {{analysis: string, picture: URLSearchParams}} links
 */
export function showPossible(page, sentence, { analysis, picture }) {
  const place = page.querySelector("[data-verdict]");
  const template = page.querySelector("template[data-possible]");
  if (!place || !(template instanceof HTMLTemplateElement)) return;
  const buttons = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const address = `${template.dataset.pictures}?${picture}`;
  buttons.querySelector("[data-to='analysis']")?.setAttribute("href", analysis);
  buttons.querySelector("[data-to='picture']")?.setAttribute("href", address);
  buttons.querySelector("[data-picture]")?.setAttribute("data-picture", address);
  place.replaceChildren(statusLine(sentence), buttons);
}
