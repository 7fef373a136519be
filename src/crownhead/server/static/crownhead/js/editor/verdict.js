// What the rules say of a position that has been set up. The browser judges possible positions, at once; why one is
// not possible is told by the server.
// @ts-check

import { loadRules } from "../local_board.js";

/** @typedef {import("../rules/rules.js").Rules} Rules */

/**
 * What the page hands over, see `presenters/analysis_data.py`. `moves`: the sentence of each number of moves.
 * @typedef {{module: string, rules: string, texts: Record<string, string>, moves: string[]}} Known
 */

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
 * Show a possible position as `setup.html` does.
 * @param {Element} page
 * @param {string} sentence
 * @param {{analysis: string, picture: URLSearchParams}} links
 */
export function showPossible(page, sentence, { analysis, picture }) {
  const place = page.querySelector("[data-verdict]");
  const template = page.querySelector("template[data-possible]");
  if (!place || !(template instanceof HTMLTemplateElement)) return;
  const status = document.createElement("p");
  status.className = "status";
  status.append(Object.assign(document.createElement("strong"), { textContent: sentence }));
  const buttons = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const address = `${template.dataset.pictures}?${picture}`;
  buttons.querySelector("[data-to='analysis']")?.setAttribute("href", analysis);
  buttons.querySelector("[data-to='picture']")?.setAttribute("href", address);
  buttons.querySelector("[data-picture]")?.setAttribute("data-picture", address);
  place.replaceChildren(status, buttons);
}
