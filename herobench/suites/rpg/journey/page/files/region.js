// A region as a map and as a list of its sites, with the way of the hero through it. It uses el and svg.

const CELL = 48;
const middle = value => (value + 0.5) * CELL;
const SITE_SHAPES = {
  node: "M0 -11L11 0L0 11L-11 0Z",
  monster: "M0 -10a10 10 0 1 0 .01 0Z",
  workshop: "M-9 -9H9V9H-9Z",
  inn: "M-10 -1L0 -11L10 -1V10H-10Z",
  enter: "M-7 -9L9 0L-7 9Z",
  leave: "M-8 10V-4a8 8 0 0 1 16 0V10Z",
};
const SITE_NAMES = { enter: "way in", leave: "gate" };

/** What a node has; with a position, what is left of it. */
function nodeWords({ units, time }, left) {
  const all = `${units} ${units === 1 ? "unit" : "units"}`;
  return `${left === undefined || left === units ? all : `${left} of ${all}`}, ${time} each`;
}

/** The sites of a region, each with its kind, its name, what is told of it, and its place. */
function sitesOf({ nodes, monsters, workshop, inn, enter, leave }, position) {
  return [
    ...(enter ? [{ kind: "enter", name: SITE_NAMES.enter, about: "", at: enter }] : []),
    ...nodes.map((node, number) => ({
      kind: "node",
      number,
      name: node.material,
      about: nodeWords(node, position ? position.left[number] : undefined),
      at: node.at,
    })),
    ...(workshop ? [{ kind: "workshop", name: "workshop", about: workshop.makes.join(", "), at: workshop.at }] : []),
    ...(inn ? [{ kind: "inn", name: "inn", about: "", at: inn.at }] : []),
    ...monsters.map((foe, number) => ({
      kind: "monster",
      number,
      name: foe.code,
      about: `${foe.hp} hp, pace ${foe.pace}, weak to ${foe.weakness}`,
      at: foe.at,
    })),
    ...(leave ? [{ kind: "leave", name: SITE_NAMES.leave, about: "", at: leave }] : []),
  ];
}

const SITE_KINDS = { gather: "node", craft: "workshop", fight: "monster", rest: "inn", leave: "leave" };

/** Whether an action is done at a site. */
function isDoneAt({ kind, name }, [action, code]) {
  return SITE_KINDS[action] === kind && (kind === "node" || kind === "monster" ? code === name : true);
}

/** The numbers of the steps of a region that were done at a site, from 1 on. */
const numbersAt = (site, steps) => steps.flatMap(({ call }, at) => (isDoneAt(site, call) ? [at + 1] : []));

/** True if nothing is left of a site. */
const isSpent = ({ kind, number }, position) =>
  Boolean(position) && (kind === "node" ? !position.left[number] : kind === "monster" && !position.alive[number]);

/** The way in straight lines, each with an arrow behind its middle. */
function wayLines(region, steps) {
  const ends = steps.map(({ call, after }) => (call[0] === "leave" ? region.leave : after.place));
  const stops = [region.enter, ...ends].map(([x, y]) => [middle(x), middle(y)]);
  return stops.slice(1).map(([x, y], at) => {
    const [fromX, fromY] = stops[at];
    if (x === fromX && y === fromY) return null;
    const [arrowX, arrowY] = [fromX + 0.6 * (x - fromX), fromY + 0.6 * (y - fromY)];
    const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
    return [
      svg("path", { class: "way", d: `M${fromX} ${fromY}L${x} ${y}` }),
      svg("path", { class: "way-arrow", d: "M-5 -5L6 0L-5 5Z", transform: `translate(${arrowX} ${arrowY}) rotate(${angle})` }),
    ];
  });
}

/** A site on the map; `wrong` are the numbers of steps that were mistakes. */
function siteMark(site, numbers, wrong, position) {
  const [x, y] = site.at;
  const isWrong = numbers.some(number => wrong.includes(number));
  return svg(
    "g",
    { class: `site ${site.kind}${isSpent(site, position) ? " spent" : ""}`, transform: `translate(${middle(x)} ${middle(y)})` },
    svg("title", null, [site.name, site.about].filter(Boolean).join(": ")),
    svg("path", { class: "shape", d: SITE_SHAPES[site.kind] }),
    svg("text", { y: 21, "text-anchor": "middle" }, site.name),
    numbers.length
      ? svg("text", { class: isWrong ? "step wrong" : "step", y: -13, "text-anchor": "middle" }, (isWrong ? "✕ " : "") + numberWords(numbers))
      : null,
  );
}

/** The map of a region, with the steps that were done in it; null if all its sites are at hand. */
function regionMap(road, number, steps, { wrong = [], position = null } = {}) {
  if (road.side === null) return null;
  const [region, size] = [road.regions[number], road.side * CELL];
  const lines = Array.from({ length: road.side - 1 }, (_, at) => (at + 1) * CELL);
  const about = { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `Map of region ${number + 1}; its sites follow as a list.` };
  return svg(
    "svg",
    { class: "region-map", ...about },
    svg("path", { class: "lines", d: lines.map(at => `M${at} 0V${size}M0 ${at}H${size}`).join("") }),
    wayLines(region, steps),
    sitesOf(region, position).map(site => siteMark(site, numbersAt(site, steps), wrong, position)),
    position ? svg("circle", { class: "hero-mark", cx: middle(position.place[0]), cy: middle(position.place[1]), r: 16 }) : null,
  );
}

const toldWords = ({ about, at }) => [about, at && `at ${at.join(",")}`].filter(Boolean).join(", ");

/** The sites of a region as a list, each with the numbers of the steps that were done there. */
function siteList(road, number, steps, { wrong = [], position = null } = {}) {
  const items = sitesOf(road.regions[number], position).map(site => {
    const numbers = numbersAt(site, steps);
    const isWrong = numbers.some(each => wrong.includes(each));
    return el(
      "li",
      { class: `${site.kind}${isSpent(site, position) ? " spent" : ""}` },
      svg("svg", { viewBox: "-14 -14 28 28", width: 16, height: 16, class: `site ${site.kind}`, "aria-hidden": "true" }, svg("path", { class: "shape", d: SITE_SHAPES[site.kind] })),
      el("span", null, el("b", null, site.name), el("small", null, ` ${toldWords(site)}`)),
      numbers.length ? el("span", { class: isWrong ? "step wrong" : "step" }, (isWrong ? "✕ " : "") + numberWords(numbers)) : null,
    );
  });
  return el("ul", { class: "sites" }, items);
}

/** The kinds of gear of a road, and what the hero can carry. */
function roadRules({ gear, limits }) {
  const kinds = Object.entries(gear).map(([code, { power, element, recipe }]) =>
    el("li", null, el("b", null, code), ` power ${power}, ${element}, of ${bagWords(recipe)}`),
  );
  const { bag, places, hearts, uses, breaks, crafting, rest, camp } = limits;
  const fights = uses === 1 ? "for one fight" : `for ${uses} fights`;
  const lasts = breaks ? `until it breaks, in one of ${breaks} fights` : fights;
  const carried = `${hearts} hearts, ${bag} units in the bag, ${places} pieces of gear, each ${lasts}.`;
  return [
    el("ul", { class: "kinds" }, kinds),
    el("p", { class: "hint" }, `At most ${carried} Crafting takes ${crafting}, a rest ${rest}, a camp ${camp}.`),
  ];
}
