// How a clock's remaining time is written and when that changes next; when to ask again, and how long to wait before. All
// times are in milliseconds.
// @ts-check

export const HOUR = 3_600_000; // a longer time is given in words
const MINUTE = 60_000;
const DAY = 24 * HOUR;

const SHORTEST = 2_000;
const LONGEST = 40_000; // sooner than the opponent may claim a live game of somebody whom the server does not hear

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
 * A time in its two largest units, as the server writes it: `2 days 3 hours`; from a day on to the nearest hour.
 * @param {number} left
 * @param {string} language  of the page
 * @param {string} [moment]  what less than a minute is called
 * @returns {string}
 */
export function timeLeftInWords(left, language, moment = "") {
  const minutes = left < DAY ? Math.floor(left / MINUTE) : 60 * Math.round(left / HOUR);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  const parts = /** @type {[number, string][]} */ (days ? [[days, "day"], [hours, "hour"]] : [[hours, "hour"], [minutes % 60, "minute"]]);
  const write = (/** @type {[number, string]} */ [count, unit]) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
  return parts.filter(([count]) => count > 0).map(write).join(" ") || moment;
}

/**
 * How long until a clock has to be written again; with several clocks, `left` is the shortest time.
 * @param {number} left
 * @returns {number}
 */
export function untilNextUpdate(left) {
  if (left > HOUR) return left % MINUTE || MINUTE;
  return left > TENTHS_BELOW ? left % 1000 || 1000 : TENTH;
}

/** Whether the server could not say yet what it makes of what was sent. @param {{readonly status: number}} answer */
export const isBusy = (answer) => answer.status >= 500 || answer.status === 429;

/**
 * How long to wait after so many failures in a row: twice as long each time, and half of it at random, so that not
 * everybody asks at once.
 * @param {number} failures
 * @param {number} [chance]  from 0 to 1
 * @returns {number}
 */
export function backoff(failures, chance = Math.random()) {
  const longest = Math.min(LONGEST, SHORTEST * 2 ** (failures + 1));
  return longest / 2 + (longest / 2) * chance;
}
