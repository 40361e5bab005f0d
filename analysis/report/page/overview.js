// The first page: headline figures, charts, and below them the table of all samples.

const HEADLINES = [
  ["Attempts", figures => whole(figures.attempts)],
  ["Unmeasured", figures => whole(figures.unmeasured)],
  ["Success %", figures => percent(figures.rate), "strong"],
  ["95 % interval", figures => (figures.count ? range(figures.low, figures.high) : DASH)],
  ["Success, unmeasured as lost", figures => percent(figures.of_all.rate)],
  ["Score", figures => tenth(figures.score)],
  ["Score, unmeasured as 0", figures => tenth(figures.score_of_all)],
  ["Progress", figures => tenth(figures.progress)],
  ["Tokens, mean", figures => whole(figures.tokens)],
  ["Cost, total", figures => money(figures.cost)],
];
/** Columns that are left out where no run has anything to say in them. */
const ONLY_WHERE = {
  Unmeasured: figures => figures.unmeasured,
  "Success, unmeasured as lost": figures => figures.unmeasured,
  "Score, unmeasured as 0": figures => figures.unmeasured,
  "Tokens, mean": figures => figures.tokens !== null,
  "Cost, total": figures => figures.cost !== null,
};

function headlines() {
  const any = RUNS.some(run => run.figures.unmeasured);
  const shown = HEADLINES.filter(([name]) => !ONLY_WHERE[name] || RUNS.some(run => ONLY_WHERE[name](run.figures)));
  const cells = figures =>
    shown.map(([name, show, look]) => el("td", { class: `num ${look || ""}`, "data-name": name }, show(figures)));
  return el(
    "table",
    { class: "headlines", id: "headlines" },
    el(
      "caption",
      null,
      any
        ? "Success and score are of the attempts that got a reply; beside them of all, as if the others had been lost."
        : "Every attempt got a reply, so there is one way to count.",
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
    el(
      "tbody",
      null,
      RUNS.map((run, number) => el("tr", null, el("th", { scope: "row" }, runName(run, number)), cells(run.figures))),
    ),
  );
}

function runName(run, number) {
  const models = run.figures.models.filter(model => model !== run.name);
  const about = [...models, `rules ${run.rules}`, `world ${INDEX.worlds[run.world].name}`].join(", ");
  const sign =
    RUNS.length < 2
      ? null
      : svg("svg", { width: 14, height: 14, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, marker(number, 0, 0, 5));
  return [sign, el("span", { class: "run" }, run.name), el("small", null, about)];
}

function chartCard(title, note, draw, ...below) {
  const place = el("div", { class: "chart" });
  const drawn = drawToWidth(place, draw);
  return {
    card: el("section", { class: "card" }, el("h2", null, title), el("p", { class: "hint" }, note), place, ...below),
    drawn,
  };
}

const emptyCard = (title, why) =>
  el("section", { class: "card" }, el("h2", null, title), el("p", { class: "hint" }, why));
const runNames = () => RUNS.map(run => run.name);

function heatCard() {
  const title = "Failures by bracket";
  if (!FAILURES.length) return emptyCard(title, "No failures.");
  const state = {
    run: Math.max(
      0,
      RUNS.findIndex(run => Object.keys(run.figures.failures).length),
    ),
  };
  const below = el("div", null, heatTable(state.run));
  const { card, drawn } = chartCard(
    title,
    "How many, and by the depth of the colour which share of the bracket. Choose a cell to see its samples below.",
    width =>
      heatChart(width, state.run, (run, bracket, failure) => TABLE.choose({ run: String(run), bracket, failure })),
    below,
  );
  const change = event => {
    state.run = Number(event.target.value);
    drawn.redraw();
    below.replaceChildren(heatTable(state.run));
  };
  if (RUNS.length > 1) {
    const options = RUNS.map((run, number) =>
      el("option", { value: number, selected: number === state.run }, run.name),
    );
    card
      .querySelector("h2")
      .after(el("label", { class: "field" }, "Run ", el("select", { id: "heat-run", onchange: change }, options)));
  }
  return card;
}

function failureCard() {
  const title =
    INDEX.failure_field === "failure"
      ? "What attempts came to"
      : `What attempts came to, by ${spaced(INDEX.failure_field)}`;
  return chartCard(
    title,
    "Shares of all attempts of a run; the numbers are attempts.",
    compositionChart,
    compositionLegend(),
    compositionTable(),
  ).card;
}

function charts() {
  const names = runNames();
  return el(
    "div",
    { class: "cards" },
    chartCard(
      "Success by difficulty",
      "With 95 % intervals (Wilson), of measured attempts.",
      successChart,
      legend(names),
      successTable(),
    ).card,
    failureCard(),
    heatCard(),
    BINS.length
      ? chartCard(
          "Tokens against success",
          "Attempts in groups of equal size by the tokens of the answer.",
          tokenChart,
          legend(names),
          tokenTable(),
        ).card
      : emptyCard("Tokens against success", "Nobody counted tokens in these runs."),
  );
}

function overview() {
  const title = el("h1", { tabindex: -1 }, RUNS.length === 1 ? RUNS[0].name : `${RUNS.length} runs`);
  if (!SAMPLES.length)
    return [
      title,
      RUNS.length ? headlines() : null,
      el("p", { class: "note" }, "There are no samples in this report."),
    ];
  return [title, textures(), headlines(), charts(), TABLE.node];
}
