// Renews the CSRF token of a page whose reader has signed in again in another tab, which makes the old one useless.
// @ts-check

/** @param {ParentNode} page @returns {NodeListOf<HTMLInputElement>} */
const fieldsIn = (page) => page.querySelectorAll("input[name=csrfmiddlewaretoken]");

/**
 * Take the token of now; a page that is somebody else's by now is loaded instead.
 * @param {typeof import("./reader.js").readerOf} readerOf
 * @returns {Promise<boolean>} whether its reader is the same, for whom things may be sent
 */
export async function renewToken(readerOf) {
  const answer = await fetch(location.href);
  if (!answer.ok) throw new Error(`expected the page, got ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (readerOf(page) !== readerOf(document)) {
    location.reload();
    return false;
  }
  const token = fieldsIn(page)[0]?.value;
  if (!token) throw new Error("expected a page with a form");
  for (const field of fieldsIn(document)) field.value = token;
  return true;
}
