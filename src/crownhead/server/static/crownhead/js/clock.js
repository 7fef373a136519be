// Runs the clocks between answers of the server: from the moment of the answer, never by this device's clock. When a
// clock reaches zero the server is asked; it alone decides whether time is up.
// @ts-check

import { playWarningSound } from "./board/sound.js";
import { refreshWithin } from "./live.js";
import { HOUR, formatTimeLeft, timeLeftInWords, untilNextUpdate } from "./time_left.js";

const RETRY = 1000; // milliseconds until the server is asked again about a clock at zero
const WATCHERS = 8000; // milliseconds over which those who watch ask

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
    const waits = Number(clock.getAttribute("data-waits")); // for a first move
    const left = Number(clock.getAttribute("data-left")) - Math.max(0, passed - waits);
    show(clock, left);
    return left;
  });
  const shortest = Math.min(...times);
  if (shortest <= 0) refreshUnlessRecent();
  timer = setTimeout(tick, untilNextUpdate(shortest));
}

/** @param {Element} clock @param {number} left */
function show(clock, left) {
  const inDigits = left < HOUR || clock.hasAttribute("data-ticking");
  clock.textContent = inDigits ? formatTimeLeft(left) : timeLeftInWords(left, document.documentElement.lang);
  const [face, isShort] = [clock.closest(".clock"), left < Number(clock.getAttribute("data-alarm"))];
  if (isShort && !face?.hasAttribute("data-short") && clock.closest("[data-live-game]")) warn(clock);
  face?.toggleAttribute("data-short", isShort);
}

/** Say that the reader's own time is getting short: once each time. @param {Element} clock */
function warn(clock) {
  const text = clock.closest("[data-warning]")?.getAttribute("data-warning");
  const announcer = document.querySelector("[data-announcer]");
  if (!text || !announcer) return;
  announcer.textContent = text;
  playWarningSound();
}

/** Ask the server, unless it was asked, or has answered, a moment ago. */
function refreshUnlessRecent() {
  const now = performance.now();
  if (now - refreshedAt < RETRY || now - receivedAt < RETRY) return;
  refreshedAt = now;
  const watches = document.querySelector("main [data-game]:not([data-seat])");
  refreshWithin(watches ? WATCHERS : 0); // mostly the stream tells the result before
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target instanceof Element && event.target.matches("main")) {
    receivedAt = performance.now();
    offerClaim();
  }
  tick();
});
document.addEventListener("game-moved", () => {
  receivedAt = performance.now();
  tick();
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let claiming;

/** Offer the game of an opponent who has left, once it may be claimed. */
function offerClaim() {
  clearTimeout(claiming);
  const claim = document.querySelector("main form[data-claim-in]");
  if (claim) claiming = setTimeout(() => claim.removeAttribute("hidden"), Number(claim.getAttribute("data-claim-in")));
}

document.addEventListener("claim-changed", offerClaim);
offerClaim();
document.addEventListener("visibilitychange", tick);
tick();
