// The list of moves of an analysis: the main line in rows of two, variations indented below the move that they replace.
// @ts-check

import { numberOf } from "../game_texts.js";

/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Listing
 * @property {Node} shown  the position on the board
 * @property {boolean} startsLate
 * @property {(node: Node) => string} addressOf
 * @property {string} variations  what the variations of a move are called
 */

/**
 * Fill a list with the moves of a tree.
 * @param {Element} list
 * @param {Tree} tree
 * @param {Listing} listing
 */
export function listMoves(list, tree, listing) {
  /** @type {Element[]} */
  const rows = [];
  /** @type {Element | undefined} */
  let row;
  for (let node = tree.root; node.children.length; [node] = node.children) {
    const [main, ...others] = node.children;
    const { number, isSecond } = numberOf(main.ply, listing.startsLate);
    if (!isSecond || !row) {
      row = made("li", {}, made("span", { class: "number" }, `${number}.`));
      if (isSecond) row.append(made("span", {}, "…"));
      rows.push(row);
    }
    row.append(link(main, listing), ...remark(main));
    if (others.length) rows.push(made("li", { class: "branches" }, branches(others, listing)));
    if (others.length || main.comment) row = undefined; // the next move begins a row of its own
  }
  list.replaceChildren(...rows);
  showCurrent(list);
}

/** @param {readonly Node[]} nodes @param {Listing} listing @returns {Element} */
function branches(nodes, listing) {
  return made("ul", { "aria-label": listing.variations }, ...nodes.map((node) => made("li", {}, ...variation(node, listing))));
}

/** @param {Node} first @param {Listing} listing @returns {(Element | string)[]} */
function variation(first, listing) {
  /** @type {(Element | string)[]} */
  const parts = [...numbered(first, listing, true)];
  for (let node = first; node.children.length; [node] = node.children) {
    const [main, ...others] = node.children;
    parts.push(" ", ...numbered(main, listing, false));
    if (others.length) parts.push(branches(others, listing));
  }
  return parts;
}

/** @param {Node} node @param {Listing} listing @param {boolean} isFirst @returns {(Element | string)[]} */
function numbered(node, listing, isFirst) {
  const { number, isSecond } = numberOf(node.ply, listing.startsLate);
  const label = isSecond ? (isFirst ? `${number}…` : "") : `${number}.`;
  const counted = label ? [made("span", { class: "number" }, label), "\u00a0"] : [];
  return [...counted, link(node, listing), ...remark(node)];
}

/** @param {Node} node @param {Listing} listing */
function link(node, { shown, addressOf }) {
  const attributes = { href: addressOf(node), "data-node": String(node.id) };
  return made("a", node === shown ? { ...attributes, "aria-current": "true" } : attributes, node.notation + node.strength);
}

/** @param {Node} node */
function remark({ comment }) {
  return comment ? [made("span", { class: "remark" }, comment)] : [];
}

/** Scroll the list, and not the page, to the current move. @param {Element} list */
function showCurrent(list) {
  const current = list.querySelector("[aria-current]");
  if (!current) return;
  const [inside, outside] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inside.top < outside.top) list.scrollTop += inside.top - outside.top;
  else if (inside.bottom > outside.bottom) list.scrollTop += inside.bottom - outside.bottom;
}

/** @param {string} name @param {Record<string, string>} attributes @param {...(Element | string)} content @returns {Element} */
export function made(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}
