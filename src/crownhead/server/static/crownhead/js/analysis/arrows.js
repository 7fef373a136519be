// The first moves of the engine's lines as arrows over the board, drawn as `presenters/arrows.py` draws them.
// @ts-check

/** @typedef {import("../board/element.js").CheckersBoard} CheckersBoard */
/** @typedef {{x: number, y: number}} Point */

const SVG = "http://www.w3.org/2000/svg";
const [HEAD, HALF] = [0.34, 0.19]; // of a square: how long the head is, and half its breadth

/** @param {CheckersBoard} board @param {readonly (readonly number[])[]} paths  the best first */
export function drawArrows(board, paths) {
  const place = board.querySelector(".arrows");
  const wanted = JSON.stringify(paths);
  if (!place || place.getAttribute("data-paths") === wanted) return;
  place.setAttribute("data-paths", wanted);
  const drawn = paths.map((path, at) => {
    const points = path.map((square) => centre(board, square));
    return new Set(path).size > 1 ? arrow(points, at + 1) : undefined;
  });
  place.replaceChildren(...drawn.reverse().filter((one) => one !== undefined)); // the best over the others
}

/** @param {CheckersBoard} board @param {number} number @returns {Point} */
function centre(board, number) {
  const { width, height } = board.data;
  const { column, row } = board.squares.find((square) => square.number === number) ?? { column: 0, row: 0 };
  const isTurned = board.querySelector("[role='grid']")?.hasAttribute("data-turned"); // the style sheet turns them
  return isTurned ? { x: width - column - 0.5, y: height - row - 0.5 } : { x: column + 0.5, y: row + 0.5 };
}

/** @param {readonly Point[]} points @param {number} rank */
function arrow(points, rank) {
  const [from, to] = points.slice(-2);
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const neck = { x: to.x - along.x * HEAD, y: to.y - along.y * HEAD };
  const side = (/** @type {number} */ half) => ({ x: neck.x - along.y * half, y: neck.y + along.x * half });
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("data-rank", String(rank));
  group.append(part("shaft", outline([...points.slice(0, -1), neck])), part("head", `${outline([side(HALF), to, side(-HALF)])}Z`));
  return group;
}

/** @param {string} name @param {string} data */
function part(name, data) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", name);
  path.setAttribute("d", data);
  return path;
}

/** @param {readonly Point[]} points */
function outline(points) {
  return `M${points.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L")}`;
}
