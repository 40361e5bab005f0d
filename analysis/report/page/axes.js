// What the charts share: their cards, runs told apart by colour and by shape, scales, axes, error bars.

const SHAPES = [
  r => svg("circle", { r }),
  r => svg("rect", { x: -r * 0.9, y: -r * 0.9, width: r * 1.8, height: r * 1.8 }),
  r => svg("path", { d: `M0 ${-r * 1.2}L${r * 1.1} ${r * 0.8}H${-r * 1.1}Z` }),
  r => svg("path", { d: `M0 ${-r * 1.3}L${r * 1.3} 0L0 ${r * 1.3}L${-r * 1.3} 0Z` }),
  r => svg("path", { d: `M0 ${r * 1.2}L${r * 1.1} ${-r * 0.8}H${-r * 1.1}Z` }),
  r => svg("path", { class: "stroked", d: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}` }),
  r => svg("path", { class: "stroked", d: `M${-r * 1.2} 0H${r * 1.2}M0 ${-r * 1.2}V${r * 1.2}` }),
];

const HUES = 7;
const hue = number => `hue${number % HUES}`;
/** Shape and hue part company after the first round, so that the eighth run is not the first again. */
const shape = (number, r) => SHAPES[(number + Math.floor(number / HUES)) % SHAPES.length](r);
const marker = (number, x, y, r = 4.5) =>
  svg("g", { class: `marker ${hue(number)}`, transform: `translate(${x} ${y})` }, shape(number, r));

/** The runs of a chart, where there are several. */
function legend(names, isShown = () => true) {
  if (names.length < 2) return null;
  return el(
    "ul",
    { class: "legend" },
    names.map(
      (name, number) =>
        Boolean(isShown(number)) &&
        el(
          "li",
          null,
          svg("svg", { width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, marker(number, 0, 0, 5)),
          name,
        ),
    ),
  );
}

const LETTER = 7;
/** About how wide a text is. */
const widthOf = text => text.length * LETTER;
/** As much of a text as fits in a width. */
const fitted = (text, width) =>
  widthOf(text) > width ? `${text.slice(0, Math.max(1, Math.floor(width / LETTER) - 1))}…` : text;

const linear = (low, high, from, to) => value => from + ((value - low) / (high - low || 1)) * (to - from);

const EDGE = { left: 48, right: 10, top: 10, bottom: 40, height: 270 };
const heightScale = () => linear(0, 1, EDGE.height - EDGE.bottom, EDGE.top);
const axisName = (width, text, drop = 0) =>
  svg("text", { class: "axis", x: (width + EDGE.left) / 2, y: EDGE.height + drop - 4, "text-anchor": "middle" }, text);

/** 1, 2, 5, 10 ... between two numbers: fewer of them where that is already a lot. */
function ticks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const step of [1, 2, 5]) found.push(step * 10 ** power);
  }
  const seen = found.filter(value => value >= low && value <= high);
  return seen.length > 7 ? seen.filter(value => /^[0.]*1/.test(String(value))) : seen;
}

/** Horizontal lines for success from 0 to 100 %. */
function percentLines(left, right, y) {
  return [0, 25, 50, 75, 100].map(value =>
    svg(
      "g",
      null,
      svg("line", { class: value ? "grid" : "base", x1: left, x2: right, y1: y(value / 100), y2: y(value / 100) }),
      svg("text", { x: left - 8, y: y(value / 100) + 4, "text-anchor": "end" }, value === 100 ? "100 %" : value),
    ),
  );
}

/** A rate with its interval, of which is drawn what lies between 0 and 100 %. */
function errorBar(run, x, y, rate) {
  const cap = 4;
  const [low, high] = [y(Math.max(0, rate.low)), y(Math.min(1, rate.high))];
  const d = `M${x} ${low}V${high}M${x - cap} ${low}h${2 * cap}M${x - cap} ${high}h${2 * cap}`;
  return [rate.low === null ? null : svg("path", { class: `bar ${hue(run)}`, d }), marker(run, x, y(rate.rate))];
}

const line = (run, points) =>
  svg("polyline", { class: `link ${hue(run)}`, points: points.map(p => p.join(",")).join(" ") });
const told = rate => `${percent(rate.rate)} % (${interval(rate)}), ${rate.wins} of ${rate.count} won`;
const rateRow = rate => [rate.wins, rate.count, percent(rate.rate), percent(rate.low), percent(rate.high)];
const RATE_HEAD = ["won", "measured", "success %", "low", "high"];

function chartCard(title, note, draw, ...below) {
  const place = el("div", { class: "chart" });
  drawToWidth(place, draw);
  return el("section", { class: "card" }, el("h2", null, title), el("p", { class: "hint" }, note), place, ...below);
}
