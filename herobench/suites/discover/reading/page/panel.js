// The suite discover's part of a sample's page: what is hidden, the calls of the exploration, and the plan.

const EXPLORED_FACTS = [
  ["Lane", d => spaced(d.told)],
  ["Laws", d => d.laws],
  ["Lands won", d => known(d.lands_won, v => `${whole(v)} of ${whole(d.lands)}`)],
  ["Days used", d => known(d.days_used, v => `${whole(v)} of ${whole(d.days)}`)],
  ["Days that told nothing", d => whole(d.told_nothing)],
  ["Bits learned", d => known(d.bits, v => v.toFixed(1))],
  ["Bits left", d => known(d.bits_left, v => `${v.toFixed(1)} of ${d.bits_hidden.toFixed(1)}`)],
  ["Chance of the plan", d => known(d.plan_chance, v => `${v} % by the answers`)],
];

const argumentsText = given => Object.values(given).map(literal).join(", ");

/** An answer without the status, which the sign says, and without marks that only JSON needs. */
function answerText({ status, ...answer }) {
  if (answer.error) return answer.error;
  return JSON.stringify(answer).slice(1, -1).replaceAll('"', "").replaceAll(",", ", ").replaceAll(":", ": ");
}

function callItem(call, before) {
  const refused = Boolean(call.answer.error);
  const told = call.left < before && call.name !== "next_land";
  const looks = [refused && "refused", told && "telling", ["new_day", "next_land"].includes(call.name) && "again"];
  return el(
    "li",
    { class: looks.filter(Boolean).join(" ") },
    statusMark({ ok: !refused }),
    " ",
    el("code", null, `${call.name}(${argumentsText(call.arguments)})`),
    el("small", null, ` ${answerText(call.answer)}`),
    told ? el("strong", { class: "told" }, `${whole(call.left)} worlds left`) : null,
  );
}

function callsSection(title, id, calls, worlds) {
  const items = calls.map((call, at) => callItem(call, at ? calls[at - 1].left : worlds));
  const list = items.length
    ? el("ol", { class: "calls", id, tabindex: 0, "aria-label": title }, items)
    : el("p", { class: "hint" }, "There are no calls.");
  return el("section", null, el("h2", null, title), list);
}

function hiddenSection(given) {
  if (!given) return null;
  const items = given.hidden.map(text => el("li", null, text));
  return el("section", null, el("h2", null, "What is hidden"), el("ul", { id: "hidden" }, items));
}

PANELS.discover = {
  facts: row => EXPLORED_FACTS.map(([name, show]) => [name, show(row.details)]),
  ended: ({ details }) => (details.end_reason ? `The plan ended: ${details.end_reason}` : null),
  show: (sample, full, given) => {
    const { exploration = [], plan = [] } = full.row.events || {};
    const nodes = [
      hiddenSection(given),
      callsSection("Exploration", "calls", exploration, full.panel.worlds),
      callsSection("Plan", "plan", plan, 0),
    ];
    return { nodes, player: null };
  },
  texts: (full, given) => [["A plan that wins (the task's certificate)", given && given.certificate, "certificate"]],
};
