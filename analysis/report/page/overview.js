// The first page: headline figures, charts, and below them the table of all samples.

const under = text => (text === DASH ? null : el("small", null, text));
const meanOf = ({ mean, low, high }) => [
  tenth(mean),
  under(low === null ? DASH : `${tenth(low)} to ${tenth(high)}`),
];
const HEADLINES = [
  ["Attempts", figures => whole(figures.attempts)],
  ["Unmeasured", figures => whole(figures.unmeasured)],
  ["Success %", figures => percent(figures.rate), "strong"],
  ["95 % interval", figures => interval(figures)],
  ["Success, unmeasured as lost", figures => [percent(figures.of_all.rate), under(interval(figures.of_all))]],
  ["Score", figures => meanOf(figures.score)],
  ["Score, unmeasured as 0", figures => meanOf(figures.score_of_all)],
  ["Progress", figures => meanOf(figures.progress)],
  ["Tokens, mean", figures => whole(figures.tokens)],
  ["Cut off %", ({ cut_off }) => (cut_off.of ? percent(cut_off.attempts / cut_off.of) : DASH)],
  ["Cost, total", figures => money(figures.cost)],
  ["Output tokens a win", figures => whole(figures.tokens_per_win)],
  ["Cost a win", figures => money(figures.cost_per_win)],
];
/** Columns that are left out where no run has anything to say in them. */
const ONLY_WHERE = {
  Unmeasured: figures => figures.unmeasured,
  "Success, unmeasured as lost": figures => figures.unmeasured,
  "Score, unmeasured as 0": figures => figures.unmeasured,
  Progress: figures => figures.progress.mean !== null,
  "Tokens, mean": figures => figures.tokens !== null,
  "Cut off %": figures => figures.cut_off.attempts,
  "Cost, total": figures => figures.cost !== null,
  "Output tokens a win": figures => figures.tokens_per_win !== null,
  "Cost a win": figures => figures.cost_per_win !== null,
};

/** What a suite says of all samples of a run beside the main figures, in sentences: a row a figure, a column a run. */
function remarks() {
  const labels = [...new Set(RUNS.flatMap(run => Object.keys(run.remarks)))];
  if (!labels.length) return null;
  const left = RUNS.some(run => run.uncounted);
  const figures = [...(left ? ["not counted"] : []), ...labels];
  const said = run => ({ "not counted": whole(run.uncounted), ...run.remarks });
  const cells = name => RUNS.map(run => el("td", { "data-name": run.name }, said(run)[name] ?? DASH));
  const heads = ["Figure", ...RUNS.map(run => run.name)].map(name => el("th", { scope: "col" }, name));
  const rows = figures.map(name => el("tr", null, el("th", { scope: "row" }, titled(name)), cells(name)));
  const about = `Over all attempts.${left ? " Those that are not counted are in no other figure." : ""}`;
  return el(
    "div",
    { class: "scroll", tabindex: 0 },
    el(
      "table",
      { class: "headlines", id: "remarks" },
      el("caption", null, about),
      el("thead", null, el("tr", null, heads)),
      el("tbody", null, rows),
    ),
  );
}

function headlines() {
  const shown = HEADLINES.filter(([name]) => !ONLY_WHERE[name] || RUNS.some(run => ONLY_WHERE[name](run.figures)));
  const cells = figures =>
    shown.map(([name, show, look]) => el("td", { class: `num ${look || ""}`, "data-name": name }, show(figures)));
  return el(
    "table",
    { class: "headlines", id: "headlines" },
    el(
      "caption",
      null,
      RUNS.some(run => run.figures.unmeasured)
        ? "Success and score are of the attempts that got a reply; beside them of all, as if the others had been lost. "
        : null,
      `Small figures are 95 % intervals${REPEATS ? ", clustered by task where tasks were tried more than once" : ""}.`,
    ),
    el(
      "thead",
      null,
      el(
        "tr",
        null,
        el("th", { scope: "col" }, "Run"),
        shown.map(([name]) => el("th", { scope: "col", class: "num" }, name)),
      ),
    ),
    byHelp(
      (run, number) => el("tr", null, el("th", { scope: "row" }, runName(run, number)), cells(run.figures)),
      shown.length + 1,
    ),
  );
}

/** The rows of all runs by the help that models had: figures of models that had different help stand apart. */
function byHelp(row, width) {
  const kinds = [...new Set(RUNS.map(run => run.help))];
  return kinds.map(help =>
    el(
      "tbody",
      null,
      kinds.length > 1
        ? el("tr", null, el("th", { scope: "rowgroup", colspan: width }, `help: ${help || DASH}`))
        : null,
      RUNS.map((run, number) => (run.help === help ? row(run, number) : null)),
    ),
  );
}

const runMark = number =>
  svg("svg", { width: 14, height: 14, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, marker(number, 0, 0, 5));

function runName(run, number) {
  const models = run.figures.models.filter(model => model !== run.name);
  const told = Object.entries(run.told).map(([name, values]) =>
    values.length ? `${spaced(name)} ${values.join(" and ")}` : `${spaced(name)} not recorded`,
  );
  const about = [...models, ...(run.dataset ? [`dataset ${run.dataset}`] : []), ...told].join(", ");
  return [RUNS.length < 2 ? null : runMark(number), el("span", { class: "run" }, run.name), el("small", null, about)];
}

function compositionCard() {
  const note = "Shares of all attempts of a run; the numbers are attempts. Choose a part for its samples.";
  const card = chartCard("What attempts came to", note, compositionChart, compositionLegend(), compositionTable());
  card.classList.add("whole");
  return card;
}

/** The cards that stand two in a row; the last of an odd number has a row of its own. */
function smallCards() {
  const names = RUNS.map(run => run.name);
  const method = REPEATS ? "Wilson's, or clustered by task" : "Wilson's";
  const cards = [
    chartCard(
      `Success by ${GROUP_WORD}`,
      `Of measured attempts, with 95 % intervals (${method}). Choose a point for its samples.`,
      successChart,
      legend(names),
      successTable(),
    ),
    BINS.length
      ? chartCard(
          "Tokens against success",
          "Attempts in groups of equal size by the tokens of the answer.",
          tokenChart,
          legend(names, number => RUNS[number].figures.token_bins.length),
          tokenTable(),
        )
      : null,
    costCard(INDEX.tradeoff),
  ].filter(Boolean);
  if (cards.length % 2) cards.at(-1).classList.add("whole");
  return cards;
}

function charts() {
  return el(
    "div",
    { class: "cards" },
    smallCards(),
    horizonCard(),
    radarCard(),
    panel().cards(),
    compositionCard(),
    heatCard(),
  );
}

/** How many runs have their main figure above all others; of more it is in the table only. */
const MOST_HEADED = 4;
const MOST_CAUSES = 3;

/** The figure that ranks a run, with its interval, as the suite says it; null for a suite that ranks by the horizon. */
function rankedFigure(run) {
  const words = INDEX.ranked_by && run.remarks[INDEX.ranked_by];
  if (!words) return null;
  const [, figure, around] = /^(.*?)(?: \((.*)\))?$/.exec(words);
  return [`${figure} ${INDEX.ranked_by}`, around || DASH];
}

/** The main figure of a run, the one that ranks it, or its horizon where it is determined, or its success. Then comes
 * the horizon, if that is not the one, and what the run lost by. */
function headed(run, number) {
  const told = run.figures.horizon;
  const reached = told && told.verdict !== "not determined";
  const horizon = reached ? [`${reachedLength(told)} ${UNIT}`, aroundLength(told)] : null;
  const ranked = rankedFigure(run);
  const [figure, around] = ranked || horizon || [`${percent(run.figures.rate)} % won`, interval(run.figures)];
  const beside = ranked && horizon ? `: ${horizon.filter(text => text !== DASH).join(", ")}` : "";
  return el(
    "div",
    { class: "headed" },
    RUNS.length > 1 ? el("p", { class: "hint" }, runMark(number), ` ${modelOf(run)}`) : null,
    el("p", { class: "main" }, figure, " ", around === DASH ? null : el("small", null, around)),
    el("p", null, reached ? `The horizon${beside}: the length at which half of the attempts succeed.` : null),
    lostBy(run.figures),
  );
}

/** A horizon outside the range of lengths is known by the end of the range only. */
const reachedLength = ({ verdict, h50, shortest, longest }) =>
  ({ "beyond the range": `over ${lengthOf(longest)}`, "below the range": `under ${lengthOf(shortest)}` })[verdict] ||
  lengthOf(h50.estimate);
const aroundLength = ({ verdict, h50 }) => (verdict === "determined" ? endsOf(h50) || DASH : DASH);

const modelOf = ({ name, figures }) => (figures.models.length === 1 ? figures.models[0] : name);

/** The causes by which most attempts were lost, in words. */
function lostBy(figures) {
  const causes = Object.entries(figures.causes).sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
  if (!causes.length) return null;
  const told = causes.slice(0, MOST_CAUSES).map(([name, times]) => `${spaced(name)} (${whole(times)})`);
  const more = causes.length > MOST_CAUSES ? ", and others" : "";
  return el("p", null, `Lost most often: ${told.join(", ")}${more}.`);
}

function headings() {
  if (RUNS.length > MOST_HEADED || RUNS.every(run => !run.figures.count)) return null;
  const apart = INDEX.comparison.map(text => el("p", null, text));
  return el("section", { id: "headed", "aria-label": "Main figures" }, el("div", null, RUNS.map(headed)), apart);
}

function titleOfPage() {
  if (RUNS.length !== 1) return el("h1", { tabindex: -1 }, `${RUNS.length} runs`);
  const [{ name }] = RUNS;
  const model = modelOf(RUNS[0]);
  return el("h1", { tabindex: -1 }, model, model === name ? null : el("small", null, ` ${name}`));
}

function overview() {
  const notes = INDEX.notes.map(text => el("p", { class: "note" }, text));
  const measured = RUNS.some(run => run.figures.count);
  return [
    titleOfPage(),
    headings(),
    notes,
    RUNS.length ? headlines() : null,
    remarks(),
    measured ? [textures(), charts()] : null,
    SAMPLES.length ? TABLE.node : null,
  ];
}
