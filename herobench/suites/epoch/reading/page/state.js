// The state after a turn: facts by epoch, with what the turn changed marked.

const FACT_GROUPS = [
  ["People", ["at"]],
  ["They have", ["has"]],
  ["It lies there", ["lies"]],
  ["Made by time", ["tree-exists", "stone-readable", "amendment-in-constitution", "clocks-aligned"]],
  ["Open, free or ready", ["unlocked", "free", "opened", "lever-ready"]],
];
const DEEDS = "Done so far";
/** Facts of these predicates are only shown if they were not there from the start: there are many, and they say little. */
const PLAIN = new Set(["unlocked", "free"]);
const groupOfFact = fact => (FACT_GROUPS.find(([, names]) => names.includes(predicateOf(fact))) || [DEEDS])[0];

/** The states of a game: the facts after each step, kept as they are asked for. */
class GameStates {
  constructor(start, turns) {
    this.start = new Set(start);
    this.turns = turns;
    this.kept = [this.start];
  }

  at(step) {
    while (this.kept.length <= step) {
      const turn = this.turns[this.kept.length - 1];
      const next = new Set(this.kept[this.kept.length - 1]);
      (turn.deleted || []).forEach(fact => next.delete(fact));
      (turn.added || []).forEach(fact => next.add(fact));
      (turn.caused || []).forEach(({ added }) => next.add(added));
      (turn.decayed || []).forEach(({ fact }) => next.delete(fact));
      this.kept.push(next);
    }
    return this.kept[step];
  }
}

const FACT_LOOKS = { added: ["+", "now true"], gone: ["−", "no longer true"], kept: ["", ""] };

function factItem(fact, look, left) {
  const [sign, words] = FACT_LOOKS[look];
  return el(
    "li",
    { class: `fact ${look}` },
    sign ? [el("span", { class: "sign", "aria-hidden": "true" }, sign), el("span", { class: "unseen" }, `${words}: `)] : null,
    bare(fact),
    left === undefined ? null : el("small", null, ` lasts ${count(left, "more action")}`),
  );
}

/** The facts of one epoch, in groups. */
function epochFacts(name, facts, countdown) {
  const groups = [...FACT_GROUPS.map(([title]) => title), DEEDS].map(title => [
    title,
    facts.filter(({ fact }) => groupOfFact(fact) === title),
  ]);
  return el(
    "div",
    { class: "epoch-facts" },
    el("h3", null, name),
    groups
      .filter(([, own]) => own.length)
      .map(([title, own]) => [
        el("h4", null, title),
        el(
          "ul",
          null,
          own.map(({ fact, look }) => factItem(fact, look, countdown[fact])),
        ),
      ]),
  );
}

/** The state after a step, beside the state before it. */
function statePanel(states, step, given, countdown) {
  const now = states.at(step);
  const before = states.at(Math.max(0, step - 1));
  const shown = [...new Set([...now, ...before])]
    .filter(fact => !(PLAIN.has(predicateOf(fact)) && states.start.has(fact) && now.has(fact)))
    .sort(compare)
    .map(fact => ({ fact, look: !now.has(fact) ? "gone" : before.has(fact) ? "kept" : "added" }));
  const laneOf = fact => given.lanes[fact] || ELSEWHERE;
  return [...given.epochs, ELSEWHERE]
    .map(name => [name, shown.filter(({ fact }) => laneOf(fact) === name)])
    .filter(([name, facts]) => name !== ELSEWHERE || facts.length)
    .map(([name, facts]) => epochFacts(name, facts, countdown));
}
