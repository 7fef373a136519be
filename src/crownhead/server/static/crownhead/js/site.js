// The entry point of every page's JavaScript; each module finds the elements that it is for.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import "./menu.js";
import "./tabs.js"; // before game.js restores the focus
import "./drafts.js"; // as well
import "./game.js";
import "./live.js";
import "./connection.js";
import "./sending.js";
import "./kept_moves.js";
import "./game_start.js";
import "./clock.js";
import "./sent_once.js";
import "./first_error.js";
import "./chat.js";
import "./position_links.js";
import "./settings_panel.js";
import "./replay.js";
import "./drawing.js";
import "./pwa.js";
import { backoff, isBusy } from "./time_left.js";

/** What keeps a form that asks for a new version of itself as it is filled in. */
const keeping = async () => await import("./changed_meanwhile.js");
/** What sees to it that a form which saves itself does. */
const saving = async () => (await import("./by_itself.js")).saveByItself({ backoff, isBusy });

/** Fetch what few pages need, whether they come whole or as new content. */
function fetchForForms() {
  if (document.querySelector("main form:is([hx-get], :has([hx-get]))")) void keeping().catch(() => undefined);
  if (document.querySelector("main form[data-by-itself]")) void saving().catch(() => undefined);
}

fetchForForms();
document.addEventListener("htmx:afterSettle", fetchForForms);

// Last, so that all listeners are there when the first board fires its events.
customElements.define("checkers-board", CheckersBoard);
