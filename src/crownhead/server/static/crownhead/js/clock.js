// Lets a clock run between what the server tells of it: from the moment its answer came, never by this device's time.
// When a clock has come to nothing the server is asked; it alone knows whether the time is out.
// @ts-check

import { refresh } from "./live.js";

const HOUR = 3_600_000; // milliseconds; what is longer is told in words, which the server renews
const TENTHS = 10_000;
const RENEWED = 600_000;
const AGAIN = 1000;

/** When the page, or the part of it that was fetched last, came from the server. */
let came = arrival();
let asked = -AGAIN;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

/** @returns {number} */
function arrival() {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming ? page.responseStart : performance.now();
}

/**
 * `4:07`, `1:04:07` from an hour on, `9.3` in the last ten seconds.
 * @param {number} left  milliseconds
 * @returns {string}
 */
export function digits(left) {
  if (left <= 0) return "0:00";
  if (left < TENTHS) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  clearTimeout(next);
  const clocks = [...document.querySelectorAll("[data-left]")];
  if (!clocks.length) return;
  const passed = performance.now() - came;
  const lefts = clocks.map((clock) => {
    const left = Number(clock.getAttribute("data-left")) - passed;
    show(clock, left);
    return left;
  });
  const least = Math.min(...lefts);
  if (least <= 0) ask(AGAIN);
  else if (least > HOUR) ask(RENEWED);
  next = setTimeout(tick, least > HOUR ? Math.min(least - HOUR, RENEWED) : least > TENTHS ? least % 1000 || 1000 : 100);
}

/** @param {Element} clock @param {number} left */
function show(clock, left) {
  if (left < HOUR || clock.hasAttribute("data-ticking")) clock.textContent = digits(left);
  clock.closest(".clock")?.toggleAttribute("data-short", left < Number(clock.getAttribute("data-alarm")));
}

/** Ask the server how things stand, unless it has been asked, or has told, just now. @param {number} after */
function ask(after) {
  const now = performance.now();
  if (now - asked < after || now - came < after) return;
  asked = now;
  refresh();
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target instanceof Element && event.target.matches("main")) came = performance.now();
  tick();
});
document.addEventListener("visibilitychange", tick);
tick();
