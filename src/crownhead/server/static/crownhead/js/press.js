// Knows whether something is being pressed: a press counts only where it ends on what it began on, so nothing may be
// replaced under a finger.
// @ts-check

const CLICK_FOLLOWS = 50; // milliseconds until the click of a press has come, if one comes

let pressed = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let settling;
/** @type {(() => void) | undefined} */
let due;

/** Whether a finger, a button of the mouse or the space bar is down. */
export const isPressed = () => pressed;

/** Do this now, or once nothing is pressed any more; of several only the last is done. @param {() => void} act */
export function whenReleased(act) {
  if (pressed) due = act;
  else act();
}

function press() {
  clearTimeout(settling);
  pressed = true;
}

function release() {
  if (pressed) settling = setTimeout(settle, CLICK_FOLLOWS);
}

function settle() {
  pressed = false;
  const act = due;
  due = undefined;
  act?.();
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
