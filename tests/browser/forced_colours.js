// What is lost on a page where the system forces its colours; `forced_colours.py` puts it into pages.

(() => {
  const STATES = /^(?:data-|aria-(?:current|selected|pressed|checked|invalid|expanded)|open)/u;
  const PARTS = [null, "::before", "::after"];
  const TELLING = ["color", "border", "outline", "textDecorationLine", "fontWeight", "fontStyle", "opacity", "content"];
  const SHAPE = ["fill", "stroke", "strokeDasharray", "visibility"];
  const CONTROLS = ".button, .choice, select, textarea, " +
    "input:not([type=checkbox], [type=radio], [type=hidden], [type=file], [type=range])";
  const NOTICEABLE = ".badge, .unread-mark, .turn-mark, .notice, .offer";
  const BOARDS = ".squares, .sprite, .diagram, .disc-mini, [inert]";
  const DRAWN = "main svg :is(path, polyline, polygon, line, rect, circle, text)";
  const FOCUSED = "a[href], button, input:not([type=hidden]), select, textarea, summary";

  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const clear = (colour) => colour === "transparent" || /^rgba\(.*, 0\)$/u.test(colour);
  const text = (element) => element.outerHTML.replace(/\s+/gu, " ").slice(0, 110);
  const painted = (style) => !clear(style.backgroundColor) || style.backgroundImage !== "none";

  /** What is painted behind an element: a background, an image, a shadow. */
  const ground = (style) => [style.backgroundColor, style.backgroundImage, style.boxShadow].join("|");

  /** Everything that tells an element from another without a text. */
  const look = (element) =>
    PARTS.map((part) => {
      const style = getComputedStyle(element, part);
      if (part && style.content === "none") return "";
      return [ground(style), ...[...TELLING, ...SHAPE].map((name) => style[name])].join(";");
    }).join("/");

  const isFramed = (style) =>
    ["Top", "Right", "Bottom", "Left"].some((side) => {
      const [width, line, colour] = ["Width", "Style", "Color"].map((kind) => style[`border${side}${kind}`]);
      return parseFloat(width) > 0 && line !== "none" && line !== "hidden" && !clear(colour);
    }) || (parseFloat(style.outlineWidth) > 0 && style.outlineStyle !== "none");

  /** The colour, or the picture, on which an element lies. */
  const behind = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at);
      if (backgroundImage !== "none") return backgroundImage;
      if (!clear(backgroundColor)) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };

  /** Whether one sees where an element is, without its text. */
  const isApart = (element) => {
    const style = getComputedStyle(element);
    return isFramed(style) || (painted(style) && style.backgroundColor !== behind(element));
  };

  const luminance = (colour) => {
    const parts = colour.match(/[\d.]+/gu).slice(0, 3).map((part) => Number(part) / 255);
    const [red, green, blue] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
    return (light + 0.05) / (dark + 0.05);
  };

  const state = (element) => {
    const said = [...element.attributes].filter(({ name }) => STATES.test(name));
    const chosen = element.matches(":has(:checked)") && element.querySelectorAll("input").length === 1;
    return [...said.map(({ name, value }) => `${name}=${value}`), ...(chosen ? ["checked"] : [])].join(" ");
  };

  /** A part of the same kind near by in another state, which another background tells. */
  const otherState = (element) => {
    const near = element.parentElement?.parentElement ?? document;
    return [...near.querySelectorAll(element.tagName)].find((other) =>
      other.className === element.className && state(other) !== state(element) && seen(other) &&
      PARTS.slice(0, 2).some((part) => ground(getComputedStyle(other, part)) !== ground(getComputedStyle(element, part))));
  };

  let all = [];
  let bare = []; // drawn by a background alone: no text, nothing inside
  let pairs = [];

  /** Look at the page in its own colours. */
  function remember() {
    all = [...document.querySelectorAll("body *")].filter((element) => !element.closest(`svg, ${BOARDS}`) && seen(element));
    bare = all.filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isBare = !element.childNodes.length && !element.matches("input, select, textarea, img, br, iframe");
      const style = getComputedStyle(element);
      return isBare && width > 1 && height > 1 && painted(style) && style.backgroundColor !== behind(element);
    });
    pairs = all.filter(state).map((element) => [element, otherState(element)]).filter(([, other]) => other);
  }

  const isWritten = (element) =>
    [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim()) &&
    getComputedStyle(element).clipPath === "none" && !element.closest(":disabled, .visually-hidden");

  const isFaint = (element) => {
    const { backgroundColor, color } = getComputedStyle(element);
    const under = clear(backgroundColor) ? behind(element) : backgroundColor;
    return under.startsWith("rgb") && contrast(color, under) < 4.5;
  };

  /** Whether a line or a surface of a graph or a sign is not to be seen on the colour of the system. */
  const isLost = (shape) => {
    if (shape.closest(BOARDS) || shape.matches(".grid, .band, .area") || !seen(shape)) return false;
    const style = getComputedStyle(shape);
    const paints = [style.fill, style.stroke].filter((paint) => paint.startsWith("rgb") && !clear(paint));
    const under = behind(shape.closest("svg"));
    return style.forcedColorAdjust !== "none" && under.startsWith("rgb") && paints.length > 0 &&
      paints.every((paint) => contrast(paint, under) < 3);
  };

  function* boardFaults() {
    for (const board of [...document.querySelectorAll(".squares")].filter(seen)) {
      const dark = board.querySelector(".square[data-shade='dark']");
      const shades = [dark, board].map((part) => part && getComputedStyle(part).backgroundColor);
      if (shades[0] === shades[1]) yield "squares are alike";
      const sides = ["black", "white"].map((colour) => board.querySelector(`.piece[data-colour="${colour}"]`));
      const discs = sides.map((piece) => piece && getComputedStyle(piece).getPropertyValue("--disc"));
      if (discs[0] && discs[1] && contrast(...discs.map(rgb)) < 3) yield "sides are alike";
    }
  }
  const rgb = (hex) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.trim().slice(at, at + 2), 16)).join(", ")})`;

  /** The first control of each kind whose focus shows no ring, neither around itself nor around what holds it. */
  function* focusFaults() {
    const ring = (element) =>
      [element, element.parentElement].map((part) => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(part);
        return outlineStyle === "none" || outlineWidth === "0px" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
      }).join("/");
    const kinds = new Set();
    const before = document.activeElement;
    for (const control of document.querySelectorAll(FOCUSED)) {
      const kind = `${control.tagName} ${control.type} ${control.className} ${control.parentElement.className}`;
      if (kinds.has(kind) || control.disabled || control.closest("[inert]") || !seen(control)) continue;
      kinds.add(kind);
      const without = ring(control);
      control.focus({ preventScroll: true, focusVisible: true });
      const lacks = ring(control) === without || ring(control) === "/";
      if (document.activeElement === control && lacks) yield `focus not to be seen: ${text(control)}`;
    }
    document.activeElement?.blur();
    before?.focus?.({ preventScroll: true });
  }

  /** Look at it again, in forced colours. */
  function faults() {
    const shown = all.filter(seen);
    const both = pairs.filter((pair) => pair.every(seen));
    return [
      ...bare.filter((element) => seen(element) && !isApart(element)).map((lost) => `only a background: ${text(lost)}`),
      ...both.filter(([one, other]) => look(one) === look(other)).map(([one]) => `a state only by its background: ${text(one)}`),
      ...shown.filter((part) => part.matches(`${CONTROLS}, ${NOTICEABLE}`) && !isApart(part)).map((lost) => `nothing tells where it is: ${text(lost)}`),
      ...shown.filter((part) => isWritten(part) && isFaint(part)).map((faint) => `not to be read: ${text(faint)}`),
      ...[...document.querySelectorAll(DRAWN)].filter(isLost).map((shape) => `not to be seen: ${text(shape)}`),
      ...boardFaults(),
      ...focusFaults(),
    ].map((fault) => `forced colours: ${fault}`);
  }

  globalThis.forcedColours = { remember, faults };
})();
