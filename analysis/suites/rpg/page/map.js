// The world drawn from its data: a square a tile, a shape for what stands on it, the hero and the way he came.

const TILE = 56;
const NEAR = 7; // tiles across where the map follows the hero
const TRAIL = 7;
const LETTERS = { workshop: "W", grand_exchange: "$", bank: "B", tasks_master: "T" };
const KINDS = { monster: "monster", resource: "resource", workshop: "workshop" };
const KIND_NAMES = {
  monster: "monster, with its level",
  resource: "resource, with its level",
  workshop: "W workshop",
  grand_exchange: "$ exchange",
  bank: "B bank",
  tasks_master: "T task master",
};
const FIGURE = "M0 -9a4.5 4.5 0 1 1 .01 0ZM-8 11c0-12 16-12 16 0Z";

const center = value => (value + 0.5) * TILE;

/** Terrains in the order of how common they are; the map has a ground for the first six. */
function terrains(world) {
  const times = new Map();
  world.tiles.forEach(([, , name]) => times.set(name, (times.get(name) || 0) + 1));
  return [...times.keys()].sort((a, b) => times.get(b) - times.get(a));
}

function standingShape([type, code, , level]) {
  const kind = KINDS[type] || "place";
  const body =
    { monster: svg("circle", { r: 11 }), resource: svg("path", { d: "M0 -13L13 0L0 13L-13 0Z" }) }[kind] ||
    svg("rect", { x: -11, y: -11, width: 22, height: 22, rx: 3 });
  return svg(
    "g",
    { class: `stand ${kind}` },
    body,
    svg("text", { y: 4, "text-anchor": "middle" }, level === null ? LETTERS[type] || type[0].toUpperCase() : level),
  );
}

/** A name in at most two lines that fit a tile. */
function label(name) {
  const fit = text => (text.length > 10 ? `${text.slice(0, 9)}.` : text);
  const words = name.split(" ");
  const lines = name.length <= 10 || words.length < 2 ? [name] : [words[0], words.slice(1).join(" ")];
  return lines.map((text, number) => svg("tspan", { x: 0, y: 21 + number * 9.5 }, fit(text)));
}

class WorldMap {
  constructor(world, target) {
    this.world = world;
    this.names = new Map(world.tiles.map(([x, y, name, standing]) => [`${x},${y}`, standing ? standing[2] : name]));
    this.trail = svg("polyline", { class: "trail" });
    this.hero = svg(
      "g",
      { class: "hero" },
      svg("rect", { class: "here", x: -TILE / 2 + 1.5, y: -TILE / 2 + 1.5, width: TILE - 3, height: TILE - 3, rx: 5 }),
      svg("path", {
        class: "figure",
        d: FIGURE,
        transform: `translate(${TILE / 2 - 9.5} ${-TILE / 2 + 14}) scale(.8)`,
      }),
    );
    this.fit();
    this.node = svg(
      "svg",
      { class: "map", role: "img", "aria-label": `Map of the world ${world.name}` },
      this.grounds(),
      world.tiles.filter(tile => tile[3]).map(tile => this.standing(tile, target)),
      this.trail,
      this.hero,
    );
    /** A world that is much wider than what is near the hero has places too small to see. */
    this.follow = matchMedia(NARROW_SCREEN).matches || this.across > 3 * NEAR;
  }

  fit() {
    const xs = this.world.tiles.map(tile => tile[0]);
    const ys = this.world.tiles.map(tile => tile[1]);
    this.left = Math.min(...xs);
    this.top = Math.min(...ys);
    this.across = Math.max(...xs) - this.left + 1;
    this.down = Math.max(...ys) - this.top + 1;
  }

  grounds() {
    const known = terrains(this.world);
    return this.world.tiles.map(([x, y, name]) =>
      svg(
        "rect",
        { class: `ground${Math.min(5, known.indexOf(name))}`, x: x * TILE, y: y * TILE, width: TILE, height: TILE },
        svg("title", null, `${name} (${x}, ${y})`),
      ),
    );
  }

  standing([x, y, ground, standing], target) {
    const [type, code, name, level] = standing;
    const aimed = type === "monster" && code === target;
    const who = [name, level === null ? "" : `level ${level}`, aimed ? "the target" : ""].filter(Boolean).join(", ");
    const about = `${who}: ${type.replaceAll("_", " ")} at (${x}, ${y}), ${ground}`;
    return svg(
      "g",
      { transform: `translate(${center(x)} ${center(y) - 9})` },
      svg("title", null, about),
      aimed ? svg("circle", { class: "aim", r: 15.5 }) : null,
      standingShape(standing),
      svg("text", { class: "label", "text-anchor": "middle" }, label(name)),
    );
  }

  nameOf([x, y]) {
    return this.names.get(`${x},${y}`) || "nowhere";
  }

  /** Show the hero in a place, the places before it, and as much of the world as is wanted. */
  show(place, before) {
    this.place = place;
    this.hero.setAttribute("transform", `translate(${center(place[0])} ${center(place[1])})`);
    this.hero.style.transform = `translate(${center(place[0])}px, ${center(place[1])}px)`;
    this.trail.setAttribute(
      "points",
      [...before.slice(-TRAIL), place].map(([x, y]) => `${center(x)},${center(y)}`).join(" "),
    );
    this.look();
  }

  /** Show what is near the hero, or all of the world. */
  zoom(near) {
    this.follow = near;
    this.look();
  }

  look() {
    const [wide, high] = this.follow
      ? [Math.min(NEAR, this.across), Math.min(NEAR, this.down)]
      : [this.across, this.down];
    const from = (at, low, size, all) => Math.min(Math.max(at - (size - 1) / 2, low), low + all - size);
    const x = from(this.place[0], this.left, wide, this.across);
    const y = from(this.place[1], this.top, high, this.down);
    this.node.setAttribute("viewBox", [x, y, wide, high].map(value => value * TILE).join(" "));
  }

  legend() {
    const grounds = terrains(this.world).map((name, number) =>
      el(
        "li",
        null,
        svg(
          "svg",
          { width: 16, height: 16, "aria-hidden": "true" },
          svg("rect", { class: `ground${Math.min(5, number)} framed`, x: 1, y: 1, width: 14, height: 14 }),
        ),
        name,
      ),
    );
    const types = [...new Set(this.world.tiles.filter(tile => tile[3]).map(tile => tile[3][0]))];
    const kinds = types.map(type =>
      el(
        "li",
        null,
        svg(
          "svg",
          { width: 18, height: 18, viewBox: "-14 -14 28 28", "aria-hidden": "true" },
          standingShape([type, "", "", ["monster", "resource"].includes(type) ? "" : null]),
        ),
        KIND_NAMES[type] || spaced(type),
      ),
    );
    return el("ul", { class: "legend small" }, kinds, grounds);
  }
}
