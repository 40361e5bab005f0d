// The places that the task tells, drawn so that each column and each row that has one is as wide as any other.

const STEP = 44;

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
    const choose = () => go(place);
    const onkeydown = event => event.key === "Enter" && choose();
    return svg(
      "g",
      { class: `${kind} ${isHere ? "here" : ""}`, tabindex: 0, role: "button", "aria-label": about(place), onclick: choose, onkeydown },
      svg("title", {}, about(place)),
      svg("circle", { cx: left, cy: top, r: 15, "stroke-width": 2 }),
      svg("text", { x: left, y: top + 4, "text-anchor": "middle" }, label),
    );
  });
  return svg("svg", { viewBox: `0 0 ${xs.length * STEP} ${ys.length * STEP}` }, ...nodes);
}
