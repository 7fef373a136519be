// Asks the server why the browser's engine must not look at a position: the reader plays it in a running game.
// @ts-check

/**
 * Reading is for pages that ask by themselves. What the reader `asked` for by turning the engine on or by a move is sent
 * with the token of the page, which no other site has: where it is refused, the staff can see it. With a token that is
 * out of date, or without one, it is only read.
 * @param {string} guard
 * @param {Record<string, string>} about  the position
 * @param {boolean} [asked]
 * @returns {Promise<Response>}
 */
export async function askGuard(guard, about, asked = false) {
  const form = new URLSearchParams(about);
  const token = asked ? document.querySelector("input[name=csrfmiddlewaretoken]") : null;
  if (token instanceof HTMLInputElement) {
    const answer = await fetch(guard, { method: "POST", headers: { "X-CSRFToken": token.value }, body: form });
    if (answer.status !== 403) return answer;
  }
  return await fetch(`${guard}?${form}`);
}
