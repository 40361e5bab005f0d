// The horizon: fitted success over the length of a task, with the tasks as points and the length of 50 % marked.

const UNIT = spaced(INDEX.length);
const HORIZONS = RUNS.map((run, number) => ({ run, number, told: run.figures.horizon })).filter(
  ({ told }) => told && told.points.length,
);
/** How far the tasks of one outcome are spread, so that they do not hide one another. */
const SPREAD = 16;

/** The horizon in a few words. Outside the range of lengths there is no figure: the range is named. */
function horizonWords(told) {
  if (told.verdict === "determined") return `${reach(told.h50)} ${UNIT}`;
  return told.verdict === "not determined" ? told.verdict : `${told.verdict} of lengths`;
}

function horizonChart(width) {
  const y = heightScale();
  const lengths = HORIZONS.flatMap(({ told }) => [told.shortest, told.longest]);
  const [low, high] = [Math.min(...lengths), Math.max(...lengths)];
  const log = linear(Math.log(low), Math.log(high), EDGE.left + 12, width - EDGE.right - 12);
  const x = value => log(Math.log(value));
  const marks = ticks(low * 0.999, high * 1.001).map(value =>
    svg(
      "g",
      null,
      svg("line", { class: "grid", x1: x(value), x2: x(value), y1: y(0), y2: y(0) + 5 }),
      svg("text", { x: x(value), y: y(0) + 18, "text-anchor": "middle" }, short(value)),
    ),
  );
  return drawing(
    width,
    EDGE.height,
    `Fitted success by the length of a task in ${UNIT}, with 95 % bands; the figures follow as a table.`,
    percentLines(EDGE.left, width - EDGE.right, y),
    marks,
    axisName(width, `${UNIT} (log scale)`),
    HORIZONS.map(({ told, number }) => taskPoints(told, number, x, y)),
    HORIZONS.map(({ run, told, number }) => fittedCurve(run, told, number, x, y)),
  );
}

/** A point for each task: won tasks stand above the line of 100 %, downwards, lost ones at 0 %, upwards. */
function taskPoints(told, number, x, y) {
  const points = told.points.flatMap(([length, share, tasks]) =>
    Array.from({ length: tasks }, () => ({ length, share })),
  );
  return points.map(({ length, share }, place) => {
    const apart = ((place * 0.618 + number * 0.31) % 1) * SPREAD * (share < 0.5 ? -1 : 1);
    return svg("circle", { class: `task ${hue(number)}`, cx: x(length), cy: y(share) + apart, r: 2.2 });
  });
}

function fittedCurve(run, told, number, x, y) {
  if (!told.curve.length) return null;
  const path = points => points.map(([length, success]) => `${x(length)},${y(success)}`).join(" ");
  const band = [
    ...told.curve.map(([length, , least]) => [length, least]),
    ...told.curve.map(([length, , , most]) => [length, most]).reverse(),
  ];
  const determined = told.verdict === "determined";
  const [at, half] = [determined ? x(told.h50.estimate) : 0, y(0.5)];
  const says = `${run.name}: horizon ${horizonWords(told)}`;
  return svg(
    "g",
    { class: `horizon ${hue(number)}` },
    svg("title", null, says),
    svg("polygon", { class: "band", points: path(band) }),
    svg("polyline", { class: "curve", points: path(told.curve) }),
    determined && svg("path", { class: "half", d: `M${at} ${half}V${y(0)}` }),
    determined && marker(number, at, half, 5),
    determined &&
      svg("text", { class: "name", x: at + 8, y: half - 6 - 14 * (number % 3) }, lengthOf(told.h50.estimate)),
  );
}

const horizonTable = () =>
  asTable(
    ["run", "horizon", "80 % horizon", "verdict", "AUC", "calibration error %", "tasks"],
    HORIZONS.map(({ run, told }) => [
      run.name,
      reach(told.h50),
      reach(told.h80),
      told.verdict,
      known(told.auc, v => fixed(v, 2)),
      tenth(told.calibration_error),
      told.h50.tasks,
    ]),
  );

/** The panel of the horizon; null where no run has tasks enough for a curve or a verdict. */
function horizonCard() {
  if (HORIZONS.every(({ told }) => told.verdict === "not determined" && !told.curve.length)) return null;
  const words = HORIZONS.map(({ run, told }) => `${RUNS.length > 1 ? `${run.name}: ` : ""}${horizonWords(told)}`);
  const card = chartCard(
    "Horizon",
    `The length at which half of the attempts succeed, in ${UNIT}. Points are tasks, won above and lost below; ` +
      "bands are 95 % intervals.",
    horizonChart,
    legend(
      RUNS.map(run => run.name),
      number => HORIZONS.some(one => one.number === number),
    ),
    el("p", { class: "hint", id: "horizons" }, words.join("; ")),
    horizonTable(),
  );
  card.classList.add("whole");
  return card;
}
