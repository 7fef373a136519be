// How boards look and sound: shown by attributes of the page that styles go by; a guest's choices are kept on this
// device, a member's with his account.
// @ts-check

const KEY = "crownhead:board"; // read by early.js too

/** What can be chosen; the first of each is what holds when nothing was chosen. */
export const CHOICES = /** @type {const} */ ({
  theme: ["tournament", "wood", "slate", "contrast"],
  numbers: ["inside", "none", "outside"],
  names: ["own", "algebraic"],
  motion: ["on", "off"],
  sound: ["off", "on"],
  entry: ["any", "click", "drag"],
});

/** @typedef {keyof typeof CHOICES} Setting */

/** @param {string} name @returns {name is Setting} */
export function isSetting(name) {
  return name in CHOICES;
}

/** What is chosen. @param {Setting} name @returns {string} */
export function setting(name) {
  /** @type {readonly string[]} */
  const choices = CHOICES[name];
  const chosen = document.documentElement.getAttribute(`data-${name}`) ?? "";
  return choices.includes(chosen) ? chosen : choices[0];
}

/** Choose, and keep it. @param {Setting} name @param {string} value */
export function choose(name, value) {
  document.documentElement.setAttribute(`data-${name}`, value);
  const account = document.documentElement.getAttribute("data-preferences");
  if (account) keepWithAccount(account, { [name]: value });
  else keepOnDevice(name, value);
  document.dispatchEvent(new CustomEvent("board-setting", { detail: { name, value } }));
}

/** @param {string} address @param {Record<string, string>} changes */
function keepWithAccount(address, changes) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  const headers = {
    "Content-Type": "application/json",
    "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "",
  };
  // Should it fail, the choice holds for this page all the same.
  fetch(address, { method: "PATCH", headers, body: JSON.stringify(changes), keepalive: true }).catch(() => {});
}

/** @param {string} name @param {string} value */
function keepOnDevice(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [name]: value }));
  } catch {
    // storage is switched off or full: the choice holds for this page
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
