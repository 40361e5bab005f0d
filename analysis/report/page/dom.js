// Parts of pages that are built on `el` and `svg` of herobench/page/shared/elements.js.

const NARROW_SCREEN = "(max-width: 700px)";

/** A drawing that says what it is to those who do not see it. */
function drawing(width, height, label, ...children) {
  const box = `0 0 ${width} ${height}`;
  return svg("svg", { viewBox: box, width, height, role: "img", "aria-label": label }, ...children);
}

/** Something in a drawing that can be chosen, by a click or by Enter and space. */
function choosable(attributes, label, choose, ...children) {
  const onkeydown = event => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  };
  const about = { role: "button", "aria-label": label, onclick: choose, onkeydown };
  return svg("g", { ...attributes, ...about }, svg("title", null, label), children);
}

/** Tab goes to just one of things that belong together, arrows move among them; `across` is how many stand in a row. */
function roving(box, items, { across = 1, first = items[0] } = {}) {
  const stopAt = item => items.forEach(other => other.setAttribute("tabindex", other === item ? 0 : -1));
  const ways = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across };
  stopAt(first);
  box.addEventListener("focusin", event => items.includes(event.target) && stopAt(event.target));
  box.addEventListener("keydown", event => {
    const at = items.indexOf(event.target);
    const to = { Home: items[0], End: items[items.length - 1] }[event.key] || items[at + ways[event.key]];
    if (at < 0 || !to) return;
    event.preventDefault();
    to.focus();
  });
  return box;
}

/** A drawing with things that can be chosen. */
function choosableDrawing(...drawn) {
  const made = drawing(...drawn);
  made.setAttribute("role", "group");
  made.setAttribute("tabindex", -1); // that it listens to keys would make it a stop of its own
  return roving(made, [...made.querySelectorAll("[role=button]")]);
}

/** Keep a drawing as wide as the place it is in; what of it has the focus keeps it. */
function drawToWidth(place, draw) {
  let width = 0;
  const redraw = () => {
    const now = Math.floor(place.clientWidth);
    if (!now || now === width) return;
    width = now;
    const buttons = () => [...place.querySelectorAll("[role=button]")];
    const focused = buttons().indexOf(document.activeElement);
    place.replaceChildren(draw(width));
    if (focused >= 0) buttons()[focused].focus();
  };
  new ResizeObserver(redraw).observe(place);
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

const asTable = (head, rows, numeric) =>
  el(
    "details",
    { class: "figures" },
    el("summary", null, "The figures as a table"),
    el("div", { class: "scroll", tabindex: 0 }, plainTable(head, rows, numeric)),
  );
