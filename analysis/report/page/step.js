// One entry of a trace in words. Stored are times, line, status, action, arguments, detail, reason, keywords.

const HERO = "Hero";

function eventOf(entry) {
  const [times, line, status, action, args, detail, reason, keywords] = entry;
  return {
    times,
    line,
    status,
    ok: status === 200,
    action,
    args: args || [],
    detail: detail || null,
    reason: reason || "",
    keywords: keywords || {},
  };
}

const lostFight = event => Boolean(event.detail && event.detail[0] === "fought" && !event.detail[2]);

const literal = value =>
  value === null ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value);

/** The call as the plan made it; the hero's own name, which is always the same, is left out. */
function callText(event) {
  const args = event.args[0] === HERO ? event.args.slice(1) : event.args;
  const named = Object.entries(event.keywords).filter(([name, value]) => !(name === "name" && value === HERO));
  const given = [...args.map(literal), ...named.map(([name, value]) => `${name}=${literal(value)}`)];
  return `${event.action}(${given.join(", ")})`;
}

const lack = (world, [code, needed, owned]) => `${itemName(world, code)} (${owned} of ${needed})`;
const pieces = (world, list) => list.map(([code, number]) => `${number} ${itemName(world, code)}`).join(", ");

const TELL = {
  moved: (world, map, [place]) => `to ${map.nameOf(place)} (${place.join(", ")})`,
  fought: (world, map, [code, won, rounds, , , xp, drops]) =>
    [
      `${won ? "beat" : "lost against"} ${(world.monsters[code] || [spaced(code)])[0]} in ${count(rounds, "round")}`,
      xp ? `${xp} xp` : "",
      drops.length ? `took ${pieces(world, drops)}` : "",
    ]
      .filter(Boolean)
      .join(", "),
  gathered: (world, map, [code, skill, swings, xp, drops]) =>
    `${pieces(world, drops) || "nothing"} in ${count(swings, "swing")}, ${xp} xp of ${skill}`,
  crafted: (world, map, [code, skill, number, xp]) => `made ${number} ${itemName(world, code)}, ${xp} xp of ${skill}`,
  craftrefused: (world, map, [, , skill, atWorkshop, workshop, , skilled, needs, level, , lacking]) =>
    [
      atWorkshop ? "" : `not at a workshop for ${skill}${workshop ? ` (there is one at ${workshop.join(", ")})` : ""}`,
      skilled ? "" : `${skill} is ${level} and has to be ${needs}`,
      lacking.length ? `lacks ${lacking.map(one => lack(world, one)).join(", ")}` : "",
    ]
      .filter(Boolean)
      .join("; "),
  equipped: (world, map, [slot, code, number]) =>
    `${itemName(world, code)}${number > 1 ? ` × ${number}` : ""} into ${spaced(slot)}`,
  unequipped: (world, map, [slot, code, number]) =>
    `${itemName(world, code)}${number > 1 ? ` × ${number}` : ""} out of ${spaced(slot)}`,
  bought: (world, map, [code, number]) => `bought ${number} ${itemName(world, code)}`,
};

function outcomeText(event, world, map) {
  const tell = event.detail && TELL[event.detail[0]];
  const detail = tell ? tell(world, map, event.detail.slice(1)) : "";
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
  if (!event.detail || event.detail[0] !== "fought") return null;
  const [code, won, rounds, heroHp, monsterHp] = event.detail.slice(1);
  const [name, level, hp] = world.monsters[code] || [spaced(code), null, null];
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
