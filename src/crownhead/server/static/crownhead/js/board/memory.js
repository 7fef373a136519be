// What a board keeps over a reload: the half-made move, the one chosen beforehand, which way it is turned.
// @ts-check

/** @typedef {{version?: number, path?: number[], turned?: boolean, premove?: number[], premovedAt?: number}} Kept */

/** @param {string} key @returns {Kept} */
export function recall(key) {
  if (!key) return {};
  try {
    return JSON.parse(sessionStorage.getItem(`board:${key}`) ?? "{}");
  } catch {
    return {}; // storage is switched off, or holds what somebody else wrote
  }
}

/** @param {string} key @param {Kept} facts */
export function remember(key, facts) {
  if (!key) return;
  try {
    sessionStorage.setItem(`board:${key}`, JSON.stringify({ ...recall(key), ...facts }));
  } catch {
    // storage is switched off or full: the move will not survive a reload
  }
}
