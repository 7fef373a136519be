// The numbers in the menu (games on turn, messages …) and in the title of the page.
// @ts-check

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

/** Ask the server for the numbers, on a page that shows nothing else that changes. */
export async function fetchBadges() {
  const address = document.body.getAttribute("data-badges");
  if (!address) return;
  const answer = await fetch(address);
  if (!answer.ok) return;
  for (const [name, count] of Object.entries(await answer.json())) showBadge(name, Number(count));
}
