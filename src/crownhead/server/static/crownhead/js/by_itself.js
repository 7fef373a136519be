// A form that saves itself a while after the last key saves what is written as well when the page is left or put aside
// before, when the content is replaced, and when the server was busy. What every page has loaded is given to it: a module
// that both import would be a request of every page.
// @ts-check

const FORM = "form[data-by-itself]";

/** The text that a request takes along. @type {WeakMap<XMLHttpRequest, string>} */
const taken = new WeakMap();
/** The text that the server has. @type {WeakMap<Element, string>} */
const saved = new WeakMap();

/** @param {Element} form */
const fieldOf = (form) => form.querySelector("textarea");

/** Whether the server lacks what is written. @param {Element} form @returns {form is HTMLFormElement} */
function isUnsaved(form) {
  const field = fieldOf(form);
  return field !== null && field.value !== (saved.get(form) ?? field.defaultValue);
}

const unsaved = () => [...document.querySelectorAll(`main ${FORM}`)].filter(isUnsaved);

function save() {
  for (const form of unsaved()) form.requestSubmit();
}

let watching = false;

/** Watch the page's forms from now on. @param {Pick<typeof import("./time_left.js"), "backoff" | "isBusy">} retrying */
export function saveByItself({ backoff, isBusy }) {
  if (watching) return;
  watching = true;
  let failures = 0;

  document.addEventListener("htmx:beforeSend", (event) => {
    const { elt, xhr } = /** @type {CustomEvent} */ (event).detail;
    if (elt.matches(FORM)) taken.set(xhr, fieldOf(elt)?.value ?? "");
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (taken.has(detail.xhr) && isBusy(detail.xhr)) detail.shouldSwap = false;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = /** @type {CustomEvent} */ (event).detail;
    const text = taken.get(xhr);
    if (text === undefined) return;
    if (xhr.status === 0 || isBusy(xhr)) setTimeout(save, backoff(failures++));
    else failures = 0;
    if (xhr.status >= 200 && xhr.status < 300) saved.set(elt, text);
  });

  // The timer of the form that was there before has gone with it.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target instanceof Element && event.target.matches("main")) save();
  });

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") return;
    for (const form of unsaved()) {
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      navigator.sendBeacon(form.action, new URLSearchParams(fields));
    }
  });
}
