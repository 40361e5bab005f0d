// The page of checkups: the horizon first and largest, then a card for each part. One model, or several side by side.

const MODELS = INDEX.models;
const SINGLE = MODELS.length === 1;
/** The names of the parts that a card shows, in their order. */
const namesOf = card => [
  ...new Set(MODELS.flatMap(model => model.parts.filter(part => part.card === card).map(part => part.name))),
];
const [ATOMS, HORIZON_PARTS] = [namesOf("atoms"), namesOf("horizon")];
const ROWS = { left: 118, right: 18, top: 6, row: 24, foot: 24, mark: 13 };

const cardOf = (model, name) => model.parts.find(part => part.name === name);
const firstCard = name => MODELS.map(model => cardOf(model, name)).find(Boolean);
const ends = (one, show) => (one.low === null || one.low === undefined ? "" : ` (${show(one.low)} to ${show(one.high)})`);
const rateText = rate => (!rate || rate.rate === null ? DASH : `${percent(rate.rate)} %${ends(rate, percent)}`);
const scrolling = table => el("div", { class: "scroll", tabindex: 0 }, table);
const card = (title, hint, ...content) =>
  el("section", { class: "card whole" }, el("h2", null, title), hint && el("p", { class: "hint" }, hint), ...content);

// -- the headline -----------------------------------------------------------------------------------------------------

/** The horizon as a large figure, and its interval. Outside the range of lengths only the end of the range is known. */
function reachOf({ horizon }) {
  if (!horizon) return [DASH, "the horizon was not asked"];
  const { verdict, reason, h50, shortest, longest } = horizon;
  if (verdict === "beyond the range") return [`over ${lengthOf(longest)}`, REASONS[reason] || "beyond the longest task"];
  if (verdict === "below the range") return [`under ${lengthOf(shortest)}`, REASONS[reason] || "below the shortest task"];
  if (verdict === "not determined") return ["not determined", REASONS[reason] || reason];
  const open = value => (value === null ? "open" : lengthOf(value));
  return [lengthOf(h50.estimate), `95 % interval: ${open(h50.low)} to ${open(h50.high)}`];
}

const REASONS = {
  "few tasks": "fewer than 40 tasks are measured",
  "no curve fits": "success does not fall with length as the curves do",
  "no half": "success falls with length, but never below a half",
  "does not fall": "success is flat: it does not surely fall with length",
  "won nothing": "nothing was won: the report's failures say what it mostly failed by",
  "covers all lengths": "the interval covers all lengths",
};

function reachBlock(model) {
  const [figure, interval] = reachOf(model);
  const isFigure = /[0-9]/.test(figure);
  return el(
    "p",
    { class: "reach" },
    el("strong", { class: isFigure ? null : "words" }, figure),
    isFigure && el("span", null, ` ${INDEX.unit || ""}`),
    el("small", null, interval),
  );
}

/** The suite's own figures of the part with the horizon, in words. */
function figuresBlock({ figures }) {
  const lines = Object.entries(figures).map(([name, words]) => el("li", null, el("strong", null, titled(name)), `: ${words}`));
  return lines.length ? el("ul", { class: "causes" }, lines) : null;
}

/** Why plans were lost, in words. */
function lossBlock({ loss }) {
  if (!loss) return null;
  if (!loss.lost) return el("p", null, "No plan was lost.");
  return [
    el("p", null, `${count(loss.lost, "plan was", "plans were")} lost. What decided it, most often:`),
    el(
      "ul",
      { class: "causes" },
      loss.causes.map(({ name, count: times, words }) =>
        el("li", null, el("strong", null, `${titled(name)}, ${times} times`), words ? `. ${words}` : ""),
      ),
    ),
  ];
}

const ABOUT_HORIZON = "The horizon is the length of a task at which the model wins half of the time, with nothing told.";

function headline() {
  const ratios = INDEX.ratios.map(told => el("p", { class: "ratio" }, told.words));
  if (SINGLE) return [el("h1", { tabindex: -1 }, MODELS[0].name), reachBlock(MODELS[0]), figuresBlock(MODELS[0]), lossBlock(MODELS[0])];
  return [
    el("h1", { tabindex: -1 }, MODELS.map(model => model.name).join(", ")),
    el(
      "div",
      { class: "models" },
      MODELS.map((model, number) => {
        const box = { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" };
        const name = el("h2", null, svg("svg", box, marker(number, 0, 0, 5)), ` ${model.name}`);
        return el("section", { class: "card" }, name, reachBlock(model), figuresBlock(model), lossBlock(model));
      }),
    ),
    ratios,
  ];
}

/** The ways to the full reports of a part. */
function reportLinks(...names) {
  const links = names.flatMap(name =>
    MODELS.filter(model => cardOf(model, name)?.report).map(model => {
      const { title, report } = cardOf(model, name);
      const whose = SINGLE ? "" : ` of ${model.name}`;
      return el("a", { href: encodeURI(report) }, `Full report: ${title}${whose}`);
    }),
  );
  return links.length ? el("p", { class: "links" }, links) : null;
}

// -- lanes and atoms --------------------------------------------------------------------------------------------------

function horizonPart() {
  if (!HORIZON_PARTS.length) return null;
  const chart = horizonCard();
  const lanes = MODELS.filter(model => model.lanes).map(model => [
    SINGLE ? null : el("h4", null, model.name),
    scrolling(
      plainTable(
        ["lane", "horizon", "95 % interval"],
        Object.entries(model.lanes.horizons).map(([lane, told]) => [
          lane,
          ...reachOf({ horizon: told }).map(text => text.replace("95 % interval: ", "")),
        ]),
        () => false,
      ),
    ),
    el("ul", { class: "causes" }, model.lanes.costs.map(({ more, less, words }) => el("li", null, `${more} over ${less}: ${words}`))),
  ]);
  const told = "each lane tells more of the certified plan; in the last, it only has to be written down.";
  return [
    chart,
    card("What planning costs", `By how much the horizon grows where more of the plan is told; ${told}`, lanes, reportLinks(...HORIZON_PARTS)),
  ];
}

function atomsPart() {
  if (!ATOMS.length) return null;
  const chart = radarCard();
  const words = ATOMS.flatMap(name =>
    MODELS.filter(model => cardOf(model, name)).map(model => {
      const { title, success } = cardOf(model, name);
      return el("li", null, `${title}${SINGLE ? "" : `, ${model.name}`}: ${rateText(success)} right`);
    }),
  );
  const about = ATOMS.map(firstCard).filter(Boolean);
  const below = [
    el("ul", { class: "causes" }, words),
    el("p", { class: "hint" }, `${about.map(({ title, measures }) => `${title}: ${measures}`).join(". ")}. Chance is a player that answers at random; the oracle gives proven answers.`),
    reportLinks(...ATOMS),
  ];
  if (!chart) return card(INDEX.profiled, null, below);
  chart.append(...below.filter(Boolean));
  return chart;
}

// -- parts by group ---------------------------------------------------------------------------------------------------

/** A row for each group, from 0 to 100 %, in it a mark with its interval for each model. */
function groupChart(names, rateOf) {
  return width => {
    const tall = Math.max(ROWS.row, ROWS.mark * MODELS.length + 8);
    const x = linear(0, 1, ROWS.left, width - ROWS.right - 14);
    const bottom = ROWS.top + tall * names.length;
    const y = (row, number) => ROWS.top + tall * row + (tall * (number + 0.5)) / MODELS.length;
    return drawing(
      width,
      bottom + ROWS.foot,
      "Mean score by group in percent, with 95 % intervals; the figures follow as a table.",
      names.map((name, row) => [
        row % 2 ? null : svg("rect", { class: "shaded", x: 0, y: ROWS.top + tall * row, width, height: tall }),
        svg("text", { class: "name", x: ROWS.left - 12, y: ROWS.top + tall * (row + 0.5) + 4, "text-anchor": "end" }, fitted(name, ROWS.left - 16)),
      ]),
      [0, 25, 50, 75, 100].map(value => [
        svg("line", { class: value ? "grid" : "base", x1: x(value / 100), x2: x(value / 100), y1: ROWS.top, y2: bottom }),
        svg("text", { x: x(value / 100), y: bottom + 18, "text-anchor": "middle" }, value === 100 ? "100 %" : value),
      ]),
      names.map((name, row) => MODELS.map((model, number) => groupMark(rateOf(model, name), number, x, y(row, number)))),
    );
  };
}

function groupMark(rate, number, x, y) {
  if (!rate || rate.rate === null) return null;
  const [low, high] = [x(rate.low ?? rate.rate), x(rate.high ?? rate.rate)];
  return svg(
    "g",
    null,
    svg("title", null, `${MODELS[number].name}, ${rate.name}: ${rateText(rate)}`),
    rate.low === null ? null : svg("path", { class: `bar ${hue(number)}`, d: `M${low} ${y}H${high}M${low} ${y - 4}v8M${high} ${y - 4}v8` }),
    marker(number, x(rate.rate), y),
  );
}

const union = lists => [...new Set(lists.flat())];
const head = first => [first, ...MODELS.map(model => model.name)];

function groupsPart(name) {
  const first = firstCard(name);
  const cards = MODELS.map(model => cardOf(model, name));
  const names = union(cards.map(one => (one ? one.groups.map(group => group.name) : [])));
  const rateOf = (model, group) => cardOf(model, name)?.groups.find(one => one.name === group);
  const rows = names.map(group => [group, ...MODELS.map(model => rateText(rateOf(model, group)))]);
  const wins = MODELS.map(model => {
    const found = cardOf(model, name);
    return `${SINGLE ? "Won" : `${model.name} won`}: ${found ? rateText(found.success) : DASH}`;
  });
  const place = el("div", { class: "chart" });
  if (names.length) drawToWidth(place, groupChart(names, rateOf));
  return card(
    first.title,
    `${titled(first.measures)}. Mean scores in percent; bars are 95 % intervals.`,
    place,
    legend(MODELS.map(model => model.name)),
    el("p", null, wins.join("; ")),
    asTable(head("group"), rows, () => true),
    figuresTable(cards),
    reportLinks(name),
  );
}

/** The suite's own figures, such as those of exploration. */
function figuresTable(cards) {
  const remarks = union(cards.map(one => Object.keys(one?.remarks || {})));
  const explored = union(cards.map(one => (one?.exploration || []).map(figure => figure.name)));
  const figure = (one, name) => {
    const found = (one?.exploration || []).find(each => each.name === name);
    const show = value => (Math.abs(value) < 10 ? fixed(value, 2) : tenth(value));
    return found ? `${show(found.estimate)}${ends(found, show)}` : DASH;
  };
  const rows = [
    ...remarks.filter(name => !explored.includes(name)).map(name => [name, ...cards.map(one => one?.remarks[name] || DASH)]),
    ...explored.map(name => [name, ...cards.map(one => figure(one, name))]),
  ];
  if (!rows.length) return null;
  return el(
    "details",
    { class: "figures" },
    el("summary", null, explored.length ? "How it explored, and other figures" : "Other figures"),
    scrolling(plainTable(head("figure"), rows)),
  );
}

// -- what it took, what to see, what was run --------------------------------------------------------------------------

function totalsPart() {
  const heads = ["run", "attempts", "unmeasured", "cut off", "won", "tokens of prompts", "tokens of replies", "cost"];
  const tables = MODELS.map(model => {
    const sum = name => {
      const values = model.totals.map(run => run[name]).filter(value => value !== null);
      return values.length ? values.reduce((a, b) => a + b, 0) : null;
    };
    const rows = model.totals.map(run => [
      run.run,
      whole(run.attempts),
      whole(run.unmeasured),
      `${run.cut_off.attempts} of ${run.cut_off.of}`,
      rateText(run.success),
      whole(run.input_tokens),
      whole(run.output_tokens),
      money(run.cost),
    ]);
    const cut = model.totals.reduce((all, run) => all + run.cut_off.attempts, 0);
    const all = ["all", whole(sum("attempts")), whole(sum("unmeasured")), cut, "", whole(sum("input_tokens")), whole(sum("output_tokens")), money(sum("cost"))];
    return [SINGLE ? null : el("h4", null, model.name), scrolling(plainTable(heads, [...rows, all]))];
  });
  return card("What it took", "The cost is by the user's prices, in their currency. What nobody counted is a dash.", tables);
}

function replaysPart() {
  const lists = MODELS.filter(model => model.replays.length).map(model => [
    SINGLE ? null : el("h4", null, model.name),
    el(
      "ol",
      { class: "replays" },
      model.replays.map(({ why, task, link }) => el("li", null, el("a", { href: link }, why), el("small", null, ` ${task}`))),
    ),
  ]);
  return lists.length ? card("Replays worth seeing", null, lists) : null;
}

function runsPart() {
  const heads = ["run", "tasks", "attempts", "version", "finished", "fingerprint"];
  const tables = MODELS.map(model => [
    SINGLE ? null : el("h4", null, model.name),
    scrolling(
      plainTable(
        heads,
        model.runs.map(run => [run.run, run.tasks || DASH, run.count, run.version || DASH, run.finished || DASH, run.fingerprint]),
        column => column === 2,
      ),
    ),
  ]);
  const hint = "Two parties have the same result if their fingerprints are equal: herobench fingerprint RUN.";
  const made = card("What was run", hint, tables);
  made.classList.add("runs");
  return made;
}

function page() {
  return [
    headline(),
    el("p", { class: "hint" }, `${ABOUT_HORIZON} Figures in brackets are 95 % intervals.`),
    el(
      "div",
      { class: "cards" },
      horizonPart(),
      atomsPart(),
      namesOf("groups").map(groupsPart),
      totalsPart(),
      replaysPart(),
      runsPart(),
    ),
  ];
}

document.title = `HeroBench checkup: ${MODELS.map(model => model.name).join(", ")}`;
byId("overview").append(...page().flat(Infinity).filter(Boolean));
