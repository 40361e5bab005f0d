// Success by group, and success against tokens: points with their intervals.

const GROUPS = [...new Set(RUNS.flatMap(run => run.figures.groups.map(([name]) => name)))].sort(compare);
const LONGEST = { name: 20, slope: 40 };

/** The names below the axis, turned where one does not fit into its place, and the height that this takes. */
function groupNames(middle, band) {
  const y = EDGE.height - EDGE.bottom + 18;
  const names = GROUPS.map(groupName);
  if (names.every(name => widthOf(name) <= band)) {
    const level = name => svg("text", { x: middle(name), y, "text-anchor": "middle" }, groupName(name));
    return { names: GROUPS.map(level), drop: 0 };
  }
  const cut = name => fitted(name, widthOf("0".repeat(LONGEST.name)));
  const turned = (name, at) => {
    const transform = `translate(${middle(GROUPS[at]) + 4} ${y - 4}) rotate(-${LONGEST.slope})`;
    return svg("text", { transform, "text-anchor": "end" }, svg("title", null, name), cut(name));
  };
  const longest = Math.max(...names.map(name => widthOf(cut(name))));
  return { names: names.map(turned), drop: longest * Math.sin((LONGEST.slope * Math.PI) / 180) };
}

function successChart(width) {
  const y = heightScale();
  const band = (width - EDGE.left - EDGE.right) / GROUPS.length;
  const apart = Math.min(12, (band * 0.8) / RUNS.length);
  const middle = name => EDGE.left + band * (GROUPS.indexOf(name) + 0.5);
  const drawn = RUNS.map((run, number) => {
    const points = run.figures.groups
      .filter(([, rate]) => rate.count)
      .map(([name, rate]) => ({ name, rate, x: middle(name) + (number - (RUNS.length - 1) / 2) * apart }));
    return [
      line(
        number,
        points.map(p => [p.x, y(p.rate.rate)]),
      ),
      points.map(p =>
        choosable(
          { class: "point" },
          `${run.name}, ${placeOf(p.name)}: ${told(p.rate)}`,
          () => TABLE.choose({ run: String(number), [GROUP]: p.name }),
          errorBar(number, p.x, y, p.rate),
        ),
      ),
    ];
  });
  const { names, drop } = groupNames(middle, band);
  return choosableDrawing(
    width,
    EDGE.height + drop,
    `Success by ${GROUP_WORD}, with 95 % intervals; the figures follow as a table.`,
    percentLines(EDGE.left, width - EDGE.right, y),
    names,
    axisName(width, GROUP_WORD, drop),
    drawn,
  );
}

const successTable = () =>
  asTable(
    [`run, ${GROUP_WORD}`, ...RATE_HEAD],
    RUNS.flatMap(run =>
      run.figures.groups.map(([name, rate]) => [`${run.name}, ${groupName(name)}`, ...rateRow(rate)]),
    ),
  );

// -- tokens -----------------------------------------------------------------------------------------------------------

const BINS = RUNS.flatMap(run => run.figures.token_bins);

function tokenChart(width) {
  const y = heightScale();
  const medians = BINS.map(bin => Math.max(1, bin.median));
  const [low, high] = [Math.min(...medians) * 0.8, Math.max(...medians) * 1.25];
  const log = linear(Math.log(low), Math.log(high), EDGE.left + 8, width - EDGE.right - 8);
  const x = value => log(Math.log(Math.max(1, value)));
  const marks = ticks(low, high).map(value =>
    svg(
      "g",
      null,
      svg("line", { class: "grid", x1: x(value), x2: x(value), y1: y(0), y2: y(0) + 5 }),
      svg("text", { x: x(value), y: y(0) + 18, "text-anchor": "middle" }, short(value)),
    ),
  );
  const drawn = RUNS.map((run, number) => [
    line(
      number,
      run.figures.token_bins.map(bin => [x(bin.median), y(bin.rate)]),
    ),
    run.figures.token_bins.map(bin =>
      svg(
        "g",
        { class: "point" },
        svg("title", null, `${run.name}, ${whole(bin.least)} to ${whole(bin.most)} tokens: ${told(bin)}`),
        errorBar(number, x(bin.median), y, bin),
      ),
    ),
  ]);
  return drawing(
    width,
    EDGE.height,
    "Success against tokens of the answer, with 95 % intervals; the figures follow as a table.",
    percentLines(EDGE.left, width - EDGE.right, y),
    marks,
    axisName(width, "tokens, median of the group (log scale)"),
    drawn,
  );
}

const tokenTable = () =>
  asTable(
    ["run, tokens", ...RATE_HEAD],
    RUNS.flatMap(run =>
      run.figures.token_bins.map(bin => [`${run.name}, ${whole(bin.least)} to ${whole(bin.most)}`, ...rateRow(bin)]),
    ),
  );
