// Takes both players of a live game to it when it starts, from any page of the club: one page of each player goes there,
// and one on which they are writing asks first.
// @ts-check

import { isHeard, playStartSound } from "./board/sound.js";

const LATE = 60_000; // milliseconds after which nobody is taken to a game any more
const SOUND = 400; // milliseconds that the sound lasts
const HIDDEN = 700; // milliseconds in which a page that can be seen goes first

/** @typedef {{id: string, status: string, began?: string, age?: number}} Start */

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("crownhead:games") : undefined;
/** The games that another page of this browser shows. @type {Set<string>} */
const taken = new Set();

channel?.addEventListener("message", ({ data }) => {
  taken.add(String(data));
  const banner = place();
  if (banner?.getAttribute("data-id") === data) close();
});

/** Where it is said. @returns {HTMLElement | null} */
const place = () => document.querySelector("[data-game-start]");

/** @param {Start} start */
export function gameStarted({ id, status, began, age = 0 }) {
  if (began !== "live" || status !== "playing" || age > LATE || taken.has(id)) return;
  if (shownGame() === id) {
    playStartSound();
    return;
  }
  if (document.visibilityState === "visible") {
    playStartSound();
    if (isBusy()) ask(id);
    else setTimeout(() => go(id), isHeard(true) ? SOUND : 0);
    return;
  }
  setTimeout(() => {
    if (taken.has(id)) return;
    playStartSound();
    document.title = `● ${place()?.getAttribute("data-title") ?? document.title}`;
    if (isBusy()) ask(id);
    else go(id);
  }, HIDDEN * (1 + Math.random()));
}

/** The game that this page shows. */
const shownGame = () => document.querySelector("main [data-game]")?.getAttribute("data-game") ?? "";

/** Whether the person would lose something: a text they write, a form they fill in, a live game they play. */
function isBusy() {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement) return true;
  if (focused instanceof HTMLInputElement && !focused.readOnly && /^(?:text|search|email|password|url|)$/u.test(focused.type)) return true;
  if (document.querySelector("main [data-live-game][data-seat] script#news, main checkers-board[data-mode='edit']")) return true;
  return [...document.querySelectorAll("main textarea, main form[method='post'] input[type='text']")].some(
    (field) => (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== field.defaultValue,
  );
}

/** @param {string} id */
function go(id) {
  if (navigator.locks) void navigator.locks.request(`start:${id}`, { ifAvailable: true }, (lock) => lock && leave(id));
  else void leave(id);
}

/** Go there, as the only page that does. @param {string} id */
function leave(id) {
  if (taken.has(id)) return undefined;
  channel?.postMessage(id);
  location.assign(addressOf(id));
  return new Promise(() => {}); // the lock is kept until this page is gone
}

/** @param {string} id */
const addressOf = (id) => `/games/${encodeURIComponent(id)}/`;

/** Say it, and leave the choice to the person. @param {string} id */
function ask(id) {
  const banner = place();
  const template = banner?.querySelector("template");
  if (!banner || !template) return;
  close();
  banner.setAttribute("data-id", id);
  banner.append(template.content.cloneNode(true));
  banner.querySelector("a")?.setAttribute("href", addressOf(id));
  banner.querySelector("button")?.addEventListener("click", close);
}

function close() {
  const banner = place();
  banner?.removeAttribute("data-id");
  for (const element of [...(banner?.children ?? [])]) if (element.localName !== "template") element.remove();
}

if (shownGame()) channel?.postMessage(shownGame());
