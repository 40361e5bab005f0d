// The first page of a leaderboard: a table for each part that is ranked together, and success against cost. The order
// stands in the address, #?sort=-score. Replays are the report's: #sample/RUN/TASK/EPOCH.

const span = (ends, show) => (ends.low === null ? null : el("small", null, `${show(ends.low)} to ${show(ends.high)}`));
const signed = value => known(value, v => `${v > 0 ? "+" : v < 0 ? "−" : ""}${Math.abs(v).toFixed(1)}`);
const withSpan = (ends, show) => [show(ends.estimate), span(ends, show)];
const successOf = rate => [percent(rate.rate), span(rate, percent)];

/** The horizon as the report words it: outside the range of lengths only the end of the range is known. */
function horizonOf({ horizon }) {
  if (!horizon) return DASH;
  const { verdict, h50, shortest, longest } = horizon;
  if (verdict === "not determined") return [DASH, el("small", null, verdict)];
  if (verdict === "determined") return [lengthOf(h50.estimate), span(h50, openLength)];
  return verdict === "beyond the range" ? `over ${lengthOf(longest)}` : `under ${lengthOf(shortest)}`;
}
const openLength = value => (value === null ? "open" : lengthOf(value));

/** What rows are sorted by: a horizon beyond the range is farther than all that are determined. */
function reachOf({ horizon }) {
  if (!horizon || horizon.verdict === "not determined") return null;
  if (horizon.verdict === "below the range") return 0;
  return horizon.verdict === "determined" ? horizon.h50.estimate : horizon.longest;
}

const replayLink = run =>
  run.replay === null ? DASH : el("a", { href: addressOf(SAMPLE_OF[run.replay]), class: "replay-link" }, "replay");
const SAMPLE_OF = Object.fromEntries(SAMPLES.map(sample => [sample.number, sample]));

const isPaid = run => run.economy.tokens_per_success !== null || run.economy.cost_per_success !== null;

/**
 * The columns, left out where `when` holds for no run. `down` is for figures of which more is better: they are sorted
 * from the best first.
 */
const BOARD_FIELDS = [
  { name: "rank", title: "Rank", value: run => run.rank, show: run => run.rank },
  { name: "run", title: "Model", value: run => run.model || run.name, show: runName, head: true },
  {
    name: "success",
    title: "Success %",
    down: true,
    value: run => run.figures.rate,
    show: run => successOf(run.figures),
  },
  {
    name: "horizon",
    title: INDEX.length ? `Horizon, ${spaced(INDEX.length)}` : "Horizon",
    down: true,
    value: reachOf,
    show: horizonOf,
    when: run => run.horizon,
  },
  {
    name: "score",
    title: "Score",
    down: true,
    value: run => run.score.estimate,
    show: run => withSpan(run.score, tenth),
  },
  {
    name: "fresh",
    title: "Fresh %",
    down: true,
    value: run => run.fresh && run.fresh.success.estimate,
    show: run => (run.fresh ? withSpan(run.fresh.success, tenth) : DASH),
    when: run => run.fresh,
  },
  {
    name: "gap",
    title: "Fresh less public",
    down: true,
    value: run => run.fresh && run.fresh.difference.estimate,
    show: run => (run.fresh ? withSpan(run.fresh.difference, signed) : DASH),
    when: run => run.fresh,
  },
  {
    name: "tokens",
    title: "Output tokens a win",
    value: run => run.economy.tokens_per_success,
    show: run => whole(run.economy.tokens_per_success),
    when: isPaid,
  },
  {
    name: "cost",
    title: "Cost a win",
    value: run => run.economy.cost_per_success,
    show: run => money(run.economy.cost_per_success),
    when: isPaid,
  },
  {
    name: "samples",
    title: "Attempts",
    down: true,
    value: run => run.samples,
    show: run => [whole(run.samples), run.unmeasured ? el("small", null, `${whole(run.unmeasured)} unmeasured`) : null],
  },
].filter(field => !field.when || RUNS.some(field.when));

function runName(run) {
  const box = { width: 14, height: 14, viewBox: "-8 -8 16 16", "aria-hidden": "true" };
  const sign = svg("svg", box, marker(RUNS.indexOf(run), 0, 0, 5));
  const about = [run.model ? run.name : null, run.agent, run.lane, run.dataset].filter(text => text && text !== run.model);
  return [sign, el("span", { class: "run" }, run.model || run.name), el("small", null, about.join(" · "))];
}

/** The table of one part. */
class PartTable {
  constructor(part, board) {
    this.part = part;
    this.board = board;
    this.runs = part.runs.map(number => RUNS[number]);
    this.heads = BOARD_FIELDS.map(field => this.head(field));
    this.body = el("tbody", { onkeydown: event => this.toRowBeside(event) });
    this.node = el(
      "table",
      { class: "rows board", "aria-label": `Ranking${part.title ? `, ${part.title}` : ""}` },
      el("thead", null, el("tr", null, this.heads, el("th", { scope: "col" }, "Replay"))),
      this.body,
      this.programs(),
    );
  }

  head(field) {
    const arrow = el("span", { class: "arrow", "aria-hidden": "true" });
    const button = el("button", { type: "button", onclick: () => this.board.sortBy(field) }, field.title, arrow);
    return el("th", { scope: "col", class: field.head ? null : "num", "data-field": field.name }, button);
  }

  /** The rows of reference programs: they have no rank, and stay below the others however they are sorted. */
  programs() {
    const { oracle, references } = this.part;
    const rows = [
      ...(oracle ? [this.program(oracle, "what can be reached")] : []),
      ...references.map(program => this.program(program, "a reference program, no model")),
    ];
    return rows.length ? el("tfoot", null, rows) : null;
  }

  program(program, words) {
    const shown = {
      run: [el("span", { class: "run" }, program.model), el("small", null, words)],
      success: successOf(program),
      horizon: horizonOf(program),
      score: withSpan(program.score, tenth),
      samples: whole(program.count),
    };
    const cell = (field, content) => el(field.head ? "th" : "td", { class: field.head ? null : "num" }, content);
    return el(
      "tr",
      { class: "oracle-row" },
      BOARD_FIELDS.map(field => cell(field, shown[field.name] || DASH)),
      el("td", null, DASH),
    );
  }

  show(order) {
    const runs = [...this.runs];
    if (order) {
      const { field, reversed } = order;
      const missing = run => field.value(run) === null || field.value(run) === undefined;
      const way = Boolean(field.down) !== reversed ? -1 : 1;
      runs.sort((a, b) => missing(a) - missing(b) || way * compare(field.value(a), field.value(b)));
    }
    this.heads.forEach((head, number) => {
      const here = order && order.field === BOARD_FIELDS[number];
      if (!here) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", Boolean(order.field.down) !== order.reversed ? "descending" : "ascending");
    });
    this.shown = runs;
    this.body.replaceChildren(...runs.map(run => el("tr", { id: `run${RUNS.indexOf(run)}` }, this.cells(run))));
  }

  cells(run) {
    const cell = field =>
      field.head
        ? el("th", { scope: "row" }, field.show(run))
        : el("td", { class: "num" }, field.show(run));
    return [BOARD_FIELDS.map(cell), el("td", null, replayLink(run))];
  }

  /** The arrows go from replay to replay. */
  toRowBeside(event) {
    const links = [...this.body.querySelectorAll("a")];
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const to = way && links[links.indexOf(event.target) + way];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}

/** All tables, in one order. */
class Board {
  constructor() {
    this.order = null;
    this.tables = INDEX.parts.map(part => new PartTable(part, this));
    this.node = el("div", null, this.tables.map(table => this.section(table)));
    this.refresh();
  }

  section(table) {
    const { part } = table;
    return el(
      "section",
      null,
      part.title ? el("h2", null, part.title) : null,
      el("div", { class: "scroll" }, table.node),
      el("div", { class: "cards" }, costCard(part.tradeoff, part.runs, number => this.toRow(number))),
    );
  }

  toRow(number) {
    const row = byId(`run${number}`);
    row.scrollIntoView({ block: "center" });
    const link = row.querySelector("a");
    if (link) link.focus({ preventScroll: true });
  }

  sortBy(field) {
    const again = this.order && this.order.field === field;
    this.order = again && this.order.reversed ? null : { field, reversed: Boolean(again) };
    this.refresh();
    history.pushState(null, "", this.address());
  }

  refresh() {
    this.tables.forEach(table => table.show(this.order));
  }

  address() {
    return this.order ? `#?sort=${this.order.reversed ? "-" : ""}${this.order.field.name}` : "#";
  }

  read(hash) {
    const sort = new URLSearchParams(hash.startsWith("#?") ? hash.slice(2) : "").get("sort") || "";
    const field = BOARD_FIELDS.find(one => one.name === sort.replace(/^-/, ""));
    this.order = field ? { field, reversed: sort.startsWith("-") } : null;
    this.refresh();
  }

  focusOn(sample) {
    this.toRow(sample.run);
  }

  /** The replays of the models before and after, in the order that is shown. */
  beside(sample) {
    const shown = this.tables.flatMap(table => table.shown).filter(run => run.replay !== null);
    const at = shown.indexOf(RUNS[sample.run]);
    return [shown[at - 1], shown[at + 1]].map(run => run && SAMPLE_OF[run.replay]);
  }
}

const TABLE = new Board();

function overview() {
  const fresh = RUNS.some(run => run.fresh);
  const words = [
    "Small figures are 95 % intervals. The horizon is the length of a task at which half of the attempts succeed.",
    fresh ? "Fresh: success on private twins of the public tasks, and the difference, task by task." : null,
    "A replay is of the longest task that a model won; without a win, of the attempt that got farthest.",
  ];
  return [
    el("h1", { tabindex: -1 }, "Leaderboard"),
    INDEX.notes.map(text => el("p", { class: "note" }, text)),
    INDEX.parts.some(part => part.oracle) ? null : el("p", { class: "hint" }, "No rows of the oracle were handed in."),
    TABLE.node,
    el("p", { class: "hint" }, words.filter(Boolean).join(" ")),
  ];
}
