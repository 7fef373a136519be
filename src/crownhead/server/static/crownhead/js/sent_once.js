// A form that leads to another page is sent once, though its button is clicked twice or Enter is held down. The button
// stays as it is: a disabled one would lose the focus, and its name would not be sent.
// @ts-check

const AGAIN = 5000; // milliseconds after which a form may be sent again on a page that is still there

/** @type {WeakSet<HTMLFormElement>} */
let sent = new WeakSet();
let leaves = -AGAIN; // when the last form was sent: its answer is another page

/** Milliseconds until this page has stayed after all, 0 if none is on its way. */
export const untilItStays = () => Math.max(0, leaves + AGAIN - performance.now());

// Of the window: by then whatever sends the form without leaving the page has prevented it.
globalThis.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.getAttribute("method") !== "post") return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  leaves = performance.now();
  setTimeout(() => sent.delete(form), AGAIN);
});
// The page may come back as it was left.
globalThis.addEventListener("pageshow", () => {
  sent = new WeakSet();
  leaves = -AGAIN;
});
