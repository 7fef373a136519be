// Where the names of squares touch pieces, marks, each other or the edge; `test_coordinates.py` puts it into pages.

(() => {
  const SETTINGS = [
    ...["large", "medium", "small"].flatMap((size) =>
      ["inside", "outside"].flatMap((numbers) => ["own", "algebraic"].map((names) => ({ size, numbers, names })))),
  ];
  const THEMES = ["tournament", "wood", "slate", "contrast"];
  // How squares are marked, in turn: those with a piece, and those without.
  const MARKED = [
    { state: "movable" }, { last: "to" }, { state: "selected" }, { state: "removable", last: "from" }, {},
    { state: "placed", last: "via" }, { mark: "conditional" }, { mark: "fault" }, { state: "selected", last: "to" },
  ];
  const MARKED_EMPTY = [{ state: "target" }, { last: "from" }, {}, { last: "via" }, { state: "target", mark: "conditional" }];
  // The circles of a piece on a square of 1 by 1, with their rims: of men, and of the upper disc of kings.
  const DISCS = { man: [0.5, 0.4225], king: [0.46, 0.405] };
  const ROUNDING = 0.5; // of a pixel

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** The box of what is printed of a text: its figures, without the room above and below them. */
  const ink = (text, element, style) => {
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const { width, actualBoundingBoxAscent, actualBoundingBoxDescent, fontBoundingBoxAscent, fontBoundingBoxDescent } =
      canvas.measureText(text);
    const box = element.getBoundingClientRect();
    const lineTop = box.top + parseFloat(style.paddingTop);
    const line = parseFloat(style.lineHeight) || parseFloat(style.fontSize);
    const baseline = lineTop + (line - fontBoundingBoxAscent - fontBoundingBoxDescent) / 2 + fontBoundingBoxAscent;
    const left = box.left + parseFloat(style.paddingLeft);
    return {
      left, right: left + width, top: baseline - actualBoundingBoxAscent, bottom: baseline + actualBoundingBoxDescent,
    };
  };

  /** How far a box is from a point. */
  const distance = ({ left, right, top, bottom }, x, y) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

  const isWithin = (box, outer, by = ROUNDING) =>
    box.left >= outer.left - by && box.right <= outer.right + by &&
    box.top >= outer.top - by && box.bottom <= outer.bottom + by;
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > ROUNDING &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > ROUNDING;

  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second);
    return (light + 0.05) / (dark + 0.05);
  };

  /** The name in a square: its box, how it is written, on which colour. */
  const nameIn = (button) => {
    const number = button.querySelector(".number");
    if (!number?.checkVisibility()) return undefined;
    const other = document.documentElement.dataset.names === "algebraic" && number.dataset.algebraic;
    const style = getComputedStyle(number, other ? "::after" : undefined);
    const own = getComputedStyle(number);
    const grounds = [own, getComputedStyle(button), getComputedStyle(button.closest(".square"))].map((at) => at.backgroundColor);
    const ground = grounds.find((colour) => !/, 0\)$|\/ 0\)$|transparent/u.test(colour)) ??
      getComputedStyle(button.closest(".squares")).backgroundColor;
    const box = other ? { ...style, paddingTop: own.paddingTop, paddingLeft: own.paddingLeft } : own;
    return {
      text: other || number.textContent, colour: style.color, ground,
      box: ink(other || number.textContent, number, {
        fontWeight: own.fontWeight, fontSize: style.fontSize, fontFamily: own.fontFamily, lineHeight: style.lineHeight,
        paddingTop: box.paddingTop, paddingLeft: box.paddingLeft,
      }),
    };
  };

  /** Give the squares every mark in turn. */
  const markAll = (board) => {
    for (const [at, button] of board.querySelectorAll(".square-button").entries()) {
      const marks = button.querySelector(".piece") ? MARKED : MARKED_EMPTY;
      for (const name of ["state", "last", "mark"]) {
        const value = marks[at % marks.length][name];
        if (value) button.dataset[name] = value;
        else delete button.dataset[name];
      }
    }
  };

  function* inSquares(board) {
    for (const button of board.querySelectorAll(".square-button")) {
      const name = nameIn(button);
      if (!name) continue;
      const square = button.getBoundingClientRect();
      const state = ["state", "last", "mark"].map((kind) => button.dataset[kind]).filter(Boolean).join(" ");
      const where = `${name.text}${state && ` (${state})`}`;
      if (!isWithin(name.box, square, 1)) yield `${where} leaves its square`;
      const piece = button.querySelector(".piece");
      if (piece) {
        const { left, top, width } = piece.getBoundingClientRect();
        for (const [kind, [height, radius]] of Object.entries(DISCS)) {
          const gap = distance(name.box, left + width / 2, top + width * height) - radius * width;
          if (gap < -ROUNDING) yield `${where} is ${(-gap).toFixed(1)} within a ${kind}`;
        }
      }
      const mark = getComputedStyle(button, "::after");
      const isRing = mark.borderRadius === "50%" && mark.content !== "none" && mark.visibility === "visible";
      if (isRing && parseFloat(mark.width) > 0) {
        const [left, top] = [square.left + parseFloat(mark.left), square.top + parseFloat(mark.top)];
        const width = parseFloat(mark.width);
        const far = Math.hypot(
          ...["left", "right"].map((side) => name.box[side] - left - width / 2).sort((a, b) => Math.abs(b) - Math.abs(a)).slice(0, 1),
          ...["top", "bottom"].map((side) => name.box[side] - top - width / 2).sort((a, b) => Math.abs(b) - Math.abs(a)).slice(0, 1),
        );
        const inner = width / 2 - parseFloat(mark.borderTopWidth);
        const touches = distance(name.box, left + width / 2, top + width / 2) < width / 2 - ROUNDING && far > inner;
        // The corner of the number is cut out of rings: what is left of 24 % of both sides along the diagonal.
        const isCut = mark.maskImage.includes("gradient") &&
          name.box.right - left + name.box.bottom - top < 0.48 * (width + 4) - 2 * 2;
        if (touches && !isCut) yield `${where} is on a ring`;
      }
      const { outlineStyle, outlineOffset } = getComputedStyle(button);
      const isFocused = outlineStyle !== "none";
      if (isFocused && name.box.left + ROUNDING < square.left - parseFloat(outlineOffset)) yield `${where} is on the focus`;
      if (contrast(name.colour, name.ground) < 4.5) yield `${where} is faint: ${name.colour} on ${name.ground}`;
    }
  }

  function* around(board) {
    const frame = board.querySelector(".squares").getBoundingClientRect();
    const rows = [...board.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
    const field = {
      left: rows[0].left, right: rows[0].right, top: rows[0].top, bottom: rows[rows.length - 1].bottom,
    };
    const names = [...board.querySelectorAll(".edges text")].filter((text) => getComputedStyle(text).display !== "none");
    const boxes = names.map((text) => [text.textContent, text.getBoundingClientRect()]);
    for (const [name, box] of boxes) {
      const middle = { left: box.left, right: box.right, top: box.top + box.height * 0.2, bottom: box.bottom - box.height * 0.2 };
      if (!isWithin(middle, frame)) yield `${name} leaves the frame`;
      if (overlap(middle, field)) yield `${name} is on the squares`;
      if (boxes.some(([, other]) => other !== box && overlap(box, other))) yield `${name} is on another name`;
    }
    const style = names.length && getComputedStyle(names[0]);
    const ground = getComputedStyle(board.querySelector(".squares")).borderTopColor;
    if (style && contrast(style.fill, ground) < 4.5) yield `faint: ${style.fill} on ${ground}`;
  }

  /** Every fault of the board in all settings, and how many names were looked at. */
  globalThis.coordinateFaults = () => {
    const board = document.querySelector("checkers-board");
    const { dataset } = document.documentElement;
    const before = { ...dataset };
    markAll(board);
    const faults = [];
    let count = 0;
    for (const [at, setting] of SETTINGS.entries()) {
      const looks = at ? [THEMES[at % THEMES.length]] : THEMES;
      for (const theme of looks) {
        Object.assign(dataset, setting, { theme });
        const found = [...(setting.numbers === "inside" ? inSquares(board) : around(board))];
        count += board.querySelectorAll(setting.numbers === "inside" ? ".number" : ".edges text").length;
        if (found.length) faults.push(`${Object.values(setting).join(" ")} ${theme}: ${found.slice(0, 5).join(", ")}`);
      }
    }
    for (const name of ["size", "numbers", "names", "theme"]) {
      if (before[name] === undefined) delete dataset[name];
      else dataset[name] = before[name];
    }
    return { faults, count };
  };
})();
