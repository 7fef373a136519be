// Sends a move by the API, with the token of the page; a move that is sent twice with one version is made once.
// What is kept of the game for times without a connection is then out of date, as it is after any other request.
// @ts-check

const ANSWER = 8000; // milliseconds in which the server answers

/** @param {string} address @param {{move: string, version: number, message?: string}} body @returns {Promise<Response>} */
export async function postMove(address, { move, version, message = "" }) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]");
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" };
  const body = JSON.stringify({ move, version, message });
  const answer = await fetch(address, { method: "POST", headers, body, signal: AbortSignal.timeout(ANSWER) });
  if (answer.ok) noteChanged(address);
  return answer;
}

/** Tell the service worker that a game is no longer as it may be kept there. @param {string} address of a page, or of the API */
function noteChanged(address) {
  navigator.serviceWorker?.controller?.postMessage({ changed: address });
}

/** Whether the server could not say yet what it makes of a move. @param {Response} answer */
export const isBusy = (answer) => answer.status >= 500 || answer.status === 429;

/** Why the server did not take a move. @param {Response} answer @returns {Promise<string>} */
export async function reason(answer) {
  const problem = await answer.json().catch(() => ({}));
  return problem.detail ?? "";
}

document.addEventListener("htmx:afterRequest", (event) => {
  const { successful, requestConfig } = /** @type {CustomEvent} */ (event).detail;
  if (successful && requestConfig?.verb === "post") noteChanged(requestConfig.path);
});
