// A clock for what passes on a page, that goes on while the device sleeps.
// @ts-check

const APART = 2000; // milliseconds by which two clocks of a device don't come apart unless it slept

/**
 * Milliseconds since some moment. The monotonic clock stands still while the device sleeps; by how much, the wall clock
 * says. One that was set back says nothing.
 * @param {() => number} [monotonic]
 * @param {() => number} [wall]
 * @returns {() => number}
 */
export function steadyClock(monotonic = () => performance.now(), wall = () => Date.now()) {
  let slept = 0;
  let difference = wall() - monotonic();
  return () => {
    const now = monotonic();
    const grown = wall() - now - difference;
    difference += grown;
    if (grown > APART) slept += grown;
    return now + slept;
  };
}
