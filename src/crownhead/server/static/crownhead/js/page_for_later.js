// Keeps a page that needs no club, so that it opens without a connection; the service worker gives it then.
// @ts-check

/** Where a page is kept, as in the service worker. @typedef {{cacheName: string, pathname: string}} Place */

let isInUse = false;

/**
 * Keep this page with all that it has fetched, instead of what was kept before: once it is in use.
 * @param {Place} place
 * @param {readonly (string | URL)[]} more  addresses of what it may fetch yet
 */
export async function keepForLater(place, more) {
  if (isInUse || !navigator.onLine || !("caches" in globalThis) || !navigator.serviceWorker?.controller) return;
  isInUse = true;
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name).filter(isOurs);
  // Without a connection or space: tried again when it is used again.
  isInUse = await keepPage(place, location.href, () => Promise.resolve([...fetched, ...more]));
}

/**
 * Keep the page at an address as guests see it, so that no name stays here.
 * @param {Place} place
 * @param {string} address
 * @param {(page: string) => Promise<(string | URL)[]>} needs  the addresses of what it is made of
 * @returns {Promise<boolean>} whether it is kept
 */
export async function keepPage({ cacheName, pathname }, address, needs) {
  try {
    const page = await fetch(address, { credentials: "omit" });
    if (!page.ok) return false;
    const files = (await needs(await page.clone().text())).map((file) => new URL(file, location.href).href);
    const answers = await Promise.all([...new Set(files)].map(fetchFile)); // all of them, before what was kept goes
    await caches.delete(cacheName);
    const cache = await caches.open(cacheName);
    await Promise.all(answers.map(([file, answer]) => cache.put(file, answer)));
    await cache.put(pathname, page);
    return true;
  } catch {
    return false;
  }
}

/** Whether a page is kept that was fetched no longer ago. @param {Place} place @param {number} age  milliseconds */
export async function isKept({ cacheName, pathname }, age) {
  const kept = await caches.match(pathname, { cacheName, ignoreVary: true });
  return kept !== undefined && Date.now() - Date.parse(kept.headers.get("date") ?? "") < age;
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
