// The suite journey's part of a sample's page: the plan on its road, region by region, with its misjudged decisions.

const JOURNEY_FACTS = [
  ["Ended", d => spaced(d.ended)],
  ["Time", d => known(d.time, time => `${whole(time)} (least ${whole(d.least)})`)],
  ["Regions", d => known(d.walked, walked => `${whole(walked)} of ${whole(d.regions)}`)],
  ["Decisions", d => known(d.choices, choices => `${whole(choices)} (best plan ${whole(d.oracle_actions)})`)],
  ["Misjudged", d => whole(d.mistakes)],
  ["Regret", d => lengthOf(d.regret)],
  ["Sites", d => ({ maps: "on maps", hand: "at hand" })[d.sites] || DASH],
  ["Width, reach", d => known(d.width, width => `${width}, ${d.reach}`)],
  ["Told", d => spaced(d.told)],
];
/** Roads of so many regions have all of them open. */
const FEW_REGIONS = 4;
/** At most so many regions with mistakes are open at first. */
const MOST_OPEN = 3;

/** The steps of a walk with their mistakes, by region. Regions behind its end have none. */
function stepsByRegion(road, steps, { mistakes, walk }) {
  const own = (mistakes || []).filter(mistake => mistake.walk === walk);
  const byAction = new Map(own.map(mistake => [mistake.action, mistake]));
  const regions = road.regions.map(() => []);
  steps.forEach((step, at) => regions[step.before.region].push({ ...step, mistake: byAction.get(at) || null }));
  return regions;
}

/** The number of the first action that does not come out as it is stored; null if all do. */
function differingAction({ actions, times }, steps) {
  const at = actions.findIndex((_, number) => !steps[number] || steps[number].time !== times[number]);
  return at < 0 ? null : at;
}

const regretIn = steps => steps.reduce((sum, { mistake }) => sum + (mistake ? mistake.regret : 0), 0);

const mistakeRow = ({ regret, reach, better }) =>
  el(
    "tr",
    { class: "mistake" },
    el("td", null),
    el(
      "td",
      { colspan: 6 },
      el("strong", null, `Regret ${lengthOf(regret)}`),
      `, ${feltWords(reach)}. Better: `,
      el("b", null, callWords(better)),
    ),
  );

function stepRows(road, { call, time, clock, after, mistake }, at) {
  const cells = [
    [callWords(call), null],
    [time, "num time"],
    [whole(clock), "num"],
    [after.hearts, "num"],
    [bagWords(after.bag), null],
    [gearWords(road, after.gear), null],
  ];
  const cross = () => [el("span", { class: "wrong" }, "✕"), el("span", { class: "unseen" }, "misjudged: "), " "];
  const number = mistake ? cross() : null;
  const row = el(
    "tr",
    { class: mistake ? "misjudged" : null },
    el("th", { class: "num", scope: "row" }, number, at + 1),
    cells.map(([text, kind]) => el("td", { class: kind }, text)),
  );
  return mistake ? [row, mistakeRow(mistake)] : [row];
}

const STEP_HEAD = [
  ["", "num"], ["action"], ["time", "num time"], ["clock", "num"], ["hearts", "num"], ["bag"], ["gear"],
];

function stepTable(road, steps) {
  const head = STEP_HEAD.map(([text, kind]) => el("th", { class: kind, scope: "col" }, text));
  const rows = steps.flatMap((step, at) => stepRows(road, step, at));
  return el("table", { class: "steps" }, el("thead", null, el("tr", null, head)), el("tbody", null, rows));
}

/** What is told of a region while it is folded. */
function regionSummary(road, number, steps) {
  if (!steps.length) return [el("b", null, `Region ${number + 1}`), el("small", null, " not reached")];
  const [first, last] = [steps[0], steps.at(-1)];
  const { bag, gear, hearts } = first.before;
  const parts = [count(hearts, "heart"), bag.length ? bagWords(bag) : "", gear.length ? gearWords(road, gear) : ""];
  const came = parts.filter(Boolean).join(", ");
  const regret = regretIn(steps);
  return [
    el("b", null, `Region ${number + 1}`),
    regret ? el("span", { class: "wrong" }, ` ✕ regret ${lengthOf(regret)}`) : null,
    el("small", null, ` clock ${whole(first.clock - first.time)} to ${whole(last.clock)}; came with ${came}`),
  ];
}

/** What stands in an open region. */
function regionContent(road, number, steps, end) {
  const wrong = steps.flatMap(({ mistake }, at) => (mistake ? [at + 1] : []));
  return el(
    "div",
    { class: "region" },
    el("div", { class: "sited" }, regionMap(road, number, steps, { wrong }), siteList(road, number, steps, { wrong })),
    el("div", null, steps.length ? stepTable(road, steps) : null, end ? el("p", { class: "note" }, end) : null),
  );
}

/** A region that is drawn when it is first opened. */
function regionFold(road, number, steps, end) {
  const fold = el("details", { class: "fold" }, el("summary", null, regionSummary(road, number, steps)));
  fold.addEventListener("toggle", () => {
    if (fold.open && fold.children.length === 1) fold.append(regionContent(road, number, steps, end));
  });
  return fold;
}

/** The regions that are open at first: all of a few, otherwise the first with mistakes, and where the plan broke. */
function openAtFirst(regions, brokeIn) {
  if (regions.length <= FEW_REGIONS) return regions.map((_, at) => at);
  const wrong = regions.flatMap((steps, at) => (regretIn(steps) ? [at] : [])).slice(0, MOST_OPEN);
  return brokeIn === null ? wrong : [...new Set([...wrong, brokeIn])];
}

/** A button for each region, which opens it; those with mistakes tell their regret. */
function regionButtons(regions, folds) {
  const show = at => {
    folds[at].open = true;
    folds[at].scrollIntoView({ block: "start" });
    folds[at].firstElementChild.focus({ preventScroll: true });
  };
  const buttons = regions.map((steps, at) => {
    const regret = regretIn(steps);
    const end = steps.length ? "" : ", not reached";
    const name = `Region ${at + 1}${regret ? `, regret ${lengthOf(regret)}` : ""}${end}`;
    const look = regret ? "chip bad" : steps.length ? "chip" : "chip unreached";
    const cost = regret ? el("small", null, `✕${lengthOf(regret)}`) : null;
    const button = el("button", { type: "button", class: look, "aria-label": name, title: name }, at + 1, cost);
    button.addEventListener("click", () => show(at));
    return button;
  });
  return roving(el("div", { class: "chips", role: "group", "aria-label": "Regions" }, buttons), buttons);
}

/** What a policy does in all of its walks, and which of them is drawn. */
function policyWords({ time, least, ended, mistakes, regret, choices }, { walk, times }) {
  const which = ended === "arrived" ? "the one that loses most" : "the first that does not arrive";
  const drawn = `Walk ${walk} of the policy, ${which}, takes ${whole(times.reduce((sum, each) => sum + each, 0))}.`;
  const expected = `The policy is expected to take ${lengthOf(time)}, and the least is ${lengthOf(least)}.`;
  const took = time === null ? "" : ` ${expected}`;
  const judged = `${whole(mistakes)} of its ${count(choices, "decision")} ${mistakes === 1 ? "is" : "are"} misjudged`;
  return `${drawn}${took} In all walks ${judged}, which costs ${lengthOf(regret)} on average.`;
}

function roadWords({ details, events }) {
  if (details.mode === "policy") return policyWords(details, events);
  const { time, least, ended, mistakes, regret, choices } = details;
  const begin = ended === "arrived" ? "The plan takes" : "As far as it goes, the plan takes";
  const took = `${begin} ${whole(time)}; the least time of the road is ${whole(least)}.`;
  if (mistakes === null) return `${took} Its decisions were not judged.`;
  if (!mistakes) return `${took} None of its ${count(choices, "decision")} is misjudged.`;
  const judged = `${whole(mistakes)} of its ${count(choices, "decision")} ${mistakes === 1 ? "is" : "are"} misjudged`;
  return `${took} ${judged}, and cost ${whole(regret)} together.`;
}

function roadSection({ details, events }, road, draws) {
  const steps = walkRoad(road, events.actions, draws);
  const regions = stepsByRegion(road, steps, events);
  const differsAt = differingAction(events, steps);
  const isBroken = details.ended !== "arrived";
  const last = steps.length ? steps.at(-1).after.region : 0;
  const brokeIn = isBroken ? Math.min(last, road.regions.length - 1) : null;
  const folds = regions.map((own, at) => regionFold(road, at, own, at === brokeIn ? details.end_reason : null));
  openAtFirst(regions, brokeIn).forEach(at => {
    folds[at].open = true;
  });
  const setAll = open => () => folds.forEach(fold => (fold.open = open));
  return el(
    "section",
    { class: "road" },
    el("h2", null, "The road"),
    el("p", null, roadWords({ details, events })),
    differsAt === null ? null : differs(differsAt + 1),
    regionButtons(regions, folds),
    el(
      "p",
      null,
      el("button", { type: "button", class: "quiet", onclick: setAll(true) }, "Open all"),
      " ",
      el("button", { type: "button", class: "quiet", onclick: setAll(false) }, "Fold all"),
    ),
    el("details", { class: "fold" }, el("summary", null, "Gear and limits"), roadRules(road)),
    folds,
  );
}

PANELS.journey = {
  facts: row => JOURNEY_FACTS.map(([name, show]) => [name, show(row.details)]),
  ended: ({ details: { end_reason: reason, end_line: line } }) =>
    reason && `The plan ended${line ? ` in line ${line}` : ""}: ${reason}`,
  show: (sample, full, given) => {
    const { no_replay: why, draws } = full.panel;
    const section = () => roadSection(full.row, given.road, draws);
    return { nodes: [why || !given ? el("p", { class: "hint" }, why || DASH) : section()], player: null };
  },
  texts: (full, given) => [
    ["A plan of the least time (the task's certificate)", given && given.certificate, "certificate"],
  ],
};
