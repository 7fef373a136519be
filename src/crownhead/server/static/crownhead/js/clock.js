// Runs the clocks between answers of the server: from the moment of the answer, never by this device's clock. When a
// clock reaches zero the server is asked; it alone decides whether time is up.
// @ts-check

import { refresh } from "./live.js";
import { HOUR, RENEWAL, formatTimeLeft, untilNextUpdate } from "./time_left.js";

const RETRY = 1000; // milliseconds until the server is asked again about a clock at zero

/** When the page, or the part of it that was fetched last, came from the server. */
let receivedAt = pageReceivedAt();
let refreshedAt = -RETRY;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @returns {number} */
function pageReceivedAt() {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming ? page.responseStart : performance.now();
}

function tick() {
  clearTimeout(timer);
  const clocks = [...document.querySelectorAll("[data-left]")];
  if (!clocks.length) return;
  const passed = performance.now() - receivedAt;
  const times = clocks.map((clock) => {
    const left = Number(clock.getAttribute("data-left")) - passed;
    show(clock, left);
    return left;
  });
  const shortest = Math.min(...times);
  if (shortest <= 0) refreshUnlessRecent(RETRY);
  else if (shortest > HOUR) refreshUnlessRecent(RENEWAL);
  timer = setTimeout(tick, untilNextUpdate(shortest));
}

/** @param {Element} clock @param {number} left */
function show(clock, left) {
  if (left < HOUR || clock.hasAttribute("data-ticking")) clock.textContent = formatTimeLeft(left);
  clock.closest(".clock")?.toggleAttribute("data-short", left < Number(clock.getAttribute("data-alarm")));
}

/** Ask the server, unless it was asked, or has answered, less than `interval` ago. @param {number} interval */
function refreshUnlessRecent(interval) {
  const now = performance.now();
  if (now - refreshedAt < interval || now - receivedAt < interval) return;
  refreshedAt = now;
  refresh();
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target instanceof Element && event.target.matches("main")) receivedAt = performance.now();
  tick();
});
document.addEventListener("visibilitychange", tick);
tick();
