// Whether something is being pressed. A click needs press and release on the same element, so content under a finger
// must not be replaced.
// @ts-check

const CLICK_FOLLOWS = 50; // milliseconds in which the click follows a release

let pressed = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** What waits for the release. @type {Set<() => void>} */
const pending = new Set();

/** Whether a finger, a button of the mouse or the space bar is down. */
export const isPressed = () => pressed;

/** Call back now, or once nothing is pressed; what waits already is not called twice. @param {() => void} callback */
export function whenReleased(callback) {
  if (pressed) pending.add(callback);
  else callback();
}

function press() {
  clearTimeout(timer);
  pressed = true;
}

function release() {
  if (pressed) timer = setTimeout(settle, CLICK_FOLLOWS);
}

function settle() {
  pressed = false;
  const callbacks = [...pending];
  pending.clear();
  for (const callback of callbacks) callback();
}

document.addEventListener("pointerdown", (event) => {
  if (event.isPrimary && event.button === 0) press();
});
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target instanceof HTMLButtonElement) press();
});
document.addEventListener("keyup", (event) => {
  if (event.key === " ") release();
});
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, release);
globalThis.addEventListener("blur", release);
