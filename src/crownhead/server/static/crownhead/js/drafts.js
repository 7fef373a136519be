// Keeps what is unsent, opened sections, an open dialog and an open question when the content is replaced.
// @ts-check

import { showPanel } from "./menu.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */
/** @typedef {{value: string, ticked: boolean, from: number | null, to: number | null}} Draft */
/** What fields held, by their names: the content, and they with it, may be replaced since. @typedef {Map<string, string>} Held */

/** @type {Map<string, Draft>} */
let drafts = new Map();
/** @type {Set<string>} */
let opened = new Set();
/** @type {string | undefined} */
let dialog;
/** Popovers that ask before something is done. @type {string[]} */
let questions = [];

/** What a form held when it was sent. @type {WeakMap<XMLHttpRequest, Held>} */
const sent = new WeakMap();
/** By form. @type {WeakMap<EventTarget, XMLHttpRequest>} */
const requests = new WeakMap();
/** What a form held that was submitted again before the answer came. @type {WeakMap<XMLHttpRequest, Held>} */
const submittedAgain = new WeakMap();
/** The fields that are to be sent as soon as the new content is there. @type {Set<string>} */
let due = new Set();

/** @param {Element} element */
const nameOf = (element) => element.getAttribute("data-keep") ?? "";

/** @param {Element} element @returns {element is Field} */
const isField = (element) =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** @param {Field} field */
const isTicked = (field) => field instanceof HTMLInputElement && field.checked;

/** @param {ParentNode} place @returns {Field[]} */
const fieldsIn = (place) => [...place.querySelectorAll("[data-keep]")].filter(isField);

/** @param {Field} field */
const stateOf = (field) => `${isTicked(field)} ${field.value}`;

/** @param {ParentNode} form @returns {Held} */
const heldBy = (form) => new Map(fieldsIn(form).map((field) => [nameOf(field), stateOf(field)]));

/** @param {Field} field */
function isEdited(field) {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return !(options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.selected;
  }
  return field.value !== field.defaultValue || (field instanceof HTMLInputElement && field.checked !== field.defaultChecked);
}

/** @param {Field} field @returns {Draft} */
function draftOf(field) {
  const hasCaret = field === document.activeElement && !(field instanceof HTMLSelectElement);
  return {
    value: field.value,
    ticked: isTicked(field),
    from: hasCaret ? field.selectionStart : null,
    to: hasCaret ? field.selectionEnd : null,
  };
}

document.addEventListener("htmx:beforeSend", (event) => {
  const { elt, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (requestConfig.verb !== "post") return;
  sent.set(xhr, heldBy(elt));
  requests.set(elt, xhr);
});

// In the capturing phase: htmx, which keeps it until the answer has replaced the form, has the first submit sent by then.
document.addEventListener(
  "submit",
  ({ target }) => {
    const request = target ? requests.get(target) : undefined;
    if (!request || request.readyState === XMLHttpRequest.DONE || !(target instanceof HTMLFormElement)) return;
    submittedAgain.set(request, heldBy(target));
  },
  { capture: true },
);

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (!(target instanceof Element) || !target.matches("main")) return;
  const arrived = (xhr.status < 400 ? sent.get(xhr) : undefined) ?? new Map();
  const isUnsent = (/** @type {Field} */ field) => arrived.get(nameOf(field)) !== stateOf(field);
  const unsent = fieldsIn(target).filter((field) => isUnsent(field) && (isEdited(field) || field === document.activeElement));
  drafts = new Map(unsent.map((field) => [nameOf(field), draftOf(field)]));
  const again = submittedAgain.get(xhr);
  due = new Set(unsent.filter((field) => arrived.has(nameOf(field)) && again?.get(nameOf(field)) === stateOf(field)).map(nameOf));
  const open = [...target.querySelectorAll("details[data-keep][open]")].map(nameOf);
  opened = new Set(open.filter((name) => !arrived.has(name) || drafts.has(name)));
  dialog = target.querySelector("dialog:popover-open")?.getAttribute("data-dialog") ?? undefined;
  const answered = requestConfig?.triggeringEvent?.submitter?.closest("[popover]")?.id;
  questions = [...target.querySelectorAll("[popover][id]:popover-open")].map(({ id }) => id).filter((id) => id !== answered);
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("main")) return;
  for (const element of event.target.querySelectorAll("details[data-keep]")) element.toggleAttribute("open", opened.has(nameOf(element)));
  for (const field of fieldsIn(event.target)) {
    const draft = drafts.get(nameOf(field));
    if (draft) restore(field, draft);
  }
  if (dialog) showPanel(dialog);
  for (const id of questions) askAgain(event.target, id);
});

/** @param {Field} field @param {Draft} draft */
function restore(field, { value, ticked, from, to }) {
  if (field instanceof HTMLSelectElement) {
    if ([...field.options].some((option) => option.value === value)) field.value = value;
    return;
  }
  field.value = value;
  if (field instanceof HTMLInputElement) field.checked = ticked;
  if (from !== null) field.setSelectionRange(from, to); // the focus follows
}

/** Show a question again, if what it asks about may still be done. @param {Element} content @param {string} id */
function askAgain(content, id) {
  const name = CSS.escape(id);
  const question = content.querySelector(`[popover]#${name}`);
  const opener = content.querySelector(`[popovertarget="${name}"]:not([hidden], [popovertargetaction="hide"])`);
  if (!(question instanceof HTMLElement) || !(opener instanceof HTMLElement)) return;
  opener.focus({ preventScroll: true }); // where the focus goes when the question is closed
  question.showPopover();
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("main")) return;
  const forms = new Set(fieldsIn(event.target).filter((field) => due.has(nameOf(field))).map(({ form }) => form));
  due = new Set();
  for (const form of forms) if (form?.checkValidity()) form.requestSubmit();
});
