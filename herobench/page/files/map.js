// The places that the task tells, drawn so that each column and each row that has one is as wide as any other.

const SVG = "http://www.w3.org/2000/svg";
const STEP = 44;

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(...children);
  return made;
}

/** Every JSON object that stands in a line of its own. */
function* objectsIn(text) {
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      yield JSON.parse(line);
    } catch {
      // words that only look so
    }
  }
}

const isPlace = one => Number.isInteger(one.x) && Number.isInteger(one.y) && typeof one.name === "string";

export function placesIn(text) {
  const found = new Map();
  for (const one of objectsIn(text)) if (isPlace(one)) found.set(`${one.x},${one.y}`, one);
  return [...found.values()];
}

/** All codes that the task names, for the fields of tools. */
export function codesIn(text) {
  const found = new Set();
  const look = value => {
    if (value && typeof value === "object") Object.values(value).forEach(look);
    if (value && typeof value.code === "string") found.add(value.code);
  };
  for (const one of objectsIn(text)) look(one);
  return [...found].sort();
}

const about = ({ name, x, y, content }) => `${name} (${x}, ${y})${content ? `: ${content.type} ${content.code}` : ""}`;

/** A drawing of places; `here` is the hero's, and `go` is called with the one that is chosen. */
export function mapOf(places, here, go) {
  const order = axis => [...new Set(places.map(place => place[axis]))].sort((a, b) => a - b);
  const [xs, ys] = [order("x"), order("y")];
  const nodes = places.map(place => {
    const [left, top] = [(xs.indexOf(place.x) + 0.5) * STEP, (ys.indexOf(place.y) + 0.5) * STEP];
    const kind = place.content ? place.content.type : "";
    const isHere = here && here[0] === place.x && here[1] === place.y;
    const label = (kind || place.name).slice(0, 3);
    const node = drawn(
      "g",
      { class: `${kind} ${isHere ? "here" : ""}`, tabindex: 0, role: "button", "aria-label": about(place) },
      drawn("title", {}, about(place)),
      drawn("circle", { cx: left, cy: top, r: 15, "stroke-width": 2 }),
      drawn("text", { x: left, y: top + 4, "text-anchor": "middle" }, label),
    );
    node.addEventListener("click", () => go(place));
    node.addEventListener("keydown", event => event.key === "Enter" && go(place));
    return node;
  });
  return drawn("svg", { viewBox: `0 0 ${xs.length * STEP} ${ys.length * STEP}` }, ...nodes);
}
