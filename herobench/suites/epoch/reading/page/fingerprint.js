// The pipeline fingerprint: how the games of each run ended, as shares, the most successful run first.

/** Ways to end in the order of the bar, each with its class of colour: green, blue, yellow, red, then the others. */
const ENDS = [
  "SOLVED",
  "LATE",
  "TEMPORAL_DECAY",
  "MAX_STEPS",
  "MAX_INVALID_STREAK",
  "LOOP_DETECTED",
  "STAGNATION",
  "LLM_DONE_EARLY",
  "LLM_STUCK",
  "NOT_OVER",
  "API_FAILURE",
];
const endOf = sample => {
  if (sample.outcome === "unmeasured") return "API_FAILURE";
  return sample.failure === "late" ? "LATE" : sample.stop_reason || "NOT_OVER";
};
const endName = end => ({ NOT_OVER: "not over", LATE: "solved too late" })[end] || spaced(end);
/** The filters of the table that choose the games that ended so. */
const endFilter = end =>
  ({
    SOLVED: { outcome: "win" },
    LATE: { failure: "late" },
    API_FAILURE: { outcome: "unmeasured" },
    NOT_OVER: { failure: "unfinished" },
  })[end] || { stop_reason: end };

/** The runs with their counts of ends. */
function endings() {
  const rows = RUNS.map((run, number) => {
    const own = SAMPLES.filter(sample => sample.run === number);
    const counts = new Map(ENDS.map(end => [end, own.filter(sample => endOf(sample) === end).length]));
    return { run, number, counts, games: own.length, solved: counts.get("SOLVED") / (own.length || 1) };
  });
  return rows.sort((a, b) => b.solved - a.solved || a.number - b.number);
}

const endPatterns = () =>
  svg(
    "defs",
    null,
    ENDS.map((end, number) =>
      svg(
        "pattern",
        { id: `end-${end}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        svg("rect", { class: `ground end${number}`, width: 8, height: 8 }),
        svg("g", { class: "texture" }, TEXTURES[number % TEXTURES.length]()),
      ),
    ),
  );

function endPart({ run, number, counts, games }, end, x, width, y) {
  const times = counts.get(end);
  const label = `${run.name}: ${endName(end)} ${times} of ${games} (${percent(times / games)} %)`;
  return choosable(
    { class: "part" },
    label,
    () => TABLE.choose({ run: String(number), ...endFilter(end) }),
    svg("rect", { fill: `url(#end-${end})`, x, y, width: Math.max(0.5, width - 1), height: 22 }),
    width > String(times).length * 8 + 6
      ? svg("text", { x: x + width / 2, y: y + 16, "text-anchor": "middle" }, times)
      : null,
  );
}

function fingerprint(width) {
  const row = 50;
  const bars = endings().map((one, place) => {
    const scale = linear(0, one.games, 0, width);
    let done = 0;
    const parts = ENDS.filter(end => one.counts.get(end)).map(end => {
      const x = scale(done);
      done += one.counts.get(end);
      return endPart(one, end, x, scale(done) - x, place * row + 20);
    });
    const { models, tokens } = one.run.figures;
    const about = [...models.filter(model => model !== one.run.name), known(tokens, v => `${whole(v)} output tokens a game`)];
    const told = about.filter(text => text !== DASH).join(", ");
    return [
      svg("text", { class: "name", x: 0, y: place * row + 14 }, fitted(one.run.name, width * 0.6)),
      svg("text", { x: width, y: place * row + 14, "text-anchor": "end" }, fitted(told, width * 0.4)),
      parts,
    ];
  });
  return choosableDrawing(width, RUNS.length * row, "How games ended; the figures follow as a table.", endPatterns(), bars);
}

const endLegend = () =>
  el(
    "ul",
    { class: "legend" },
    ENDS.filter(end => SAMPLES.some(sample => endOf(sample) === end)).map(end =>
      el(
        "li",
        null,
        svg(
          "svg",
          { width: 16, height: 16, class: "part", "aria-hidden": "true" },
          svg("rect", { fill: `url(#end-${end})`, x: 1, y: 1, width: 14, height: 14 }),
        ),
        endName(end),
      ),
    ),
  );

const endTable = () =>
  asTable(
    ["run", "games", ...ENDS.map(endName), "output tokens, mean"],
    endings().map(({ run, games, counts }) => [
      run.name,
      games,
      ...ENDS.map(end => counts.get(end)),
      whole(run.figures.tokens),
    ]),
  );

function fingerprintCard() {
  const note = "The pipeline fingerprint: shares of all games of a run, with the most solved first. Choose a part for its games.";
  const card = chartCard("How games ended", note, fingerprint, endLegend(), endTable());
  card.classList.add("whole");
  return card;
}
