// What a board keeps across a reload: the half-made move, the premove, and which way it is turned.
// @ts-check

import { readStored, store } from "../browser_storage.js";

/** @typedef {{version?: number, path?: number[], turned?: boolean, premove?: number[], premovedAt?: number}} Stored */

/** @param {string} key @returns {Stored} */
export function load(key) {
  return (key && readStored(`board:${key}`, "sessionStorage")) || {};
}

/** @param {string} key @param {Stored} changes */
export function save(key, changes) {
  if (key) store(`board:${key}`, { ...load(key), ...changes }, "sessionStorage");
}
