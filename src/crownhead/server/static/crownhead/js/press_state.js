// Whether something is being pressed. A click needs press and release on the same element, so content under a finger
// must not be replaced.
// @ts-check

const CLICK_FOLLOWS = 50; // milliseconds in which the click follows a release

let pressed = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {(() => void) | undefined} */
let pending;

/** Whether a finger, a button of the mouse or the space bar is down. */
export const isPressed = () => pressed;

/** Call back now, or once nothing is pressed; of several callbacks only the last is called. @param {() => void} callback */
export function whenReleased(callback) {
  if (pressed) pending = callback;
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
  const callback = pending;
  pending = undefined;
  callback?.();
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
