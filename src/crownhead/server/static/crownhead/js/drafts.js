// Keeps unsent text, opened sections and an open dialog when the content is replaced.
// @ts-check

/** @typedef {{value: string, ticked: boolean, from: number | null, to: number | null}} Draft */

/** @type {Map<string, Draft>} */
let drafts = new Map();
/** @type {Set<string>} */
let opened = new Set();
/** @type {string | undefined} */
let dialog;

/** @param {Element} element */
const nameOf = (element) => element.getAttribute("data-keep") ?? "";

/** @param {Element} element @returns {element is HTMLInputElement | HTMLTextAreaElement} */
const isField = (element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
const isTicked = (field) => field instanceof HTMLInputElement && field.checked;

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
const isEdited = (field) =>
  field.value !== field.defaultValue || (field instanceof HTMLInputElement && field.checked !== field.defaultChecked);

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (!(target instanceof Element) || !target.matches("main")) return;
  const form = requestConfig?.verb === "post" && xhr.status < 400 ? requestConfig.elt : undefined;
  // By name: the content may have been replaced since the form was sent.
  const sent = new Set([...(form?.querySelectorAll("[data-keep]") ?? [])].map(nameOf));
  const elements = [...target.querySelectorAll("[data-keep]")].filter((element) => !sent.has(nameOf(element)));
  drafts = new Map();
  for (const field of elements.filter(isField)) {
    if (isEdited(field) || field === document.activeElement) {
      drafts.set(nameOf(field), { value: field.value, ticked: isTicked(field), from: field.selectionStart, to: field.selectionEnd });
    }
  }
  opened = new Set(elements.filter((element) => element instanceof HTMLDetailsElement && element.open).map(nameOf));
  dialog = target.querySelector("dialog[open]")?.getAttribute("data-dialog") ?? undefined;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("main")) return;
  for (const element of event.target.querySelectorAll("[data-keep]")) {
    if (element instanceof HTMLDetailsElement) element.open = opened.has(nameOf(element));
    const draft = isField(element) ? drafts.get(nameOf(element)) : undefined;
    if (!isField(element) || !draft) continue;
    element.value = draft.value;
    if (element instanceof HTMLInputElement) element.checked = draft.ticked;
    if (element === document.activeElement && draft.from !== null) element.setSelectionRange(draft.from, draft.to);
  }
  const newDialog = dialog ? event.target.querySelector(`dialog[data-dialog="${CSS.escape(dialog)}"]`) : null;
  if (newDialog instanceof HTMLDialogElement) newDialog.showModal();
});

// A form that submits itself a while after the last key has lost its timer with the old content.
document.addEventListener("htmx:afterSettle", (event) => {
  if (!(event.target instanceof Element) || !event.target.matches("main")) return;
  for (const form of event.target.querySelectorAll("form[data-by-itself]")) {
    if (form instanceof HTMLFormElement && [...form.elements].some((field) => isField(field) && isEdited(field))) form.requestSubmit();
  }
});
