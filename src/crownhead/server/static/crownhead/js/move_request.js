// Sends a move by the API, with the token of the page; a move that is sent twice with one version is made once.
// A token that is out of date is renewed, for forms too. What is kept of the game for times without a connection is then out of date, as it is after any other request.
// @ts-check

import { readerOf } from "./reader.js";

const ANSWER = 8000; // milliseconds in which the server answers

/** @param {string} address @param {{move: string, version: number, message?: string}} body @returns {Promise<Response>} */
export async function postMove(address, { move, version, message = "" }) {
  const body = JSON.stringify({ move, version, message });
  let answer = await post(address, body);
  if (answer.status === 403) {
    if (!(await renew())) throw new Error("expected the page of who made the move");
    answer = await post(address, body);
  }
  if (answer.ok) noteChanged(address);
  return answer;
}

/** Renew the token, which hardly ever happens. @returns {Promise<boolean>} whether it is for the same reader */
const renew = async () => await (await import("./token.js")).renewToken(readerOf);

/** @param {string} address @param {string} body */
async function post(address, body) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" };
  return await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER) });
}

/** Tell the service worker that a game is no longer as it may be kept there. @param {string} address of a page, or of the API */
function noteChanged(address) {
  navigator.serviceWorker?.controller?.postMessage({ changed: address });
}

/** Why the server did not take a move, for people. @param {Response} answer @returns {Promise<string>} */
export async function reason(answer) {
  const { message, detail } = await answer.json().catch(() => ({}));
  return message ?? detail ?? "";
}

document.addEventListener("htmx:afterRequest", (event) => {
  const { successful, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (successful && requestConfig?.verb === "post") noteChanged(requestConfig.path);
});

/** The forms that are sent once more. @type {WeakSet<HTMLFormElement>} */
const sentAgain = new WeakSet();

/** @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
async function sendAgain(form, submitter) {
  const isTheirs = await renew().catch(() => true); // else the form says what failed
  if (!isTheirs || !form.isConnected) return;
  sentAgain.add(form);
  form.requestSubmit(submitter);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  const { elt, verb, triggeringEvent } = detail.requestConfig;
  if (detail.xhr.status !== 403 || verb !== "post" || !(elt instanceof HTMLFormElement) || sentAgain.delete(elt)) return;
  detail.shouldSwap = false;
  void sendAgain(elt, triggeringEvent?.submitter);
});
