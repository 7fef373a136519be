// Runs the clocks, of games and of tournaments, between answers of the server: from the moment of the answer, never by
// this device's time of day.
// When a clock reaches zero, or the page has slept, the server is asked; it alone decides whether time is up.
// @ts-check

import { playWarningSound } from "./board/sound.js";
import { refreshWithin, reopen } from "./live.js";
import { steadyClock } from "./steady_clock.js";
import { HOUR, formatTimeLeft, timeLeftInWords, untilNextUpdate } from "./time_left.js";

const RETRY = 1000; // milliseconds until the server is asked again about a clock at zero
const WATCHERS = 8000; // milliseconds over which those who watch ask
const LATE = 5000; // milliseconds after which a tick was late because the device slept
const LATE_UNSEEN = 65_000; // in a page that nobody sees browsers may let a minute pass

const now = steadyClock();

/** When the page, or the part of it that was fetched last, came from the server. */
let receivedAt = pageReceivedAt();
let refreshedAt = -RETRY;
let dueAt = Infinity; // the next tick
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @returns {number} */
function pageReceivedAt() {
  const [page] = performance.getEntriesByType("navigation");
  return page instanceof PerformanceNavigationTiming ? page.responseStart : now();
}

function tick() {
  clearTimeout(timer);
  const isLate = now() > dueAt + (document.hidden ? LATE_UNSEEN : LATE);
  dueAt = Infinity;
  const clocks = [...document.querySelectorAll("[data-left]")];
  if (!clocks.length) return;
  const passed = now() - receivedAt;
  const times = clocks.map((clock) => {
    const waits = Number(clock.getAttribute("data-waits")); // for a first move
    const left = Number(clock.getAttribute("data-left")) - Math.max(0, passed - waits);
    show(clock, left);
    return left;
  });
  const shortest = Math.min(...times);
  if (isLate) catchUp();
  else if (shortest <= 0) refreshUnlessRecent();
  const wait = untilNextUpdate(shortest);
  dueAt = now() + wait;
  timer = setTimeout(tick, wait);
}

/** The device has slept: what happened meanwhile may come late, or over a connection that is gone. */
function catchUp() {
  reopen();
  if (!document.querySelector("main [data-live-game]")) return;
  refreshedAt = now();
  refreshWithin(0);
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
  if (now() - refreshedAt < RETRY || now() - receivedAt < RETRY) return;
  refreshedAt = now();
  const plays = document.querySelector("main [data-game][data-seat]");
  refreshWithin(plays ? 0 : WATCHERS); // mostly the stream tells the result before
}

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target instanceof Element && event.target.matches("main")) {
    receivedAt = now();
    offerClaim();
  }
  tick();
});
document.addEventListener("game-moved", () => {
  receivedAt = now();
  tick();
});

/** @type {ReturnType<typeof setTimeout> | undefined} */
let claiming;

const LONGEST = 2 ** 31 - 1; // milliseconds that a timer knows: an adjourned game may be claimed weeks later

/** Offer the game of an opponent who has left, once it may be claimed. */
function offerClaim() {
  clearTimeout(claiming);
  const claim = document.querySelector("main form[data-claim-in]");
  if (claim) claiming = setTimeout(() => claim.removeAttribute("hidden"), Math.min(LONGEST, Number(claim.getAttribute("data-claim-in"))));
}

document.addEventListener("claim-changed", offerClaim);
offerClaim();
for (const woken of ["visibilitychange", "resume"]) document.addEventListener(woken, tick);
globalThis.addEventListener("pageshow", tick);
tick();
