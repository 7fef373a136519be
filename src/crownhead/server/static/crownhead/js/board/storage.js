// What a board keeps across a reload: the half-made move, the premove, and which way it is turned.
// @ts-check

/** @typedef {{version?: number, path?: number[], turned?: boolean, premove?: number[], premovedAt?: number}} Stored */

/** @param {string} key @returns {Stored} */
export function load(key) {
  if (!key) return {};
  try {
    return JSON.parse(sessionStorage.getItem(`board:${key}`) ?? "{}");
  } catch {
    return {}; // storage is switched off, or holds something else
  }
}

/** @param {string} key @param {Stored} changes */
export function save(key, changes) {
  if (!key) return;
  try {
    sessionStorage.setItem(`board:${key}`, JSON.stringify({ ...load(key), ...changes }));
  } catch {
    // storage is switched off or full: the move will not survive a reload
  }
}
