// The rules of a journey in the browser, as herobench/suites/rpg/journey/walk.py has them: a test compares the two.
//
// A plain script without a module, since the report holds it as well as the page at which people play.

const HERE = [0, 0];

const wayBetween = (from, to) => Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]);

/** The position in which the hero comes into a region; one behind the road has no sites. */
function enterRegion(road, number, { bag, gear, hearts }) {
  const { nodes = [], monsters = [], enter = HERE } = road.regions[number] || {};
  const left = nodes.map(node => node.units);
  return { region: number, left, alive: monsters.map(() => true), place: enter, bag, gear, hearts };
}

const startOfRoad = road => enterRegion(road, 0, { bag: [], gear: [], hearts: road.limits.hearts });

const withoutOne = (things, number) => things.filter((_, at) => at !== number);
const changedAt = (things, number, value) => things.map((thing, at) => (at === number ? value : thing));
const byKindAndWear = ([kind, uses], [other, more]) => (kind === other ? uses - more : kind < other ? -1 : 1);

/** What a fight takes, as time and hearts; without a kind of gear it is one with bare hands. */
function fightCosts({ gear, limits }, { hp, pace, weakness }, kind, [wound]) {
  const own = kind === undefined ? null : gear[kind];
  const power = own ? own.power * (own.element === weakness ? 2 : 1) : 1;
  const time = Math.ceil(hp / power);
  const most = limits.breaks ? Math.ceil(time / pace) : Math.floor(time / pace);
  const isWounded = limits.breaks && wound < (time % pace) / pace;
  return { time, most, hearts: isWounded ? most : Math.floor(time / pace) };
}

/** The gear after a fight with one of its pieces. */
function usedGear({ limits }, gear, at, [, breakage]) {
  if (limits.breaks) return breakage < 1 / limits.breaks ? withoutOne(gear, at) : gear;
  const [kind, uses] = gear[at];
  return [...withoutOne(gear, at), ...(uses > 1 ? [[kind, uses - 1]] : [])].sort(byKindAndWear);
}

/** An action at a place: its time with the way there, and the position after it. */
const doneAt = (position, place = HERE, time, changes) => ({
  time: wayBetween(position.place, place) + time,
  after: { ...position, place, ...changes },
});

/** A rule returns null for an action that is refused. */
const RULES = {
  gather: (road, region, position, draw, code) => {
    const number = region.nodes.findIndex(node => node.material === code);
    if (number < 0 || !position.left[number] || position.bag.length >= road.limits.bag) return null;
    const left = changedAt(position.left, number, position.left[number] - 1);
    const { at, time } = region.nodes[number];
    return doneAt(position, at, time, { left, bag: [...position.bag, code].sort() });
  },
  craft: (road, region, position, draw, kind) => {
    if (!region.workshop || !region.workshop.makes.includes(kind)) return null;
    let { bag } = position;
    for (const material of road.gear[kind].recipe) {
      if (!bag.includes(material)) return null;
      bag = withoutOne(bag, bag.indexOf(material));
    }
    if (position.gear.length >= road.limits.places) return null;
    const gear = [...position.gear, [kind, road.limits.uses]].sort(byKindAndWear);
    return doneAt(position, region.workshop.at, road.limits.crafting, { bag, gear });
  },
  fight: (road, region, position, draw, code, kind) => {
    const number = region.monsters.findIndex(monster => monster.code === code);
    if (number < 0 || !position.alive[number]) return null;
    const monster = region.monsters[number];
    let { gear } = position;
    if (kind !== undefined) {
      const piece = gear.findIndex(([name]) => name === kind);
      if (piece < 0) return null;
      gear = usedGear(road, gear, piece, draw);
    }
    const { time, most, hearts } = fightCosts(road, monster, kind, draw);
    if (position.hearts <= most) return null;
    const alive = changedAt(position.alive, number, false);
    return doneAt(position, monster.at, time, { alive, gear, hearts: position.hearts - hearts });
  },
  rest: (road, region, position) =>
    region.inn ? doneAt(position, region.inn.at, road.limits.rest, { hearts: road.limits.hearts }) : null,
  camp: (road, region, position) =>
    doneAt(position, position.place, road.limits.camp, { hearts: Math.min(road.limits.hearts, position.hearts + 1) }),
  drop: (road, region, position, draw, code) => {
    const unit = position.bag.indexOf(code);
    if (unit >= 0) return doneAt(position, position.place, 0, { bag: withoutOne(position.bag, unit) });
    const piece = position.gear.findIndex(([kind]) => kind === code);
    return piece < 0 ? null : doneAt(position, position.place, 0, { gear: withoutOne(position.gear, piece) });
  },
  leave: (road, region, position) => {
    if (position.alive.includes(true)) return null;
    const { time } = doneAt(position, region.leave, 0, {});
    return { time, after: enterRegion(road, position.region + 1, position) };
  },
};

/** The draw of a fight that costs the most. */
const WORST = [0, 0];

/** The time of an action and the position after it; null if it is refused. On a road with chance a fight is drawn. */
function carryOut(road, position, [name, ...values], draw) {
  const region = road.regions[position.region];
  return region && Object.hasOwn(RULES, name) ? RULES[name](road, region, position, draw, ...values) : null;
}

/** All actions that can be carried out, as steps. */
function possibleSteps(road, position) {
  const region = road.regions[position.region];
  if (!region) return [];
  const kinds = [...new Set(position.gear.map(([kind]) => kind))];
  const calls = [
    ...region.nodes.map(node => ["gather", node.material]),
    ...(region.workshop ? region.workshop.makes : []).map(kind => ["craft", kind]),
    ...region.monsters.flatMap(({ code }) => [["fight", code], ...kinds.map(kind => ["fight", code, kind])]),
    ...[["rest"], ["camp"], ["leave"]],
    ...[...new Set(position.bag), ...kinds].map(code => ["drop", code]),
  ];
  return calls.map(call => stepWith(road, position, call)).filter(Boolean);
}

function stepWith(road, before, call, draw = WORST) {
  const outcome = carryOut(road, before, call, draw);
  return outcome && { call, before, ...outcome };
}

/** The steps of a plan up to the first action that is refused, each with the clock after it; `draws` are its luck. */
function walkRoad(road, calls, draws = []) {
  const steps = [];
  let [position, clock] = [startOfRoad(road), 0];
  for (const [at, call] of calls.entries()) {
    const step = stepWith(road, position, call, draws[at]);
    if (!step) break;
    position = step.after;
    clock += step.time;
    steps.push({ ...step, clock });
  }
  return steps;
}

// -- in words -------------------------------------------------------------------------------------------------------

function callWords([name, ...values]) {
  if (name === "fight") return `fight ${values[0]} ${values[1] ? `with ${values[1]}` : "with bare hands"}`;
  return [name, ...values].join(" ");
}

/** Things in the bag, equal ones counted. */
function bagWords(bag) {
  const counted = [...new Set(bag)].map(code => [code, bag.filter(other => other === code).length]);
  return counted.map(([code, times]) => (times > 1 ? `${times} ${code}` : code)).join(", ") || "–";
}

/** Pieces of gear, each with the fights that it lasts; with chance nobody knows how many. */
const gearWords = ({ limits }, gear) =>
  gear.map(([kind, uses]) => (limits.breaks ? kind : `${kind}\u00a0(${uses})`)).join(", ") || "–";

/** Numbers, with ranges for those that follow each other: 1–3, 7. */
function numberWords(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, end]) => (first === end ? first : `${first}–${end}`)).join(", ");
}

/** The longest sight that is looked at; a decision that needs more has a reach of one more. */
const MOST_SIGHT = 8;

/** How far ahead a mistake is felt, by its reach: the regions that one must see to avoid it. */
function feltWords(reach) {
  if (reach === 1) return "felt in this region";
  if (reach > MOST_SIGHT) return `felt ${MOST_SIGHT} or more regions later`;
  return `felt ${reach - 1} ${reach === 2 ? "region" : "regions"} later`;
}
