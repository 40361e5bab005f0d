// The diagnosis of models: which skill predicts that long plans are lost. One figure, one table, details below.

const MODELS = INDEX.models;
/** The skills in the order in which they build on one another. */
const SKILLS = [...new Set(MODELS.flatMap(model => model.groups.flatMap(group => Object.keys(group.accuracy))))];
const END = { "text-anchor": "end" };
const AREA = { left: 90, right: 24, top: 6, row: 26, foot: 44 };

const points = value => known(value, v => `${v > 0 ? "+" : v < 0 ? "−" : ""}${Math.abs(Math.round(100 * v))}`);
const range = ({ low, high }, show) => (low === null ? "" : ` (${show(low)} to ${show(high)})`);
const rateText = rate => (rate.estimate === null ? DASH : `${percent(rate.estimate)}${range(rate, percent)}`);
const differenceText = rate => (rate.estimate === null ? DASH : `${points(rate.estimate)}${range(rate, points)}`);
const pText = p => known(p, v => (v < 0.001 ? "< 0.001" : v.toFixed(3)));
const skillOf = (model, name) => model.skills.find(skill => skill.name === name);

// -- the figure -------------------------------------------------------------------------------------------------------

/** The difference of each skill with its interval: a row for each skill, in it a mark for each model. */
function skillChart(width) {
  const all = MODELS.flatMap(model => model.skills.map(skill => skill.prediction.difference));
  const ends = all.flatMap(one => [one.estimate, one.low, one.high]).filter(value => value !== null);
  const [low, high] = [Math.min(-0.25, ...ends), Math.max(0.5, ...ends)];
  const x = linear(low - 0.05, high + 0.05, AREA.left, width - AREA.right);
  const tall = Math.max(AREA.row, 13 * MODELS.length + 8);
  const y = (row, number) => AREA.top + tall * row + (tall * (number + 0.5)) / MODELS.length;
  const bottom = AREA.top + tall * SKILLS.length;
  const step = high - low > 1.2 ? 0.5 : 0.25;
  const grid = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 0.01; value += step) grid.push(value);
  return drawing(
    width,
    bottom + AREA.foot,
    "Plans won where a skill is right less plans won where it is wrong, in points; the figures follow as a table.",
    SKILLS.map((skill, row) => [
      row % 2 ? null : svg("rect", { class: "shaded", x: 0, y: AREA.top + tall * row, width, height: tall }),
      svg("text", { class: "name", x: AREA.left - 12, y: AREA.top + tall * (row + 0.5) + 4, ...END }, skill),
    ]),
    grid.map(value =>
      svg(
        "g",
        null,
        svg("line", { class: value ? "grid" : "zero", x1: x(value), x2: x(value), y1: AREA.top, y2: bottom }),
        svg("text", { x: x(value), y: bottom + 18, "text-anchor": "middle" }, points(value)),
      ),
    ),
    svg("text", { x: width - AREA.right, y: bottom + 38, ...END }, "points of success"),
    SKILLS.map((skill, row) => MODELS.map((model, number) => mark(skillOf(model, skill), number, x, y(row, number)))),
  );
}

function mark(skill, number, x, y) {
  if (!skill) return null;
  const { difference, verdict } = skill.prediction;
  if (verdict === "too few" || difference.low === null)
    return svg("text", { x: x(0) + 8, y: y + 4 }, "too few");
  const [low, high] = [x(difference.low), x(difference.high)];
  const d = `M${low} ${y}H${high}M${low} ${y - 4}v8M${high} ${y - 4}v8`;
  return svg(
    "g",
    { class: verdict === "not shown" ? "unsure" : null },
    svg("title", null, `${MODELS[number].name}, ${skill.name}: ${differenceText(difference)}, ${verdict}`),
    svg("path", { class: `bar ${hue(number)}`, d }),
    marker(number, x(difference.estimate), y),
  );
}

// -- the table --------------------------------------------------------------------------------------------------------

const SKILL_HEAD = [
  ...["model", "skill", "accuracy %", "won if right %", "won if wrong %"],
  ...["difference, points", "p", "beyond the first", "verdict"],
];
const skillRows = () =>
  MODELS.flatMap(model =>
    model.skills.map(({ name, accuracy, if_right, if_wrong, prediction }) => [
      model.name,
      name,
      rateText(accuracy),
      rateText(if_right),
      rateText(if_wrong),
      differenceText(prediction.difference),
      pText(prediction.p),
      differenceText(prediction.beyond),
      prediction.verdict,
    ]),
  );

const scrolling = table => el("div", { class: "scroll", tabindex: 0 }, table);

function groupTable(model) {
  const head = [INDEX.group, "tasks", "plans won %", "predicted %", ...SKILLS];
  const rows = model.groups.map(group => [
    group.name,
    group.tasks,
    rateText(group.success),
    group.policy ? rateText(group.policy.predicted) : DASH,
    ...SKILLS.map(skill => (group.accuracy[skill] ? percent(group.accuracy[skill].estimate) : DASH)),
  ]);
  return plainTable(head, rows);
}

function differenceTable(model) {
  const cell = one => (!one || one.low === null ? "too few" : differenceText(one));
  const rows = model.groups.map(group => [group.name, ...SKILLS.map(skill => cell(group.difference[skill]))]);
  return plainTable([INDEX.group, ...SKILLS], rows);
}

function chainTable(chain) {
  const [lost, won] = ["lost", "won"].map(what => chain.links.reduce((sum, link) => sum + link[what], 0));
  const part = (value, all) => (all ? `${+value.toFixed(1)} (${Math.round((100 * value) / all)} %)` : DASH);
  const head = ["first that fails", `of ${+lost.toFixed(1)} lost plans`, `of ${+won.toFixed(1)} won plans`];
  return plainTable(head, chain.links.map(link => [link.skill || "none", part(link.lost, lost), part(link.won, won)]));
}

function chainTitle(chain) {
  const skills = chain.links.slice(0, -1).map(link => link.skill);
  return `${skills.join(" → ")}, in ${count(chain.tasks, "task")}`;
}

function modelDetails(model) {
  const chains = model.chains.filter(chain => chain.links.length > 2);
  return el(
    "section",
    { class: "card model-details" },
    el("h2", null, model.name),
    el(
      "p",
      { class: "hint" },
      `${count(model.tasks, "task")} with plans and answers; ${rateText(model.success)} % of plans won. ` +
        `${count(model.plans_alone, "task")} with plans only, ${count(model.answers_alone, "answer")} without a plan.`,
    ),
    el("h4", null, `By ${INDEX.group}: plans won, what the rate of right next actions predicts, accuracy in percent`),
    scrolling(groupTable(model)),
    el("h4", null, `By ${INDEX.group}: plans won where a skill is right less where it is wrong, in points`),
    scrolling(differenceTable(model)),
    chains.map(chain => [el("h4", null, chainTitle(chain)), scrolling(chainTable(chain))]),
  );
}

const finding = model => el("li", null, el("strong", null, model.name), `: ${model.finding}`);

function page() {
  const place = el("div", { class: "chart" });
  drawToWidth(place, skillChart);
  return [
    el("h1", { tabindex: -1 }, "Which skill predicts lost plans"),
    INDEX.notes.map(text => el("p", { class: "note" }, text)),
    el("ul", { class: "findings" }, MODELS.map(finding)),
    el(
      "section",
      { class: "card model-details" },
      el("h2", null, "Plans won where a skill is right, less plans won where it is wrong"),
      el(
        "p",
        { class: "hint" },
        `Among tasks of the same ${INDEX.group}, in points of success. Bars are 95 % intervals by a bootstrap over ` +
          "tasks; pale marks are not distinct from chance.",
      ),
      place,
      legend(MODELS.map(model => model.name)),
    ),
    el(
      "section",
      { class: "card model-details skills" },
      el("h2", null, "Skills and plans"),
      el("p", { class: "hint" }, "In brackets 95 % intervals. p is corrected for the number of skills."),
      scrolling(plainTable(SKILL_HEAD, skillRows(), column => column > 1 && column < SKILL_HEAD.length - 1)),
    ),
    MODELS.map(modelDetails),
  ];
}

document.title = "HeroBench diagnosis";
byId("overview").append(...page().flat(Infinity).filter(Boolean));
