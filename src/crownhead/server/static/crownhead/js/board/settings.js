// How boards look and sound: attributes of the page that the style sheets use. A guest's choices are kept on this
// device, a member's with their account.
// @ts-check

import { readStored, store } from "../browser_storage.js";

const KEY = "crownhead:board"; // stored_settings.js reads it too

/** What can be chosen; the first of each is the default. */
export const CHOICES = /** @type {const} */ ({
  theme: ["tournament", "wood", "slate", "contrast"],
  numbers: ["inside", "none", "outside"],
  names: ["own", "algebraic"],
  motion: ["on", "off"],
  sound: ["live", "on", "off"],
  entry: ["any", "click", "drag"],
  size: ["large", "medium", "small"],
  pieces: ["usual", "grooved", "plain", "ridged", "ringed", "modern"],
});

/** Kept on this device, for members too: they depend on the window and the screen. @type {readonly string[]} */
const OF_THE_DEVICE = ["size", "pieces"];

/** @typedef {keyof typeof CHOICES} Setting */

/** @param {string} name @returns {name is Setting} */
export function isSetting(name) {
  return name in CHOICES;
}

/** The current choice. @param {Setting} name @returns {string} */
export function setting(name) {
  /** @type {readonly string[]} */
  const choices = CHOICES[name];
  const chosen = document.documentElement.getAttribute(`data-${name}`) ?? "";
  return choices.includes(chosen) ? chosen : choices[0];
}

/** Choose, and store the choice. @param {Setting} name @param {string} value */
export function choose(name, value) {
  show(name, value);
  const account = document.documentElement.getAttribute("data-preferences");
  if (account && !OF_THE_DEVICE.includes(name)) saveToAccount(account, { [name]: value });
  else store(KEY, { ...readStored(KEY), [name]: value });
}

/** Let this page look like a choice without storing it. @param {Setting} name @param {string} value */
export function show(name, value) {
  document.documentElement.setAttribute(`data-${name}`, value);
  document.dispatchEvent(new CustomEvent("board-setting", { detail: { name, value } }));
}

/** @param {string} address @param {Record<string, string>} changes */
function saveToAccount(address, changes) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  const headers = {
    "Content-Type": "application/json",
    "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "",
  };
  // Should it fail, the choice still applies to this page.
  fetch(address, { method: "PATCH", headers, body: JSON.stringify(changes), keepalive: true }).catch(() => {});
}
