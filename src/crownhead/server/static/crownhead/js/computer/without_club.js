// Keeps the page, once a game has begun there, so that it opens without a connection; the service worker gives it then.
// @ts-check

const CACHE = "computer"; // as in the service worker
const ADDRESSES = [
  new URL("../rules/engine_worker.js", import.meta.url),
  new URL("../rules/searching.js", import.meta.url),
];

let isKept = false;

/** Keep this page with all that it has fetched, instead of what was kept before. @param {{rules: string, weights: string}} known */
export async function keepForLater({ rules, weights }) {
  if (isKept || !navigator.onLine || !("caches" in globalThis) || !navigator.serviceWorker?.controller) return;
  isKept = true;
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name).filter(isOurs);
  const files = new Set([...fetched, ...ADDRESSES.map(String), location.origin + rules, location.origin + weights]);
  try {
    const page = await fetch(location.href, { credentials: "omit" }); // as guests see it: no name stays here
    if (!page.ok) return;
    const answers = await Promise.all([...files].map(fetchFile)); // all of them, before what was kept goes
    await caches.delete(CACHE);
    const cache = await caches.open(CACHE);
    await Promise.all(answers.map(([address, answer]) => cache.put(address, answer)));
    await cache.put("/computer/", page);
  } catch {
    isKept = false; // no connection or no space: tried again after the next move
  }
}

/** @param {string} address @returns {Promise<[string, Response]>} */
async function fetchFile(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return [address, answer];
}

/** @param {string} address */
function isOurs(address) {
  return address.startsWith(`${location.origin}/static/crownhead/`);
}
