// Numbers and names as they are shown. What is not known is a dash, never 0.

const INDEX = JSON.parse(byId("index").textContent);
const DASH = "–";
const NARROW = "\u202f";

const known = (value, show) => (value === null || value === undefined ? DASH : show(value));
const whole = value => known(value, v => Math.round(v).toLocaleString("en").replaceAll(",", NARROW));

/** A number as Python writes it: of a tie, such as 1.25, this takes the even digit, and toFixed the larger. */
function fixed(value, digits) {
  const isTie = Math.abs((value * 2 ** (digits + 1)) % 2) === 1;
  const below = Math.floor(value * 10 ** digits);
  return (isTie ? (below + Math.abs(below % 2)) / 10 ** digits : value).toFixed(digits);
}
const tenth = value => known(value, v => fixed(v, 1));
const percent = value => known(value, v => fixed(100 * v, 1));
const money = value => known(value, v => fixed(v, v < 1 ? 4 : 2));
/** The interval of a rate; a dash where there is none, as from one task. */
const interval = rate => (rate.low === null ? DASH : `${percent(rate.low)} to ${percent(rate.high)}`);
const count = (number, one, many) => `${whole(number)} ${number === 1 ? one : many || one + "s"}`;

/** A length of a task, and one with its interval, whose ends may be open. */
const lengthOf = value => known(value, v => (v < 10 ? String(+fixed(v, 1)) : whole(v)));
const endsOf = ({ low, high }) => {
  if (low === null && high === null) return null;
  if (low === null) return `${lengthOf(high)} or less`;
  return high === null ? `${lengthOf(low)} or more` : `${lengthOf(low)} to ${lengthOf(high)}`;
};
const reach = found => {
  if (found.estimate === null) return DASH;
  return endsOf(found) ? `${lengthOf(found.estimate)} (${endsOf(found)})` : lengthOf(found.estimate);
};

/** How many tokens, short enough for an axis. */
function short(value) {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(2)}M`;
  return value >= 1e3 ? `${+(value / 1e3).toPrecision(2)}k` : String(value);
}

/** The suite's words for stored names, beside those that only have underscores for spaces. */
const NAMES = INDEX.words;
const spaced = text =>
  text === null || text === undefined
    ? DASH
    : (Object.hasOwn(NAMES, text) && NAMES[text]) || String(text).replaceAll("_", " ");

const OUTCOMES = { win: ["✓", "won"], lose: ["✕", spaced("lost")], unmeasured: ["○", "unmeasured"] };

const titled = name => name[0].toUpperCase() + spaced(name).slice(1);

function outcomeMark(outcome) {
  const [sign, word] = OUTCOMES[outcome] || ["?", String(outcome)];
  return el(
    "span",
    { class: `outcome ${outcome in OUTCOMES ? outcome : ""}` },
    el("span", { "aria-hidden": "true" }, sign),
    ` ${word}`,
  );
}

/** Order as people have it: numbers by their size, words by the alphabet, what is not known last. */
const collator = new Intl.Collator("en", { numeric: true });
function compare(a, b) {
  const missing = (a === null || a === undefined) - (b === null || b === undefined);
  if (missing || a === null || a === undefined) return missing;
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}
