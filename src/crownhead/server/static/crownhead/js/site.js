// Everything that pages do beyond links and forms; each part finds by itself what it is for.
// @ts-check

import "./board/element.js";
import "./game.js";
import "./live.js";
