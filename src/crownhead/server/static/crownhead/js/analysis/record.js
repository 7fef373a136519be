// Records in PDN: reading one into a tree of moves, with its variations and comments, and writing a tree.
// @ts-check

import { numberOf } from "../game_texts.js";

/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./tree.js").Tree} Tree */

export const LONGEST = 200_000; // characters
const MOST_NODES = 5000;

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;
// A comment, a bracket, an annotation, the number of a move, or a word.
const TOKEN = /\{([^}]*)\}|([()])|\$(\d+)|\d+\.+|([^\s(){}$]+)/g;
const ENDS = new Set(["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"]);
const STRENGTHS = ["", "!", "?", "!!", "??", "!?", "?!"];

/**
 * The tags of the first record of a text, and the text of its moves.
 * @param {string} text
 * @returns {{tags: Map<string, string>, moves: string}}
 */
export function splitRecord(text) {
  /** @type {Map<string, string>} */
  const tags = new Map();
  let rest = text.slice(0, LONGEST);
  for (let found = TAG.exec(rest); found; found = TAG.exec(rest)) {
    tags.set(found[1], found[2].replace(/\\(.)/g, "$1"));
    rest = rest.slice(found[0].length);
  }
  return { tags, moves: rest };
}

/**
 * Plays the moves of a text; where one cannot be played, the rest of its line is left out.
 * @param {string} text
 * @param {Tree} tree
 * @param {Node} [from]  where they begin; else at the root
 * @returns {{end: Node, refused: string}} the last position of the main line, and the first move that was refused
 */
export function playMoves(text, tree, from = tree.root) {
  /** @type {{node: Node, stuck: boolean}[]} */
  const outer = [];
  let [node, stuck, refused, count] = [from, false, "", 0];
  for (const [, comment, bracket, annotation, word] of text.matchAll(TOKEN)) {
    if (bracket === "(") {
      outer.push({ node, stuck });
      stuck ||= !node.parent;
      node = node.parent ?? node;
    } else if (bracket) {
      const before = outer.pop();
      if (!before) break;
      ({ node, stuck } = before);
    } else if (stuck || count > MOST_NODES) continue;
    else if (comment !== undefined) node.comment = [node.comment, comment.replace(/\s+/g, " ").trim()].filter(Boolean).join(" ");
    else if (annotation) node.strength = STRENGTHS[Number(annotation)] ?? node.strength;
    else if (word && ENDS.has(word)) {
      if (!outer.length) break; // another record may follow
    } else if (word) {
      const played = playWord(word, tree, node);
      if (played) {
        [node, count] = [played, count + 1];
      } else {
        stuck = true;
        refused ||= word;
      }
    }
  }
  return { end: outer[0]?.node ?? node, refused };
}

/** @param {string} word @param {Tree} tree @param {Node} node @returns {Node | undefined} */
function playWord(word, tree, node) {
  const [, body, strength] = /^(.*?)([!?]*)$/.exec(word) ?? [];
  try {
    const next = tree.play(node, node.position.parse(body));
    next.strength = strength;
    return next;
  } catch {
    return undefined; // no move, or none that is legal here
  }
}

/**
 * A tree as PDN.
 * @param {Tree} tree
 * @param {{tags: readonly (readonly [string, string])[], startsLate: boolean}} about  `startsLate`: the side that begins
 *   the variant has no first move here
 */
export function writeRecord(tree, { tags, startsLate }) {
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]\n`).join("");
  return `${head}${head && "\n"}${wrapped([...writeMoves(tree, startsLate), "*"])}\n`;
}

/**
 * The moves of a tree as words of PDN.
 * @param {Tree} tree
 * @param {boolean} startsLate
 */
export function writeMoves({ root }, startsLate) {
  return [...comments(root), ...words(root, startsLate)];
}

/** @param {Node} node @param {boolean} startsLate @returns {string[]} */
function words(node, startsLate) {
  const tokens = [];
  let isFirst = true;
  for (let at = node; at.children.length; [at] = at.children) {
    const [main, ...others] = at.children;
    tokens.push(...step(main, startsLate, isFirst));
    for (const other of others) {
      const inside = [...step(other, startsLate, true), ...words(other, startsLate)];
      inside[0] = `(${inside[0]}`;
      inside[inside.length - 1] += ")";
      tokens.push(...inside);
    }
    isFirst = others.length > 0;
  }
  return tokens;
}

/** @param {Node} node @param {boolean} startsLate @param {boolean} isFirst  of a line, or after a variation */
function step(node, startsLate, isFirst) {
  const { number, isSecond } = numberOf(node.ply, startsLate);
  const counted = isSecond ? (isFirst ? [`${number}...`] : []) : [`${number}.`];
  return [...counted, node.notation + node.strength, ...comments(node)];
}

/** @param {Node} node */
function comments({ comment }) {
  return comment ? [`{${comment.replace(/[{}]/g, "")}}`] : [];
}

/** @param {readonly string[]} tokens  lines of at most 79 characters */
function wrapped(tokens) {
  const lines = [""];
  for (const word of tokens) {
    const line = lines[lines.length - 1];
    if (line && line.length + word.length >= 79) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines.join("\n");
}
