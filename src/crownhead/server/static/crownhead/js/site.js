// The entry point of every page's JavaScript; each module finds the elements that it is for.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import "./menu.js";
import "./tabs.js"; // before game.js restores the focus
import "./game.js";
import "./live.js";
import "./connection.js";
import "./sending.js";
import "./kept_moves.js";
import "./game_start.js";
import "./clock.js";
import "./drafts.js";
import "./first_error.js";
import "./changed_meanwhile.js";
import "./chat.js";
import "./position_links.js";
import "./settings_panel.js";
import "./replay.js";
import "./drawing.js";
import "./pwa.js";

// Last, so that all listeners are there when the first board fires its events.
customElements.define("checkers-board", CheckersBoard);
