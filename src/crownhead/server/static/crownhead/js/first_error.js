// When a form comes back with errors, the focus goes to the first field that has one, wherever on the page it is.
// @ts-check

const FIELDS = "input:not([type='hidden']), select, textarea";

const found = document.querySelector("main [aria-invalid='true'], main .field-error");
const field = found?.matches(FIELDS) ? found : found?.closest("label, fieldset")?.querySelector(FIELDS);
if (field instanceof HTMLElement) field.focus();
