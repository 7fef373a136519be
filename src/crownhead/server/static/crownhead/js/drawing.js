// Draws arrows and marks on a board: with the right mouse button, by a long press, or with the key `c`; with Shift in a
// second style. A click on the board, Escape or another position takes them away. Nobody else sees them.
// @ts-check

import { squareOf } from "./board/drag.js";
import { CheckersBoard } from "./board/element.js";
import { phrase } from "./board/labels.js";
import { shape, toggled } from "./board/marks.js";

const LONG = 500; // milliseconds that a finger rests
const STILL = 8; // pixels that it may move meanwhile
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {import("./board/marks.js").Mark} Mark */

/** @type {WeakMap<CheckersBoard, Mark[]>} */
const drawings = new WeakMap();

/** The stroke being drawn. @type {{board: CheckersBoard, from: number, id: number, second: boolean} | undefined} */
let stroke;

/** A finger that rests on a square. @type {{timer: ReturnType<typeof setTimeout>, x: number, y: number} | undefined} */
let press;
let swallowsClick = false;

/** @param {EventTarget | null} target */
function boardOf(target) {
  const board = target instanceof Element ? target.closest("checkers-board") : null;
  return board instanceof CheckersBoard && !board.editing ? board : undefined;
}

/** @param {CheckersBoard} board @param {Mark[]} marks */
function draw(board, marks) {
  drawings.set(board, marks);
  board.querySelector(".drawn")?.remove();
  const grid = board.querySelector("[role='grid']");
  if (!marks.length || !grid) return;
  const { width, height } = board.data;
  const isTurned = grid.hasAttribute("data-turned"); // the style sheet turns what lies over the squares
  const centre = (/** @type {number} */ number) => {
    const { column, row } = board.squares.find((square) => square.number === number) ?? { column: 0, row: 0 };
    return isTurned ? { x: width - column - 0.5, y: height - row - 0.5 } : { x: column + 0.5, y: row + 0.5 };
  };
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "drawn");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  for (const { from, to, second } of marks) {
    for (const part of ["edge", "line"]) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", shape(centre(from), centre(to)));
      path.setAttribute("class", part);
      path.toggleAttribute("data-second", second);
      svg.append(path);
    }
  }
  grid.append(svg);
}

/** @param {CheckersBoard} board @param {Mark} mark */
function add(board, mark) {
  draw(board, toggled(drawings.get(board) ?? [], mark));
}

/** @param {CheckersBoard | undefined} board */
function clear(board) {
  if (board && drawings.get(board)?.length) draw(board, []);
}

/** @param {PointerEvent} event */
function squareUnder(event) {
  return squareOf(document.elementFromPoint(event.clientX, event.clientY));
}

function endPress() {
  clearTimeout(press?.timer);
  press = undefined;
}

/** @param {CheckersBoard} board @param {PointerEvent} event @param {number} from */
function beginLongPress(board, event, from) {
  const { pointerId, clientX, clientY } = event;
  const timer = setTimeout(() => {
    endPress();
    // A piece that could be dragged stays where it is.
    document.dispatchEvent(new PointerEvent("pointercancel", { pointerId }));
    stroke = { board, from, id: pointerId, second: false };
    swallowsClick = true;
    navigator.vibrate?.(10);
  }, LONG);
  press = { timer, x: clientX, y: clientY };
}

document.addEventListener("pointerdown", (event) => {
  const board = boardOf(event.target);
  const from = squareOf(event.target);
  swallowsClick = false;
  endPress();
  if (!board) return;
  if (event.button === 2 && from) stroke = { board, from, id: event.pointerId, second: event.shiftKey };
  else if (event.button === 0) {
    if (event.pointerType === "touch" && event.isPrimary && from) beginLongPress(board, event, from);
    else clear(board);
  }
});

document.addEventListener("pointermove", (event) => {
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) endPress();
});

document.addEventListener("pointerup", (event) => {
  if (press) clear(boardOf(event.target)); // a tap
  endPress();
  if (stroke?.id !== event.pointerId) return;
  const { board, from, second } = stroke;
  stroke = undefined;
  const to = squareUnder(event);
  if (to && board.isConnected) add(board, { from, to, second });
});

document.addEventListener("pointercancel", (event) => {
  if (event.isTrusted) {
    endPress();
    stroke = undefined;
  }
});

// While a finger draws, the page does not scroll under it.
document.addEventListener(
  "touchmove",
  (event) => {
    if (stroke) event.preventDefault();
  },
  { passive: false },
);

document.addEventListener("contextmenu", (event) => {
  if (boardOf(event.target) && squareOf(event.target)) event.preventDefault();
});

// The click at the end of a long press chooses no square.
document.addEventListener(
  "click",
  (event) => {
    if (!swallowsClick) return;
    swallowsClick = false;
    if (!boardOf(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

document.addEventListener("keydown", (event) => {
  const board = boardOf(event.target);
  const square = squareOf(event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") for (const one of document.querySelectorAll("checkers-board")) clear(boardOf(one));
  if (!board || !square || event.key.toLowerCase() !== "c") return;
  add(board, { from: square, to: square, second: event.shiftKey });
  const marked = drawings.get(board)?.some(({ from, to }) => from === square && to === square);
  board.announce(phrase(board.words, marked ? "marked" : "unmarked", { square: board.nameOf(square) }));
});

document.addEventListener("board-ply", (event) => clear(boardOf(event.target)));
