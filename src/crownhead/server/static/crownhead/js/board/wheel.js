// How far a turn of the wheel goes through a game.
// @ts-check

const STEP = 60; // pixels; a notch of a wheel is about 100, a trackpad sends a few at a time
const LINE = 20; // pixels

/**
 * The plies to go, one at most, and what is left of the turn for the next event.
 * @param {number} before  what was left of the last turn, in pixels
 * @param {number} delta
 * @param {number} mode  of the event: 0 pixels, 1 lines, 2 pages
 * @returns {{steps: -1 | 0 | 1, rest: number}}
 */
export function wheelSteps(before, delta, mode) {
  const turned = delta * (mode === 0 ? 1 : LINE);
  const whole = Math.sign(before) === -Math.sign(turned) ? turned : before + turned;
  if (Math.abs(whole) < STEP) return { steps: 0, rest: whole };
  return { steps: whole < 0 ? -1 : 1, rest: 0 };
}
