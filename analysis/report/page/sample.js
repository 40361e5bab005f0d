// One sample: what was asked, what came, what it did, and how it was scored.

const mechanics = row =>
  [row.leveling && "leveling", row.stochastic && "drops by chance", row.noise && row.noise.length && "noise"]
    .filter(Boolean)
    .join(", ");

const FACTS = [
  ["Score", row => tenth(row.score)],
  ["Reward", row => (row.reward === null ? DASH : `${row.reward} of ${row.ideal_reward}`)],
  ["Progress before the end", row => tenth(row.progress_before_end)],
  ["Failure", row => spaced(row.failure)],
  ["Ended", row => (row.ended === null ? DASH : [spaced(row.ended), row.end_kind].filter(Boolean).join(", "))],
  ["Actions", row => `${whole(row.actions)}${row.oracle_actions ? ` (oracle ${row.oracle_actions})` : ""}`],
  ["Difficulty", row => whole(row.difficulty)],
  ["Target", row => spaced(row.target)],
  [
    "Missing gear",
    row =>
      Object.values(row.missing || {})
        .map(spaced)
        .join(", "),
  ],
  ["Told", row => spaced(row.knowledge)],
  ["Mechanics", mechanics],
  ["Tokens", row => whole(row.tokens)],
  ["Cost", row => money(row.cost)],
  ["Seconds", row => known(row.seconds, v => v.toFixed(1))],
  ["Model", row => row.model || DASH],
];

function facts(row) {
  const shown = FACTS.map(([name, show]) => [name, show(row)]).filter(([, text]) => text !== DASH && text !== "");
  return el(
    "dl",
    { class: "facts" },
    shown.map(([name, text]) =>
      el("div", { class: text.length > 24 ? "long-fact" : null }, el("dt", null, name), el("dd", null, text)),
    ),
  );
}

function milestones(row) {
  if (!row.milestones) return null;
  const items = [
    ...row.milestones.reached.map(name => ["✓", "reached", name]),
    ...row.milestones.missed.map(name => ["✕", "missed", name]),
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

/** A long text, made only when it is opened. */
function longText(title, text, id) {
  if (!text) return null;
  const details = el(
    "details",
    { class: "long", id },
    el("summary", null, title, el("small", null, ` ${count(text.length, "character")}`)),
  );
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount < 2) details.append(el("pre", { tabindex: 0 }, text));
  });
  return details;
}

/** What a cause is about, as things are called in the world of a run; a name that stands for nothing stays as it is. */
function subjectOf(found, world) {
  const { subject } = found;
  if (Object.hasOwn(world.items, subject)) return world.items[subject];
  if (Object.hasOwn(world.monsters, subject)) return world.monsters[subject][0];
  return subject;
}

/** The cause in a few words, for the line of the plan that it is in. */
const causeText = (found, world) =>
  [spaced(found.cause), found.subject === null ? null : `(${subjectOf(found, world)})`].filter(Boolean).join(" ");

function causeNote(found, world) {
  if (!found) return null;
  const where = found.line === null ? "" : `, line ${found.line}`;
  return el(
    "p",
    { class: "note", id: "cause" },
    el("strong", null, `Lost by: ${causeText(found, world)}${where}. `),
    INDEX.causes[found.cause],
  );
}

function heading(sample, row, found) {
  const [before, after] = TABLE.beside(sample);
  const way = (to, text, rel) =>
    to ? el("a", { href: addressOf(to), rel }, text) : el("span", { class: "hint" }, text);
  const about = [RUNS[sample.run].name, `bracket ${sample.bracket}`, several("epoch") ? `epoch ${sample.epoch}` : null]
    .filter(Boolean)
    .join(" · ");
  return el(
    "header",
    { class: "sample-head" },
    el(
      "nav",
      { class: "ways", "aria-label": "Samples" },
      el("a", { href: TABLE.address(), id: "back-to-overview" }, "‹ overview"),
      way(before, "‹ before", "prev"),
      way(after, "next ›", "next"),
    ),
    el("h1", { tabindex: -1 }, sample.task),
    el("p", { class: "about" }, outcomeMark(sample.outcome), ` · ${about}`),
    causeNote(found, worldOf(sample)),
    row.error ? el("p", { class: "note" }, `No reply: ${spaced(row.error.kind)}. ${row.error.message}`) : null,
    row.end_reason
      ? el(
          "p",
          { class: "note" },
          `${spaced(row.ended)}${row.end_line ? ` in line ${row.end_line}` : ""}: ${row.end_reason}`,
        )
      : null,
  );
}

function planSection(full, player, world) {
  const unplanned = full.plan === null || full.plan === undefined;
  const code = unplanned ? null : planCode(full.plan, remarks(full.row, full.found, world));
  const list = player && new EventList(player);
  if (player)
    player.watch(step => {
      list.show(step);
      const event = step ? player.events[step - 1] : null;
      if (code && event && event.line) code.show(event.line);
    });
  const none = typeof full.row.answer !== "string" ? "This row has no answer." : "No plan was found in the answer.";
  return el(
    "div",
    { class: "pair" },
    el("section", null, el("h2", null, "Plan"), code ? code.node : el("p", { class: "hint" }, none)),
    el(
      "section",
      null,
      el("h2", null, "Events"),
      list ? list.node : el("p", { class: "hint" }, full.no_replay || "None."),
    ),
  );
}

/** The page of a sample; `player` comes with it where there is anything to play. */
async function samplePage(sample) {
  const [full, given] = await Promise.all([
    block(`sample${sample.number}`),
    sample.given === null ? null : block(`given${sample.given}`),
  ]);
  const player = full.changes && given ? new Player(sample, full, given) : null;
  const row = full.row;
  const nodes = [
    heading(sample, row, full.found),
    facts(row),
    player ? player.node : null,
    planSection(full, player, worldOf(sample)),
    milestones(row),
    el(
      "section",
      null,
      el("h2", null, "Texts"),
      longText("Prompt", given && given.prompt, "prompt"),
      longText("Answer", row.answer, "answer"),
      longText("A plan that wins (the task's certificate)", given && given.certificate, "certificate"),
      longText("The row as it is stored", JSON.stringify(row, null, 1), "row"),
    ),
  ];
  return { nodes: nodes.filter(Boolean), player };
}
