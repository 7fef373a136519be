// How a clock's remaining time is written, and when that changes next. All times are in milliseconds.
// @ts-check

export const HOUR = 3_600_000; // a longer time is given in words, which the server renews
export const RENEWAL = 600_000; // how often the server is asked for those words

const TENTHS_BELOW = 10_000;
const TENTH = 100;

/**
 * `4:07`; `1:04:07` from an hour on; `0:09.3` in the last ten seconds.
 * @param {number} left
 * @returns {string}
 */
export function formatTimeLeft(left) {
  if (left <= 0) return "0:00";
  if (left < TENTHS_BELOW) return `0:0${(Math.floor(left / TENTH) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * How long until a clock has to be written again; with several clocks, `left` is the shortest time.
 * @param {number} left
 * @returns {number}
 */
export function untilNextUpdate(left) {
  if (left > HOUR) return Math.min(left - HOUR, RENEWAL);
  return left > TENTHS_BELOW ? left % 1000 || 1000 : TENTH;
}
