// Values that the browser keeps as JSON. Where storage is switched off or full, a value lasts as long as its page.
// @ts-check

/** @typedef {"localStorage" | "sessionStorage"} Where  on this device, or in this tab over a reload */

/**
 * The value kept under a key; `null`: there is none, `undefined`: it cannot be read.
 * @param {string} key
 * @param {Where} [where]
 * @returns {any}
 */
export function readStored(key, where = "localStorage") {
  try {
    return JSON.parse(globalThis[where].getItem(key) ?? "null");
  } catch {
    return undefined; // storage is switched off, or holds something else
  }
}

/**
 * Keep a value; `undefined` is forgotten.
 * @param {string} key
 * @param {unknown} value
 * @param {Where} [where]
 * @returns {boolean} whether it is kept
 */
export function store(key, value, where = "localStorage") {
  try {
    if (value === undefined) globalThis[where].removeItem(key);
    else globalThis[where].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false; // storage is switched off or full
  }
}
