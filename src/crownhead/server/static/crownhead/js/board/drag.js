// Dragging a piece with mouse, pen or finger. It knows no rules: its handlers say what can be dragged and
// learn where it was dropped.
// @ts-check

const THRESHOLD = 3; // pixels that a pointer may move before a press becomes a drag
const CLICK_FOLLOWS = 400; // milliseconds in which the browser may report the end of a drag as a click

/**
 * What a drag asks and reports.
 * @typedef {object} DragHandlers
 * @property {(square: number) => boolean} canDrag
 * @property {(square: number) => void} dragStarted
 * @property {(square: number, origin: number) => void} dropped  0: off the board
 * @property {() => void} dragCancelled
 */

/** @typedef {{id: number, x: number, y: number, square: number, piece: SVGElement | undefined}} DragState */

export class Drag {
  #board;
  #handlers;
  /** @type {DragState | undefined} */
  #state;
  #endedAt = -CLICK_FOLLOWS;

  /** @param {HTMLElement} board @param {DragHandlers} handlers */
  constructor(board, handlers) {
    this.#board = board;
    this.#handlers = handlers;
  }

  /** Whether a click that comes now is only the end of a drag. */
  get justEnded() {
    return performance.now() - this.#endedAt < CLICK_FOLLOWS;
  }

  /** @param {PointerEvent} event */
  pointerDown(event) {
    if (this.#state || event.button !== 0 || !event.isPrimary) return;
    this.#endedAt = -CLICK_FOLLOWS;
    const square = squareOf(event.target);
    if (!square || !this.#handlers.canDrag(square)) return;
    this.#state = { id: event.pointerId, x: event.clientX, y: event.clientY, square, piece: undefined };
    for (const name of EVENTS) document.addEventListener(name, this);
  }

  /** Put the piece back, as if it had not been dragged. */
  cancel() {
    const dragged = this.#state?.piece;
    this.#release();
    if (dragged) this.#handlers.dragCancelled();
  }

  /** @param {Event} event */
  handleEvent(event) {
    const state = this.#state;
    if (!state || !(event instanceof PointerEvent) || event.pointerId !== state.id) return;
    if (event.type === "pointermove") this.#move(state, event);
    else if (event.type === "pointerup" && state.piece) this.#drop(state, event);
    else this.cancel();
  }

  /** @param {DragState} state @param {PointerEvent} event */
  #move(state, event) {
    const [across, down] = [event.clientX - state.x, event.clientY - state.y];
    if (!state.piece) {
      if (Math.hypot(across, down) <= THRESHOLD) return;
      this.#handlers.dragStarted(state.square);
      const piece = this.#button(state.square)?.querySelector("svg");
      if (!piece || this.#state !== state) return this.#release();
      state.piece = piece;
      this.#board.setAttribute("data-dragging", "");
      piece.setAttribute("data-held", "");
      piece.closest(".square")?.setAttribute("data-above", "");
    }
    state.piece.style.translate = `${across}px ${down}px`;
    this.#highlight(this.#squareUnder(event));
  }

  /** @param {DragState} state @param {PointerEvent} event */
  #drop(state, event) {
    const square = this.#squareUnder(event);
    this.#release();
    this.#endedAt = performance.now();
    this.#handlers.dropped(square, state.square);
  }

  #release() {
    const piece = this.#state?.piece;
    this.#state = undefined;
    for (const name of EVENTS) document.removeEventListener(name, this);
    this.#board.removeAttribute("data-dragging");
    this.#highlight(0);
    if (!piece) return;
    piece.removeAttribute("style");
    piece.removeAttribute("data-held");
    piece.closest(".square")?.removeAttribute("data-above");
  }

  /** Highlight the square under the piece. @param {number} square */
  #highlight(square) {
    const over = square ? this.#button(square) : null;
    for (const other of this.#board.querySelectorAll("[data-over]")) {
      if (other !== over) other.removeAttribute("data-over");
    }
    over?.setAttribute("data-over", "");
  }

  /** @param {PointerEvent} event */
  #squareUnder(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && this.#board.contains(element) ? squareOf(element) : 0;
  }

  /** @param {number} square */
  #button(square) {
    return this.#board.querySelector(`button[data-square="${square}"]`);
  }
}

const EVENTS = ["pointermove", "pointerup", "pointercancel"];

/** The number of the square that an event is about; 0: none. @param {EventTarget | null} target */
export function squareOf(target) {
  const button = target instanceof Element ? target.closest("button[data-square]") : null;
  return Number(button?.getAttribute("data-square") ?? 0);
}
