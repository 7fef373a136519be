// The files that pages are made of, found by their texts: styles, pictures and scripts, with what these import.
// @ts-check

const IN_PAGES = /\b(?:src|href)="(\/static\/[^"#]+)/g;
const IN_STYLES = /url\(["']?([^"')#]+)/g;
const IN_SCRIPTS = /["'](\.{1,2}\/[\w./-]+\.js)["']/g; // imported, at once or later, or started as a worker

/**
 * Fetch the files, each with its answer. Rejects where one cannot be fetched.
 * @param {readonly string[]} pages  their HTML
 * @param {string} base  the address of any of them
 * @returns {Promise<Map<string, Response>>}
 */
export async function filesOf(pages, base) {
  /** @type {Map<string, Response>} */
  const found = new Map();
  /** @type {Set<string>} */
  const asked = new Set();
  const follow = async (/** @type {string} */ text, /** @type {RegExp} */ pattern, /** @type {string} */ from) => {
    const addresses = [...text.matchAll(pattern)].map(([, address]) => new URL(address, from).href);
    const others = [...new Set(addresses)].filter((address) => !asked.has(address) && address.startsWith(`${new URL(base).origin}/static/`));
    for (const address of others) asked.add(address);
    await Promise.all(others.map(look));
  };
  const look = async (/** @type {string} */ address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    found.set(address, answer.clone());
    const pattern = address.endsWith(".js") ? IN_SCRIPTS : address.endsWith(".css") ? IN_STYLES : undefined;
    if (pattern) await follow(await answer.text(), pattern, address);
  };
  await Promise.all(pages.map((page) => follow(page, IN_PAGES, base)));
  return found;
}
