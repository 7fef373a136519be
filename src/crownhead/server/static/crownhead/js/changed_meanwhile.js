// A form that asks the server for a new version of itself keeps what a person chooses or writes until the answer comes.
// @ts-check

/** What can be changed in a form: by name and value whether it is ticked, else by name what is written. @typedef {Map<string, boolean | string>} Filled */

/** What the form of a request held when it left. @type {WeakMap<XMLHttpRequest, Filled>} */
const sent = new WeakMap();
/** What was changed since, of the form that is replaced now. @type {Filled} */
let changed = new Map();

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @param {Element} element @returns {element is Field} */
const isField = (element) =>
  (element instanceof HTMLInputElement && element.type !== "hidden" && element.type !== "file") ||
  element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** @param {Field} field @returns {field is HTMLInputElement} */
const isTicked = (field) => field.type === "radio" || field.type === "checkbox";

/** @param {Field} field */
const keyOf = (field) => (isTicked(field) ? `${field.name}=${field.value}` : field.name);

/** @param {Element | null} form @returns {Field[]} */
const fieldsOf = (form) => (form instanceof HTMLFormElement ? [...form.elements].filter(isField).filter(({ name }) => name) : []);

/** @param {Element | null} form @returns {Filled} */
const filled = (form) => new Map(fieldsOf(form).map((field) => [keyOf(field), isTicked(field) ? field.checked : field.value]));

/** The form of a page that is asked for again: there is one of each address. @param {string} address */
const formOf = (address) => document.querySelector(`main form:is([hx-get="${CSS.escape(address)}"], :has([hx-get="${CSS.escape(address)}"]))`);

/** @param {Event} event */
const request = (event) => /** @type {CustomEvent} */ (event).detail;

document.addEventListener("htmx:beforeSend", (event) => {
  const { xhr, elt, requestConfig } = request(event);
  if (requestConfig.verb === "get" && elt.closest("form")) sent.set(xhr, filled(elt.closest("form")));
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = request(event);
  const before = sent.get(xhr);
  const now = before ? filled(formOf(requestConfig.path)) : new Map();
  changed = new Map([...now].filter(([key, value]) => before?.has(key) && before.get(key) !== value));
});

document.addEventListener("htmx:afterSwap", (event) => {
  const { xhr, requestConfig } = request(event);
  if (!sent.has(xhr) || changed.size === 0) return;
  for (const field of fieldsOf(formOf(requestConfig.path))) {
    const value = changed.get(keyOf(field));
    if (value === undefined) continue;
    if (isTicked(field)) field.checked = value === true;
    else field.value = String(value);
    if (value !== false) field.dispatchEvent(new Event("change", { bubbles: true })); // it may ask for another version
  }
  changed = new Map();
});
