// One entry of a trace in words.

const HERO = "Hero";

/** An entry with the parts that were left out because they say nothing. */
function eventOf(entry) {
  const empty = { times: 1, line: null, args: [], kwargs: {}, reason: "", detail: null };
  return { ...empty, ...entry, ok: entry.status === 200 };
}

const lostFight = event => Boolean(event.detail && event.detail.kind === "fought" && !event.detail.won);

const literal = value =>
  value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);

/** The call as the plan made it; the hero's own name, which is always the same, is left out. */
function callText(event) {
  const args = event.args[0] === HERO ? event.args.slice(1) : event.args;
  const named = Object.entries(event.kwargs).filter(([name, value]) => !(name === "name" && value === HERO));
  const given = [...args.map(literal), ...named.map(([name, value]) => `${name}=${literal(value)}`)];
  return `${event.action}(${given.join(", ")})`;
}

const lack = (world, { item, needed, owned }) => `${itemName(world, item)} (${owned} of ${needed})`;
const pieces = (world, drops) => drops.map(({ item, quantity }) => `${quantity} ${itemName(world, item)}`).join(", ");
const stacked = (world, { item, quantity }) => `${itemName(world, item)}${quantity > 1 ? ` × ${quantity}` : ""}`;

const enemyName = (world, code) => (world.monsters[code] || [spaced(code)])[0];

const TELL = {
  moved: (world, map, { place }) => `to ${map.nameOf(place)} (${place.join(", ")})`,
  fought: (world, map, { monster, won, rounds, xp, drops }) =>
    [
      `${won ? "beat" : "lost against"} ${enemyName(world, monster)} in ${count(rounds, "round")}`,
      xp ? `${xp} xp` : "",
      drops.length ? `took ${pieces(world, drops)}` : "",
    ]
      .filter(Boolean)
      .join(", "),
  gathered: (world, map, { skill, swings, xp, drops }) =>
    `${pieces(world, drops) || "nothing"} in ${count(swings, "swing")}, ${xp} xp of ${skill}`,
  crafted: (world, map, { item, skill, quantity, xp }) =>
    `made ${quantity} ${itemName(world, item)}, ${xp} xp of ${skill}`,
  craft_refused: (world, map, refused) =>
    [
      refused.at_workshop
        ? ""
        : `not at a workshop for ${refused.skill}` +
          (refused.workshop ? ` (there is one at ${refused.workshop.join(", ")})` : ""),
      refused.skilled ? "" : `${refused.skill} is ${refused.level} and has to be ${refused.needed_level}`,
      refused.lacking.length ? `lacks ${refused.lacking.map(one => lack(world, one)).join(", ")}` : "",
    ]
      .filter(Boolean)
      .join("; "),
  equipped: (world, map, detail) => `${stacked(world, detail)} into ${spaced(detail.slot)}`,
  unequipped: (world, map, detail) => `${stacked(world, detail)} out of ${spaced(detail.slot)}`,
  bought: (world, map, { item, quantity }) => `bought ${quantity} ${itemName(world, item)}`,
};

function outcomeText(event, world, map) {
  const tell = event.detail && TELL[event.detail.kind];
  const detail = tell ? tell(world, map, event.detail) : "";
  return event.ok ? detail || "done" : [`${event.status} ${event.reason}`, detail].filter(Boolean).join(" – ");
}

const times = event => (event.times > 1 ? el("span", { class: "times" }, ` × ${event.times}`) : null);
const statusMark = event =>
  el(
    "span",
    { class: event.ok ? "ok" : "bad" },
    el("span", { "aria-hidden": "true" }, event.ok ? "✓" : "✕"),
    el("span", { class: "unseen" }, event.ok ? "carried out" : "refused"),
  );

/** Both health bars at the end of a fight. */
function fightCard(event, world, before) {
  if (!event.detail || event.detail.kind !== "fought") return null;
  const { monster, won, rounds, hero_hp: heroHp, monster_hp: monsterHp } = event.detail;
  const [name, level, hp] = world.monsters[monster] || [spaced(monster), null, null];
  const bar = (who, left, most) =>
    el(
      "div",
      { class: "health" },
      el("span", null, who),
      el("meter", {
        min: 0,
        max: most || Math.max(1, left),
        value: Math.max(0, left),
        "aria-label": `Health of ${who}`,
      }),
      el("span", { class: "num" }, most ? `${Math.max(0, Math.round(left))} of ${most}` : Math.round(left)),
    );
  const end = won ? "✓ won" : heroHp <= 0 ? "✕ lost: the hero fell" : "✕ not decided in the rounds there are";
  return el(
    "section",
    { class: `fight ${won ? "won" : "lost"}` },
    el("h4", null, `Fight: ${end} (${count(rounds, "round")})`),
    bar("Hero", heroHp, before.stats[0]),
    bar(`${name}${level === null ? "" : `, level ${level}`}`, monsterHp, hp),
  );
}
