// Accuracy by kind of task, for suites that have kinds: a radar for each way to grade, a polygon for each run.

const GRADINGS = [...new Set(RUNS.flatMap(run => Object.keys(run.profiles)))];
/** The kinds of which a run has a rate, in the order of the suite. */
const RATES = RUNS.flatMap(run => Object.values(run.profiles).flat());
const SPOKES = [...new Set(RATES.filter(([, rate]) => rate && rate.rate !== null).map(([kind]) => kind))];
const RADAR = { gap: 24, above: 46, beside: 20, most: 150, letters: 14, line: 13 };

/** The words of a kind in lines that are short enough to stand beside a radar. */
const KIND_LINES = Object.fromEntries(
  SPOKES.map(kind => {
    const lines = [];
    for (const word of spaced(kind).split(" ")) {
      const joined = lines.length ? `${lines.at(-1)} ${word}` : word;
      if (lines.length && joined.length <= RADAR.letters) lines[lines.length - 1] = joined;
      else lines.push(word);
    }
    return [kind, lines];
  }),
);
const LONGEST_LINE = Math.max(0, ...Object.values(KIND_LINES).flat().map(widthOf));

const isProfiled = run => Object.keys(run.profiles).length > 0;
const rateOn = (run, grading, kind) => {
  const [, rate] = (run.profiles[grading] || []).find(([name]) => name === kind) || [];
  return rate && rate.rate !== null ? rate : null;
};

/** The radars side by side where there is room, else one below the other. */
function radarChart(width) {
  const across = width < 620 ? 1 : GRADINGS.length;
  const own = (width - RADAR.gap * (across - 1)) / across;
  const radius = Math.max(RADAR.beside, Math.min(RADAR.most, own / 2 - RADAR.beside - LONGEST_LINE));
  const tall = 2 * (radius + RADAR.above);
  return drawing(
    width,
    (GRADINGS.length / across) * tall,
    `${INDEX.profiled} in percent; the figures follow as a table.`,
    GRADINGS.map((grading, number) => {
      const [column, row] = [number % across, Math.floor(number / across)];
      const place = `translate(${column * (own + RADAR.gap) + own / 2} ${row * tall + RADAR.above + radius + 8})`;
      return svg("g", { transform: place }, radar(grading, radius));
    }),
  );
}

/** The lines of a kind: below the lowest point of a radar, above the highest one, else around the end of the spoke. */
function kindLines(kind, x, y, radius) {
  const lines = KIND_LINES[kind];
  const above = y > radius ? 0 : (lines.length - 1) / (y < -radius ? 1 : 2);
  return lines.map((text, line) => svg("tspan", { x, y: y + 4 + RADAR.line * (line - above) }, text));
}

function radar(grading, radius) {
  const turn = place => (2 * Math.PI * place) / SPOKES.length;
  const at = (place, share) => [radius * share * Math.sin(turn(place)), -radius * share * Math.cos(turn(place))];
  const anchor = x => (Math.abs(x) < 1 ? "middle" : x > 0 ? "start" : "end");
  return [
    GRADINGS.length > 1 && svg("text", { class: "name", y: -radius - 34, "text-anchor": "middle" }, grading),
    [25, 50, 75, 100].map(value => svg("circle", { class: "ring", r: (radius * value) / 100 })),
    SPOKES.map((kind, place) => {
      const [[x2, y2], [x, y]] = [at(place, 1), at(place, 1 + 14 / radius)];
      return [
        svg("line", { class: "grid", x2, y2 }),
        svg("text", { "text-anchor": anchor(x) }, kindLines(kind, x, y, radius)),
      ];
    }),
    [25, 50, 75].map(value => svg("text", { class: "axis", x: 3, y: (-radius * value) / 100 - 2 }, value)),
    RUNS.map((run, number) => isProfiled(run) && polygon(run, number, grading, at)),
  ];
}

/** The rates of a run as a closed line, with their intervals along the spokes. */
function polygon(run, number, grading, at) {
  const all = SPOKES.map((kind, place) => ({ place, rate: rateOn(run, grading, kind) }));
  const shown = all.filter(({ rate }) => rate);
  const points = shown.map(({ place, rate }) => at(place, rate.rate));
  const bar = ({ place, rate }) =>
    rate.low === null
      ? ""
      : `M${at(place, Math.max(0, rate.low)).join(" ")}L${at(place, Math.min(1, rate.high)).join(" ")}`;
  return svg(
    "g",
    { class: `polygon ${hue(number)}` },
    svg("title", null, run.name),
    svg("polygon", { class: "band", points: points.map(p => p.join(",")).join(" ") }),
    svg("polygon", { class: "outline", points: points.map(p => p.join(",")).join(" ") }),
    svg("path", { class: `bar ${hue(number)}`, d: shown.map(bar).join("") }),
    points.map(([x, y]) => marker(number, x, y, 3.5)),
  );
}

const radarTable = () =>
  asTable(
    ["figure", "run", ...SPOKES.map(spaced)],
    GRADINGS.flatMap(grading =>
      RUNS.filter(run => run.profiles[grading]).map(run => [
        grading,
        run.name,
        ...SPOKES.map(kind => {
          const rate = rateOn(run, grading, kind);
          return rate ? `${percent(rate.rate)} (${interval(rate)}) of ${whole(rate.count)}` : DASH;
        }),
      ]),
    ),
  );

/** The panel of the radars; null where there are too few kinds for a polygon. */
function radarCard() {
  if (SPOKES.length < 3) return null;
  const card = chartCard(
    INDEX.profiled,
    "In percent, of the samples for which it is known. The lines along the spokes are 95 % intervals.",
    radarChart,
    legend(
      RUNS.map(run => run.name),
      number => isProfiled(RUNS[number]),
    ),
    radarTable(),
  );
  card.classList.add("whole");
  return card;
}
