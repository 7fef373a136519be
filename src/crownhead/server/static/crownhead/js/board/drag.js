// Dragging a piece with mouse, pen or finger. It knows no rules and no moves: it asks what may be lifted, and tells
// where it was dropped.
// @ts-check

const THRESHOLD = 3; // pixels that a pointer may tremble
const CLICK_FOLLOWS = 400; // milliseconds in which the end of a drag may still be taken for a click

/**
 * What can be done by hand.
 * @typedef {object} Hand
 * @property {(square: number) => boolean} mayLift
 * @property {(square: number) => void} lifted
 * @property {(square: number, origin: number) => void} dropped  0: off the board
 * @property {() => void} abandoned
 */

/** @typedef {{id: number, x: number, y: number, square: number, piece: SVGElement | undefined}} Grip */

export class Drag {
  #board;
  #hand;
  /** @type {Grip | undefined} */
  #grip;
  #endedAt = -CLICK_FOLLOWS;

  /** @param {HTMLElement} board @param {Hand} hand */
  constructor(board, hand) {
    this.#board = board;
    this.#hand = hand;
  }

  /** A click that is only the end of a drag. */
  get justEnded() {
    return performance.now() - this.#endedAt < CLICK_FOLLOWS;
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    if (this.#grip || event.button !== 0 || !event.isPrimary) return;
    this.#endedAt = -CLICK_FOLLOWS;
    const square = squareOf(event.target);
    if (!square || !this.#hand.mayLift(square)) return;
    this.#grip = { id: event.pointerId, x: event.clientX, y: event.clientY, square, piece: undefined };
    for (const name of EVENTS) document.addEventListener(name, this);
  }

  /** Let go of what is held, as if it had never been lifted. */
  abandon() {
    const lifted = this.#grip?.piece;
    this.#release();
    if (lifted) this.#hand.abandoned();
  }

  /** @param {Event} event */
  handleEvent(event) {
    const grip = this.#grip;
    if (!grip || !(event instanceof PointerEvent) || event.pointerId !== grip.id) return;
    if (event.type === "pointermove") this.#moved(grip, event);
    else if (event.type === "pointerup" && grip.piece) this.#dropped(grip, event);
    else this.abandon();
  }

  /** @param {Grip} grip @param {PointerEvent} event */
  #moved(grip, event) {
    const [across, down] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.piece) {
      if (Math.hypot(across, down) <= THRESHOLD) return;
      this.#hand.lifted(grip.square);
      const piece = this.#button(grip.square)?.querySelector("svg");
      if (!piece || this.#grip !== grip) return this.#release();
      grip.piece = piece;
      this.#board.setAttribute("data-dragging", "");
      piece.setAttribute("data-held", "");
      piece.closest(".square")?.setAttribute("data-above", "");
    }
    grip.piece.style.translate = `${across}px ${down}px`;
    this.#point(this.#under(event));
  }

  /** @param {Grip} grip @param {PointerEvent} event */
  #dropped(grip, event) {
    const square = this.#under(event);
    this.#release();
    this.#endedAt = performance.now();
    this.#hand.dropped(square, grip.square);
  }

  #release() {
    const piece = this.#grip?.piece;
    this.#grip = undefined;
    for (const name of EVENTS) document.removeEventListener(name, this);
    this.#board.removeAttribute("data-dragging");
    this.#point(0);
    if (!piece) return;
    piece.removeAttribute("style");
    piece.removeAttribute("data-held");
    piece.closest(".square")?.removeAttribute("data-above");
  }

  /** Show over which square the piece is. @param {number} square */
  #point(square) {
    const over = square ? this.#button(square) : null;
    for (const other of this.#board.querySelectorAll("[data-over]")) {
      if (other !== over) other.removeAttribute("data-over");
    }
    over?.setAttribute("data-over", "");
  }

  /** @param {PointerEvent} event */
  #under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return found && this.#board.contains(found) ? squareOf(found) : 0;
  }

  /** @param {number} square */
  #button(square) {
    return this.#board.querySelector(`button[data-square="${square}"]`);
  }
}

const EVENTS = ["pointermove", "pointerup", "pointercancel"];

/** The square that was meant; 0: none. @param {EventTarget | null} target */
export function squareOf(target) {
  const button = target instanceof Element ? target.closest("button[data-square]") : null;
  return Number(button?.getAttribute("data-square") ?? 0);
}
