// What attempts came to: a bar for each run, by failure class.

const USUAL = INDEX.failures;
const TOTALS = new Map();
RUNS.forEach(run =>
  Object.entries(run.figures.failures).forEach(([name, times]) => TOTALS.set(name, (TOTALS.get(name) || 0) + times)),
);
const usual = name => (USUAL.includes(name) ? USUAL.indexOf(name) : USUAL.length);
/** The suite's classes in the suite's order, any others from the most frequent on. */
const FAILURES = [...TOTALS.keys()].sort(
  (a, b) => usual(a) - usual(b) || TOTALS.get(b) - TOTALS.get(a) || compare(a, b),
);

/** Hues of failures: not the green of what was won. Each has a texture of its own besides. */
const FAILURE_HUES = [0, 1, 5, 3, 4, 6];
/** More classes than can be told apart in a bar: the rarest go together. */
const CROWDED = FAILURES.length > FAILURE_HUES.length;
const FREQUENT = [...FAILURES].sort((a, b) => TOTALS.get(b) - TOTALS.get(a)).slice(0, FAILURE_HUES.length);
const IN_BAR = FAILURES.filter(name => FREQUENT.includes(name));
const REST = "all other failures";

const TEXTURES = [
  () => [],
  () => [svg("path", { d: "M-1 1L1 -1M0 8L8 0M7 9L9 7" })],
  () => [svg("circle", { cx: 2, cy: 2, r: 1.1 }), svg("circle", { cx: 6, cy: 6, r: 1.1 })],
  () => [svg("path", { d: "M0 2H8M0 6H8" })],
  () => [svg("path", { d: "M-1 7L1 9M0 0L8 8M7 -1L9 1M0 8L8 0" })],
  () => [svg("path", { d: "M2 0V8M6 0V8" })],
];

function textures() {
  return svg(
    "svg",
    { class: "defs", width: 0, height: 0, "aria-hidden": "true" },
    svg(
      "defs",
      null,
      TEXTURES.map((lines, number) =>
        svg(
          "pattern",
          { id: `texture${number}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
          svg("rect", { class: `ground ${hue(FAILURE_HUES[number])}`, width: 8, height: 8 }),
          svg("g", { class: "texture" }, lines()),
        ),
      ),
    ),
  );
}

/** The parts of a run's bar: name, how many, how it is filled, and which samples of the run they are. */
function partsOf(figures) {
  const failures = IN_BAR.map((name, number) => [
    spaced(name),
    figures.failures[name] || 0,
    { fill: `url(#texture${number})` },
    { failure: name },
  ]);
  const rest = Object.values(figures.failures).reduce((a, b) => a + b, 0) - failures.reduce((sum, p) => sum + p[1], 0);
  const others = CROWDED ? [[REST, rest, { class: "rest" }, { outcome: "lose" }]] : [];
  return [
    ["won", figures.wins, { class: "won" }, { outcome: "win" }],
    ...failures,
    ...others,
    ["unmeasured", figures.unmeasured, { class: "unmeasured" }, { outcome: "unmeasured" }],
  ];
}

function compositionChart(width) {
  const row = 50;
  const bars = RUNS.map((run, number) => {
    const scale = linear(0, run.figures.attempts, 0, width);
    let done = 0;
    const parts = partsOf(run.figures)
      .filter(part => part[1])
      .map(([name, times, look, which]) => {
        const [x, end] = [scale(done), scale((done += times))];
        const share = percent(times / run.figures.attempts);
        return choosable(
          { class: "part" },
          `${run.name}: ${name} ${times} of ${run.figures.attempts} (${share} %)`,
          () => TABLE.choose({ run: String(number), ...which }),
          svg("rect", { ...look, x, y: number * row + 20, width: Math.max(0.5, end - x - 1), height: 22 }),
          end - x > String(times).length * 8 + 6
            ? svg("text", { x: (x + end) / 2, y: number * row + 36, "text-anchor": "middle" }, times)
            : null,
        );
      });
    return [svg("text", { class: "name", x: 0, y: number * row + 14 }, run.name), parts];
  });
  return choosableDrawing(width, RUNS.length * row, "What attempts came to; the figures follow as a table.", bars);
}

function compositionLegend() {
  const sums = new Map();
  RUNS.forEach(run =>
    partsOf(run.figures).forEach(([name, times, look]) => sums.set(name, [(sums.get(name) || [0])[0] + times, look])),
  );
  return el(
    "ul",
    { class: "legend" },
    [...sums]
      .filter(([, [times]]) => times)
      .map(([name, [, look]]) =>
        el(
          "li",
          null,
          svg(
            "svg",
            { width: 16, height: 16, class: "part", "aria-hidden": "true" },
            svg("rect", { ...look, x: 1, y: 1, width: 14, height: 14 }),
          ),
          name,
        ),
      ),
  );
}

const compositionTable = () =>
  asTable(
    ["run", ...(RUNS.length ? partsOf(RUNS[0].figures).map(p => p[0]) : [])],
    RUNS.map(run => [run.name, ...partsOf(run.figures).map(p => p[1])]),
  );
