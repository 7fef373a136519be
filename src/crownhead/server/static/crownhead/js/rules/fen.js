// Positions as FEN (PDN 3.0): W:W21,22,K30:B1,2, with the runs of kings where they are counted, +0+2@46.
// @ts-check

/** @typedef {import("./rules.js").Row} Row */
/** @typedef {import("./rules.js").Position} Position */

const ITEM = /^([KMP]?)([a-z]?\d{1,4})(?:-(\d{1,4}))?$/;
const MARKS = ["", "K", "M"];

/**
 * The number of a square by either of its names, or as a number; 0: there is none.
 * @param {Row} row
 * @param {string} text
 */
export function squareOf(row, text) {
  const name = text.toLowerCase();
  const listed = row.squares.indexOf(name) + 1 || row.algebraic.indexOf(name) + 1;
  if (listed) return listed;
  const number = /^\d+$/.test(name) ? Number(name) : 0;
  return number <= row.squares.length ? number : 0;
}

/**
 * The bytes of a position. Throws a `SyntaxError`; what may stand where is for the laws to say.
 * @param {string} fen
 * @param {Row} row
 */
export function readFen(fen, row) {
  const bytes = new Uint8Array(5 + row.squares.length);
  const [turn, ...parts] = fen.trim().replace(/\.$/, "").split(":");
  bytes[0] = turn === "B" ? 0 : turn === "W" ? 1 : refuse(fen);
  for (const part of parts) {
    if (part.startsWith("+")) readRuns(part, row, bytes, fen);
    else readSide(part, row, bytes, fen);
  }
  return bytes;
}

/**
 * @param {string} part
 * @param {Row} row
 * @param {Uint8Array} bytes
 * @param {string} fen
 */
function readSide(part, row, bytes, fen) {
  const colour = part[0] === "B" ? 1 : part[0] === "W" ? 4 : refuse(fen);
  for (const item of part.slice(1).split(",").filter((text) => text.trim())) {
    const found = ITEM.exec(item.trim()) ?? refuse(fen);
    const kind = found[1] === "K" ? 1 : found[1] ? 2 : 0;
    const first = squareOf(row, found[2]) || refuse(fen);
    const last = found[3] ? squareOf(row, found[3]) || refuse(fen) : first;
    for (let square = first; square <= last; square++) {
      if (bytes[4 + square]) refuse(fen);
      bytes[4 + square] = colour + kind;
    }
  }
}

/**
 * Black's steps, then White's, each with the square of its king where the side has more than one.
 * @param {string} part
 * @param {Row} row
 * @param {Uint8Array} bytes
 * @param {string} fen
 */
function readRuns(part, row, bytes, fen) {
  const found = /^\+(\d+)(?:@(\w+))?\+(\d+)(?:@(\w+))?$/.exec(part) ?? refuse(fen);
  for (const [side, king] of [[0, 2], [1, 5]]) {
    const steps = Number(found[1 + 2 * side]);
    if (!steps) continue;
    const named = found[2 + 2 * side];
    const only = bytes.indexOf(king, 5) - 4;
    bytes[1 + 2 * side] = named ? squareOf(row, named) || refuse(fen) : only > 0 ? only : refuse(fen);
    bytes[2 + 2 * side] = steps;
  }
}

/**
 * The FEN of a position: White's pieces first, no ranges.
 * @param {Position} position
 */
export function writeFen({ bytes, rules }) {
  const { row } = rules;
  const side = (/** @type {number} */ colour) => {
    const items = [];
    for (let square = 1; square <= row.squares.length; square++) {
      const kind = bytes[4 + square] - colour;
      if (kind < 0 || kind > 2) continue;
      const mark = kind === 2 && row.marked === "parachutist" ? "P" : MARKS[kind];
      items.push(mark + row.squares[square - 1]);
    }
    return items.join(",");
  };
  const runs = bytes[2] || bytes[4] ? `:${run(bytes, row, 0)}${run(bytes, row, 1)}` : "";
  return `${bytes[0] ? "W" : "B"}:W${side(4)}:B${side(1)}${runs}`;
}

/**
 * @param {Uint8Array} bytes
 * @param {Row} row
 * @param {0 | 1} side
 */
function run(bytes, row, side) {
  const steps = bytes[2 + 2 * side];
  const kings = bytes.subarray(5).filter((code) => code === 2 + 3 * side).length;
  return `+${steps}${steps && kings > 1 ? `@${row.squares[bytes[1 + 2 * side] - 1]}` : ""}`;
}

/**
 * @param {string} fen
 * @returns {never}
 */
function refuse(fen) {
  throw new SyntaxError(`expected a FEN such as W:W21-32:B1-12, got ${fen}`);
}
