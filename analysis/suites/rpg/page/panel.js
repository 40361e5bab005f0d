// The RPG's part of a sample's page: its facts, the plan beside its events, the replay on the map, the milestones.

const mechanics = details =>
  [
    details.leveling && "leveling",
    details.stochastic && "drops by chance",
    details.noise && details.noise.length && "noise",
    details.defeat && details.defeat !== "free" && `defeats ${details.defeat}`,
    details.budget && `a budget of ${whole(details.budget)} actions`,
  ]
    .filter(Boolean)
    .join(", ");

const PLAN_FACTS = [
  ["Reward", details => known(details.reward, reward => `${reward} of ${details.ideal_reward}`)],
  ["Ended", details => known(details.ended, ended => [spaced(ended), details.end_kind].filter(Boolean).join(", "))],
  [
    "Actions",
    details => `${whole(details.actions)}${details.oracle_actions ? ` (oracle ${details.oracle_actions})` : ""}`,
  ],
  ["Difficulty", details => whole(details.difficulty)],
  ["Target", details => spaced(details.target)],
  [
    "Missing gear",
    details =>
      Object.values(details.missing || {})
        .map(spaced)
        .join(", "),
  ],
  ["Told", details => spaced(details.knowledge)],
  ["Mechanics", mechanics],
  ["Track", details => spaced(details.track)],
  ["Mode", details => spaced(details.mode)],
];

function milestones(row) {
  const told = row.details.milestones;
  if (!told) return null;
  const items = [
    ...told.reached.map(name => ["✓", "reached", name]),
    ...told.missed.map(name => ["✕", "missed", name]),
  ];
  return el(
    "section",
    null,
    el("h2", null, "Milestones"),
    el(
      "ul",
      { class: "milestones" },
      items.map(([sign, word, name]) =>
        el(
          "li",
          { class: word },
          el("span", { "aria-hidden": "true" }, sign),
          el("span", { class: "unseen" }, word),
          ` ${name.replace(":", ": ").replaceAll("_", " ")}`,
        ),
      ),
    ),
  );
}

/** The thing that a cause is about, as the world calls it; a name that stands for nothing stays as it is. */
function thingOf(subject, world) {
  if (Object.hasOwn(world.items || {}, subject)) return world.items[subject];
  if (Object.hasOwn(world.monsters || {}, subject)) return world.monsters[subject][0];
  return subject;
}

function planSection(full, player, world) {
  const unplanned = full.panel.plan === null || full.panel.plan === undefined;
  const code = unplanned ? null : planCode(full.panel.plan, remarks(full.row, full.found, world));
  const list = player && new EventList(player);
  if (player)
    player.watch(step => {
      list.show(step);
      const event = step ? player.events[step - 1] : null;
      if (code && event && event.line) code.show(event.line);
    });
  const none = !full.row.replies ? "This sample has no answer." : "No plan was found in the answer.";
  return el(
    "div",
    { class: "pair" },
    el("section", null, el("h2", null, "Plan"), code ? code.node : el("p", { class: "hint" }, none)),
    el(
      "section",
      null,
      el("h2", null, "Events"),
      list ? list.node : el("p", { class: "hint" }, full.panel.no_replay || "None."),
    ),
  );
}

/** What a lost plan lacks: what is proven of it, and edits that win. */
function repairSection(repair) {
  return repair ? el("section", { class: "repair" }, el("h2", null, "What would win"), repairTold(repair)) : null;
}

/** A repair in words, with its edits. */
function repairTold(repair) {
  const more = repair.more ? el("li", null, `… and ${whole(repair.more)} more`) : null;
  const edits = repair.edits.map(edit => el("li", null, edit.text));
  return [el("p", null, repair.about), ...(edits.length ? [el("ol", null, edits, more)] : [])];
}

PANELS.rpg = {
  facts: row => PLAN_FACTS.map(([name, show]) => [name, show(row.details)]),
  ended: ({ details }) =>
    details.end_reason
      ? `${spaced(details.ended)}${details.end_line ? ` in line ${details.end_line}` : ""}: ${details.end_reason}`
      : null,
  subject: thingOf,
  show: (sample, full, given) => {
    const player = full.panel.changes && given ? new Player(sample, full, given, settingOf(sample)) : null;
    return {
      nodes: [
        player ? player.node : null,
        repairSection(full.panel.repair),
        planSection(full, player, settingOf(sample)),
        milestones(full.row),
      ],
      player,
    };
  },
  texts: (full, given) => [["A plan that wins (the task's certificate)", given && given.certificate, "certificate"]],
};
