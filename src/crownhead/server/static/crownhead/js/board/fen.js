// Writes the position on a board as FEN; the server reads and checks it.
// @ts-check

/** @typedef {import("./position.js").Pieces} Pieces */

/** @type {Readonly<Record<import("./position.js").Kind, string>>} */
const MARKS = { man: "", king: "K", mule: "M", parachutist: "P" };

/**
 * Which king of each side has moved last, and how often in a row, where the rules count that.
 * @typedef {Partial<Record<"black" | "white", [square: number, steps: number]>>} Runs
 */

/**
 * `W:W21,K22:B1`: the side to move, then the squares of each side by the names that the variant gives them; where a king
 * that has run is still there, `:+0+2` at the end.
 * @param {"black" | "white"} turn
 * @param {Pieces} pieces
 * @param {(square: number) => string} nameOf
 * @param {Runs} [runs]
 */
export function toFen(turn, pieces, nameOf, runs = {}) {
  const sorted = [...pieces].sort(([a], [b]) => a - b);
  const side = (/** @type {string} */ colour) =>
    sorted
      .filter(([, piece]) => piece.colour === colour)
      .map(([square, piece]) => `${MARKS[piece.kind]}${nameOf(square)}`)
      .join(",");
  return `${turn === "white" ? "W" : "B"}:W${side("white")}:B${side("black")}${kingRuns(pieces, nameOf, runs)}`;
}

/** @param {Pieces} pieces @param {(square: number) => string} nameOf @param {Runs} runs */
function kingRuns(pieces, nameOf, runs) {
  const run = (/** @type {"black" | "white"} */ colour) => {
    const kings = [...pieces].filter(([, piece]) => piece.kind === "king" && piece.colour === colour);
    const [square, steps] = runs[colour] ?? [0, 0];
    if (!kings.some(([at]) => at === square)) return "+0";
    return kings.length > 1 ? `+${steps}@${nameOf(square)}` : `+${steps}`;
  };
  const both = run("black") + run("white");
  return both === "+0+0" ? "" : `:${both}`;
}
