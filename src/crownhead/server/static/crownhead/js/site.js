// Everything that pages do beyond links and forms; each part finds by itself what it is for.
// @ts-check

import { CheckersBoard } from "./board/element.js";
import "./menu.js";
import "./tabs.js"; // before the game looks for what had the focus
import "./game.js";
import "./live.js";
import "./clock.js";
import "./keep.js";
import "./talk.js";
import "./ways.js";
import "./panel.js";
import "./app.js";

// Last, so that everybody listens when the first board tells what is on it.
customElements.define("checkers-board", CheckersBoard);
