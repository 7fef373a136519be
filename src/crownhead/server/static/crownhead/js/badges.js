// The numbers in the menu (games on turn, messages …) and in the title of the page.
// @ts-check

import { backoff } from "./time_left.js";

const LARGEST = 99;

/** What a badge says. @param {number} count @returns {string} */
export const badgeText = (count) => (count > LARGEST ? `${LARGEST}+` : String(count));

/**
 * A page's title with the number of games on turn before it: `(2) Games`.
 * @param {string} title  with a number or without
 * @param {number} count
 * @returns {string}
 */
export function titleWithCount(title, count) {
  const plain = title.replace(/^\(\d+\) /u, "");
  return count ? `(${count}) ${plain}` : plain;
}

/** Show the number beside a link of the menu, and that of games on turn in the title too. @param {string} name @param {number} count */
export function showBadge(name, count) {
  for (const badge of document.querySelectorAll(`[data-badge="${CSS.escape(name)}"]`)) {
    badge.toggleAttribute("hidden", count === 0);
    const number = badge.querySelector("b");
    if (number) number.textContent = badgeText(count);
  }
  if (name !== "on_turn") return;
  document.title = titleWithCount(document.title, count);
  for (const link of document.querySelectorAll("[data-if-on-turn]")) link.toggleAttribute("hidden", !count);
  for (const link of document.querySelectorAll("[data-unless-on-turn]")) link.toggleAttribute("hidden", count > 0);
}

/** Show the numbers that new content has brought along. */
export function showBadgesOfContent() {
  for (const data of document.querySelectorAll("data[data-now]")) {
    if (data instanceof HTMLDataElement) showBadge(data.dataset.now ?? "", Number(data.value));
  }
}

/** How often the numbers were asked for: only the latest answer counts. */
let asked = 0;

/**
 * Ask the server for the numbers, on a page that shows nothing else that changes; there are none once the member has
 * signed out elsewhere, and the page is no longer theirs.
 * @param {number} [failures]  in a row, of which the first is repeated
 */
export async function fetchBadges(failures = 0) {
  const address = document.body.getAttribute("data-badges");
  if (!address) return;
  asked += 1;
  const mine = asked;
  const numbers = await readNumbers(address);
  if (mine !== asked) return;
  if (!numbers) {
    if (!failures) setTimeout(() => mine === asked && void fetchBadges(1), backoff(0));
  } else if (!Object.keys(numbers).length) location.reload();
  else for (const [name, count] of Object.entries(numbers)) showBadge(name, Number(count));
}

/** @param {string} address @returns {Promise<Record<string, number> | undefined>} */
async function readNumbers(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined; // no connection
  }
}
