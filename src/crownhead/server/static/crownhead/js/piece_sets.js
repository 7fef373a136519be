// Puts the drawings of another piece set in place of those of the page, and keeps them on this device, so that the next
// page is drawn with them at once and asks for nothing. It is loaded only for this.
// @ts-check

/** @typedef {typeof import("./browser_storage.js")} Storage */

const KEPT = "crownhead:pieces"; // stored_settings.js reads it too
const DEFAULT = "grooved"; // what pages come with

/** The picture of a set in the settings, whose file has the drawings. @param {string} name */
function addressOf(name) {
  const sample = document.querySelector(`[data-settings] [name="pieces"][value="${name}"] ~ img`);
  return sample instanceof HTMLImageElement ? sample.src : undefined;
}

/**
 * Draw the pieces of the set that is chosen, where they are not yet; only pages with settings know where it is.
 * @param {() => string} setting  the chosen one
 * @param {Storage} storage
 */
export async function drawPieces(setting, { readStored, store }) {
  const name = setting();
  const wanted = name === "usual" ? DEFAULT : name;
  const address = addressOf(wanted);
  const kept = readStored(KEPT)?.address;
  if (!address || address === kept || (wanted === DEFAULT && !kept)) return;
  const answer = await fetch(address);
  const drawing = (await answer.text()).trim();
  if (!answer.ok || name !== setting()) return; // another one has been chosen meanwhile
  const pieces = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  document.querySelector(".sprite > svg")?.replaceWith(pieces);
  store(KEPT, wanted === DEFAULT ? undefined : { address, drawing });
}
