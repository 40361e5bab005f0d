// Success against what an attempt costs: a mark for each run, and the Pareto line through those that no other beats.

const AMOUNTS = { cost: ["cost", money], tokens: ["tokens", whole] };

/** The staircase through the best: nothing between two runs was measured. */
function paretoLine(places, right) {
  const corners = places.map(([x, y], at) => `${at ? `H${x}V` : `M${x} `}${y}`);
  return svg("path", { class: "pareto", d: `${corners.join("")}H${right}` });
}

function costChart(found, width, choose) {
  const [word, show] = AMOUNTS[found.unit];
  const amounts = found.points.map(([, spent]) => spent);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const isLog = least > 0;
  const [low, high] = isLog ? [least * 0.8, most * 1.25] : [0, most * 1.1 || 1];
  const scale = isLog ? Math.log : value => value;
  const place = linear(scale(low), scale(high), EDGE.left + 12, width - EDGE.right - 12);
  const [x, y] = [value => place(scale(value)), heightScale()];
  const at = Object.fromEntries(found.points.map(([number, spent]) => [number, [x(spent), y(rateOf(number).rate)]]));
  const marks = (isLog ? ticks(low, high) : [0, most]).map(value =>
    svg(
      "g",
      null,
      svg("line", { class: "grid", x1: x(value), x2: x(value), y1: y(0), y2: y(0) + 5 }),
      svg("text", { x: x(value), y: y(0) + 18, "text-anchor": "middle" }, value < 1 ? String(value) : short(value)),
    ),
  );
  const points = found.points.map(([number, spent]) => {
    const label = `${RUNS[number].name}: ${show(spent)} ${word} an attempt, ${told(rateOf(number))}`;
    const bar = errorBar(number, at[number][0], y, rateOf(number));
    return choosable({ class: "point" }, label, () => choose(number), bar);
  });
  return choosableDrawing(
    width,
    EDGE.height,
    `Success against ${word} of an attempt, with the Pareto line; the figures follow as a table.`,
    percentLines(EDGE.left, width - EDGE.right, y),
    marks,
    axisName(width, `${word} of an attempt, mean${isLog ? " (log scale)" : ""}`),
    paretoLine(
      found.frontier.map(number => at[number]),
      width - EDGE.right,
    ),
    points,
  );
}

const rateOf = number => RUNS[number].figures;

function costTable(found) {
  const [word, show] = AMOUNTS[found.unit];
  const isBest = number => (found.frontier.includes(number) ? "on the line" : "");
  const rows = found.points.map(([number, spent]) => {
    const { rate, low, high } = rateOf(number);
    return [RUNS[number].name, show(spent), percent(rate), percent(low), percent(high), isBest(number)];
  });
  return asTable(["run", `${word} of an attempt`, "success %", "low", "high", "Pareto line"], rows, at => at < 5);
}

/** The card, where two runs or more can be compared. */
function costCard(found) {
  if (!found) return null;
  const [word] = AMOUNTS[found.unit];
  const shown = new Set(found.points.map(([number]) => number));
  const left = RUNS.filter((_, number) => !shown.has(number)).map(run => run.name);
  const note = "No other run is both as cheap and better, or as good and cheaper, than a run on the dashed line.";
  const lacking = left.length ? ` Nobody told the ${word} of ${left.join(", ")}.` : "";
  const card = chartCard(
    `Success against ${word}`,
    note + lacking,
    width => costChart(found, width, number => TABLE.choose({ run: String(number) })),
    legend(
      RUNS.map(run => run.name),
      number => shown.has(number),
    ),
    costTable(found),
  );
  card.classList.add("cost");
  return card;
}
