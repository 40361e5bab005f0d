// Elements are made one way only: by name, with text as text. Nothing in these files makes elements from a string.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return node;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
const byId = id => document.getElementById(id);

/** A drawing that says what it is to those who do not see it. */
function drawing(width, height, label, ...children) {
  const box = `0 0 ${width} ${height}`;
  return svg("svg", { viewBox: box, width, height, role: "img", "aria-label": label }, ...children);
}

/** Keep a drawing as wide as the place it is in. */
function drawToWidth(place, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.floor(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    place.replaceChildren(draw(width));
  };
  new ResizeObserver(redraw).observe(place);
  return {
    redraw: () => {
      width = 0;
      redraw();
    },
  };
}

/** A table from its head and its rows; columns of numbers are told by `numeric`. */
function plainTable(head, rows, numeric = () => true) {
  const cell = (kind, text, column) => el(kind, { class: column && numeric(column) ? "num" : null }, String(text));
  return el(
    "table",
    { class: "plain" },
    el(
      "thead",
      null,
      el(
        "tr",
        null,
        head.map((text, column) => cell("th", text, column)),
      ),
    ),
    el(
      "tbody",
      null,
      rows.map(row =>
        el(
          "tr",
          null,
          row.map((text, column) => cell("td", text, column)),
        ),
      ),
    ),
  );
}

const asTable = (head, rows) =>
  el(
    "details",
    { class: "figures" },
    el("summary", null, "The figures as a table"),
    el("div", { class: "scroll", tabindex: 0 }, plainTable(head, rows)),
  );
