// The hero's states, put together from where he starts and what each step changed; and how a state is shown.

const EVERY = 64;
const MAPS = ["skills", "worn", "stacks", "bag"];

/** A state with a change put over it. What the change does not name stays. */
function changed(state, change) {
  const next = { ...state, ...change };
  for (const name of MAPS.filter(map => change[map])) {
    next[name] = { ...state[name], ...change[name] };
    for (const [key, value] of Object.entries(change[name])) if (value === null) delete next[name][key];
  }
  return next;
}

/** The state at any step, without keeping them all: step 0 is the start, step n what is after n entries. */
class States {
  constructor(start, changes) {
    this.changes = changes;
    this.kept = [start];
  }

  at(step) {
    while (this.kept.length * EVERY <= step)
      this.kept.push(this.from((this.kept.length - 1) * EVERY, this.kept.length * EVERY));
    return this.from(Math.floor(step / EVERY) * EVERY, step);
  }

  from(known, step) {
    let state = this.kept[known / EVERY];
    for (let number = known; number < step; number++) state = changed(state, this.changes[number]);
    return state;
  }
}

// -- how it is shown --------------------------------------------------------------------------------------------------

const itemName = (world, code) => (Object.hasOwn(world.items, code) ? world.items[code] : spaced(code));

function entries(title, rows, none) {
  return el(
    "section",
    { class: "belongings" },
    el("h4", null, title),
    rows.length
      ? el(
          "dl",
          null,
          rows.map(([name, value, news]) =>
            el(
              "div",
              { class: news ? "news" : null },
              el("dt", null, name),
              el("dd", null, news ? el("em", null, news) : null, " ", value),
            ),
          ),
        )
      : el("p", { class: "hint" }, none),
  );
}

const plus = number => (number > 0 ? `+${number}` : `−${-number}`);

function bagRows(world, now, before) {
  const codes = [...new Set([...Object.keys(now.bag), ...Object.keys(before.bag)])].sort(compare);
  return codes.map(code => {
    const [have, had] = [now.bag[code] || 0, before.bag[code] || 0];
    return [itemName(world, code), have || "gone", have === had ? null : plus(have - had)];
  });
}

function gearRows(world, now, before) {
  const worn = world.slots
    .filter(slot => now.worn[slot] || before.worn[slot])
    .map(slot => [
      spaced(slot),
      now.worn[slot] ? itemName(world, now.worn[slot]) : "empty",
      now.worn[slot] === before.worn[slot] ? null : now.worn[slot] ? "put on" : "taken off",
    ]);
  const text = stack => (stack ? `${stack[1]} × ${itemName(world, stack[0])}` : "empty");
  const stacks = world.slots
    .filter(slot => now.stacks[slot] || before.stacks[slot])
    .map(slot => [
      spaced(slot),
      text(now.stacks[slot]),
      text(now.stacks[slot]) === text(before.stacks[slot]) ? null : "changed",
    ]);
  return [...worn, ...stacks];
}

function skillRow(name, now, before) {
  const news =
    now[0] > before[0]
      ? `level ${plus(now[0] - before[0])}`
      : now[1] > before[1]
        ? `${plus(now[1] - before[1])} xp`
        : null;
  return [name, `${now[0]} · ${now[1]}/${now[2]}`, news];
}

const skillRows = (now, before) => [
  skillRow("combat", now.combat, before.combat),
  ...Object.keys(now.skills).map(skill => skillRow(skill, now.skills[skill], before.skills[skill])),
];

function statRows(world, now, before) {
  const rows = [
    ["health", now.stats[0], now.stats[0] === before.stats[0] ? null : plus(now.stats[0] - before.stats[0])],
  ];
  ["attack", "damage %", "resistance %"].forEach((name, number) => {
    const values = state =>
      world.elements.map((element, at) => [element, state.stats[number + 1][at]]).filter(pair => pair[1]);
    const text = state =>
      values(state)
        .map(([element, value]) => `${element} ${value}`)
        .join(", ") || DASH;
    rows.push([name, text(now), text(now) === text(before) ? null : "changed"]);
  });
  return rows;
}

const heroPanel = (world, now, before) => [
  entries("Bag", bagRows(world, now, before), "Nothing."),
  entries("Gear", gearRows(world, now, before), "Nothing worn."),
  entries("Strength", statRows(world, now, before)),
  entries("Skills: level · xp", skillRows(now, before)),
];
