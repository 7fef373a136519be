// Keeps a page that needs no club, once it is in use, so that it opens without a connection; the service worker gives it then.
// @ts-check

let isKept = false;

/**
 * Keep this page with all that it has fetched, instead of what was kept before.
 * @param {{cacheName: string, pathname: string}} where  as in the service worker
 * @param {readonly (string | URL)[]} more  addresses of what it may fetch yet
 */
export async function keepForLater({ cacheName, pathname }, more) {
  if (isKept || !navigator.onLine || !("caches" in globalThis) || !navigator.serviceWorker?.controller) return;
  isKept = true;
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name).filter(isOurs);
  const files = new Set([...fetched, ...more.map((address) => new URL(address, location.href).href)]);
  try {
    const page = await fetch(location.href, { credentials: "omit" }); // as guests see it: no name stays here
    if (!page.ok) return;
    const answers = await Promise.all([...files].map(fetchFile)); // all of them, before what was kept goes
    await caches.delete(cacheName);
    const cache = await caches.open(cacheName);
    await Promise.all(answers.map(([address, answer]) => cache.put(address, answer)));
    await cache.put(pathname, page);
  } catch {
    isKept = false; // no connection or no space: tried again when it is used again
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
