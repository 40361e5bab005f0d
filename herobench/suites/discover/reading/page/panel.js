// The suite discover's part of a sample's page: what differs, what each call of the exploration told, and the plan.
//
// The plan is one of the role-playing game, so its replay, code and events are those of that suite's panel.

const EXPLORED_FACTS = [
  ["Lane", d => spaced(d.told)],
  ["Families told", d => spaced(d.disclosure)],
  ["Goal told", d => spaced(d.goal)],
  ["Explored", d => known(d.explored, v => `${whole(v)} of ${whole(d.budget_actions)} actions`)],
  ["Resets", d => known(d.resets, v => `${whole(v)} of ${whole(d.budget_resets)}`)],
  ["First decisive action", d => whole(d.decisive)],
  ["Told nothing", d => known(d.told_nothing, v => `${count(v, "action")}`)],
  ["Stated rightly", d => known(d.stated_right, v => `${v} of ${d.changes}`)],
  ["Plan", d => `${whole(d.plan_actions)} (certified ${whole(d.oracle_actions)})`],
];

const argumentsText = given => Object.values(given).map(literal).join(", ");

/** An answer without the status, which the sign says, and without marks that only JSON needs. */
function answerText({ status, ...answer }) {
  if (answer.error) return answer.error;
  return JSON.stringify(answer).slice(1, -1).replaceAll('"', "").replaceAll(",", ", ").replaceAll(":", ": ");
}

function callItem(call, { surprise, nothing }) {
  const refused = Boolean(call.answer.error);
  const mark = surprise
    ? el("strong", { class: "surprise" }, "◆ not as told")
    : nothing
      ? el("small", null, "told nothing")
      : null;
  const looks = [refused && "refused", surprise && "surprising", call.name === "reset" && "again"];
  return el(
    "li",
    { class: looks.filter(Boolean).join(" ") },
    statusMark({ ok: !refused }),
    " ",
    el("code", null, `${call.name}(${argumentsText(call.arguments)})`),
    el("small", null, ` ${answerText(call.answer)}`),
    mark,
  );
}

function explorationSection(row, found) {
  const calls = row.events ? row.events.exploration : [];
  const items = calls.map((call, at) => callItem(call, found[at] || {}));
  const list = items.length
    ? el("ol", { class: "calls", id: "calls", tabindex: 0, "aria-label": "Calls" }, items)
    : el("p", { class: "hint" }, "Nothing was explored.");
  return el("section", null, el("h2", null, "Exploration"), list);
}

const statedText = ({ family, subject, value }) =>
  [spaced(family), subject ? spaced(subject) : "", spaced(`${value}`)].filter(Boolean).join(", ");

/** What differs, and what the form stated of it. */
function differSection(row, given) {
  if (!given) return null;
  const { stated } = row.events || {};
  const said = stated
    ? el("ul", { id: "stated" }, stated.map(one => el("li", null, statedText(one))))
    : el("p", { class: "hint" }, "No form was filled in.");
  const differ = given.differ.map(text => el("li", null, text.replaceAll("`", "")));
  return el(
    "div",
    { class: "pair" },
    el("section", null, el("h2", null, "What differs"), el("ul", { id: "differ" }, differ)),
    el("section", null, el("h2", null, "What was stated"), said),
  );
}

/** The sample as the panel of the role-playing game reads it. */
function asPlan(full, given) {
  const details = { ...full.row.details, target: given ? given.target : null };
  return { ...full, row: { ...full.row, details, events: full.row.events && full.row.events.plan } };
}

/** The replay of a plan, which tells how many goals are reached by a step, and which one is next. */
class GoalPlayer extends Player {
  constructor(sample, full, given) {
    super(sample, full, given, given.world);
    this.goals = given.goals;
    this.goalsAt = full.panel.goals_at;
    const line = el("p", { class: "caption", id: "goal" });
    this.watch(step => (line.textContent = this.goalText(step)));
    if (this.goals.length > 1) this.node.querySelector(".side").prepend(line);
  }

  goalText(step) {
    const reached = this.goalsAt.filter(at => at <= step).length;
    const said = `${reached} of ${this.goals.length} goals reached`;
    if (reached === this.goals.length) return `${said}.`;
    const [kind, target] = this.goals[reached];
    const name = kind === "kill" ? enemyName(this.world, target) : itemName(this.world, target);
    return `${said}; next: ${kind === "kill" ? "beat" : "craft"} ${name}.`;
  }
}

PANELS.discover = {
  facts: row => EXPLORED_FACTS.map(([name, show]) => [name, show(row.details)]),
  ended: ({ details }) => (details.end_reason ? `The plan ended: ${details.end_reason}` : null),
  show: (sample, full, given) => {
    const plan = asPlan(full, given);
    const player = full.panel.changes && given ? new GoalPlayer(sample, plan, given) : null;
    const nodes = [
      differSection(full.row, given),
      explorationSection(full.row, full.panel.found || []),
      player ? player.node : null,
      planSection(plan, player, given ? given.world : {}),
    ];
    return { nodes, player };
  },
  texts: (full, given) => [
    ["A plan that wins (the task's certificate)", given && given.certificate, "certificate"],
    ["The best plan by what is told, which loses", given && given.usual, "usual"],
  ],
};
