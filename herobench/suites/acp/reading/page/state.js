// The state of a question as grouped facts, its goal, its plan, and what the answer has to do with them.

const joined = names => names.join(" ");
const keysOf = lists => new Set(lists.map(joined));
/** The marks of a fact: a class for its colour, a sign or word for those who do not see it, and what it means. */
const MARKS = [
  ["goal", "★", "part of the goal"],
  ["given", "answer", "named by the answer"],
  ["needed", "needed", "the action of the answer needs it"],
  ["deleted", "deleted", "the action of the answer deletes it"],
];

/** For each mark the facts that have it. What an action needs and deletes is marked for a single one in this state. */
function marked(state, answer) {
  const isHere = answer.length === 1 && answer[0].index === undefined;
  const of = name => keysOf((isHere && answer[0][name]) || []);
  const given = answer.filter(item => item.kind === "proposition").map(item => item.names);
  return { goal: keysOf(state.goal), given: keysOf(given), needed: of("needs"), deleted: of("deletes") };
}

function fact(names, marks) {
  const own = MARKS.filter(([mark]) => marks[mark].has(joined(names)));
  return el(
    "li",
    { class: ["fact", ...own.map(([mark]) => mark)].join(" ") },
    el("span", null, joined(names)),
    own.map(([, sign, meaning]) => el("small", { title: meaning }, ` ${sign}`)),
  );
}

const factList = (facts, marks) => el("ul", { class: "fact-list" }, facts.map(names => fact(names, marks)));
const factGroup = (title, facts, marks, about) =>
  el(
    "div",
    { class: "fact-group" },
    el("h4", null, title, about && el("span", null, ` ${about}`)),
    factList(facts, marks),
  );

/** The facts by the name of their predicate, or by each object that they are about. */
function groupsOf(state, by) {
  const kinds = new Map(state.objects);
  const objects = state.objects.toSorted(([a, kind], [b, other]) => compare(kind, other) || compare(a, b));
  const groups = new Map(by === "object" ? objects.map(([name]) => [name, []]) : []);
  const other = "no object";
  for (const names of state.facts) {
    const [name, ...about] = names;
    const places = by !== "object" ? [name] : about.length ? new Set(about) : [other];
    for (const place of places) {
      if (!groups.has(place)) groups.set(place, []);
      groups.get(place).push(names);
    }
  }
  const kindOf = name => (by === "object" && kinds.get(name) !== "object" ? kinds.get(name) : null);
  return [...groups].filter(([, facts]) => facts.length).map(([name, facts]) => [name, facts, kindOf(name)]);
}

function groupedFacts(state, marks) {
  const place = el("div", { class: "fact-groups" });
  const draw = by =>
    place.replaceChildren(...groupsOf(state, by).map(([name, facts, about]) => factGroup(name, facts, marks, about)));
  const options = ["predicate", "object"].map(by => el("option", { value: by }, by));
  const select = el("select", { id: "facts-by", onchange: event => draw(event.target.value) }, options);
  draw("predicate");
  return [el("label", { class: "field" }, "Group facts by", select), place];
}

/** The goal: what of it holds, and what does not yet. */
function goalList(state) {
  const now = keysOf([...state.facts, ...state.static]);
  const parts = state.goal.map(names => {
    const holds = now.has(joined(names));
    return el(
      "li",
      { class: `fact ${holds ? "holds" : "open"}` },
      joined(names),
      el("small", null, holds ? " ✓ holds now" : " ✕ not yet"),
    );
  });
  const list = el("ul", { class: "fact-list" }, parts);
  return el("div", { class: "fact-group", id: "goal" }, el("h4", null, "Goal"), list);
}

/** An item of the answer: an action, a proposition, or a name that does not exist. One action tells what it changes. */
function answerItem(item, facts, isOnly) {
  const parts = (title, look, lists) =>
    (lists || []).map(names => el("li", { class: look }, `${title} ${joined(names)}`));
  if (item.kind === "index") return el("li", null, `action ${item.index}, which is not in the plan`);
  const holds = item.kind === "proposition" && facts.has(joined(item.names));
  const said = {
    unknown: "not a proposition or an action of this domain",
    proposition: item.negative ? "becomes false" : holds ? "holds now" : "does not hold now",
    action: item.missing && !item.missing.length ? "can be carried out" : null,
  }[item.kind];
  return el(
    "li",
    null,
    el("strong", null, item.index === undefined ? "" : `${item.index}. `, joined(item.names)),
    said && el("span", { class: item.kind === "unknown" ? "bad" : "hint" }, ` ${said}`),
    el(
      "ul",
      { class: "deed" },
      parts("✕ missing:", "bad", item.missing),
      isOnly && [
        parts("needs", null, item.needs),
        parts("+ adds", "ok", item.adds),
        parts("− deletes", null, item.deletes),
      ],
    ),
  );
}

function answerList(answer, facts) {
  if (!answer.length) return null;
  return el(
    "div",
    { class: "fact-group", id: "drawn-answer" },
    el("h4", null, answer[0].index === undefined ? "The answer" : "The answer, in the state before this action"),
    el("ul", { class: "answer" }, answer.map(item => answerItem(item, facts, answer.length === 1))),
  );
}

/** The places of a plan that a shortened one leaves out; none if it is no part of the plan. */
function leftOut(plan, answer) {
  const out = new Set();
  let next = 0;
  plan.forEach((names, place) => {
    if (next < answer.length && joined(answer[next].names) === joined(names)) next++;
    else out.add(place);
  });
  return answer.length && next === answer.length ? out : new Set();
}

function planList(state, answer) {
  if (!state.plan.length) return null;
  const chosen = answer.find(item => item.index !== undefined);
  const out = chosen ? new Set() : leftOut(state.plan, answer);
  const steps = state.plan.map((names, place) => {
    const isChosen = chosen && chosen.index === place;
    const mark = isChosen ? " ◂ answer" : out.has(place) ? " left out" : null;
    const look = isChosen ? "given" : out.has(place) ? "out" : null;
    return el("li", { class: look }, el("span", null, joined(names)), mark && el("small", null, mark));
  });
  return el(
    "div",
    { class: "fact-group", id: "plan" },
    el("h4", null, "The plan of the question"),
    el("ol", { class: "plan", start: 0 }, steps),
  );
}

function stateSection(state, answer) {
  const marks = marked(state, answer);
  const used = MARKS.filter(([mark]) => marks[mark].size);
  const rest = state.static.length
    ? el(
        "details",
        null,
        el("summary", null, `${count(state.static.length, "fact")} that no action changes`),
        factList(state.static, marks),
      )
    : null;
  return el(
    "section",
    { class: "card", id: "state" },
    el("h2", null, "State"),
    el("p", { class: "hint" }, used.map(([, sign, meaning]) => `${sign}: ${meaning}`).join("; ")),
    groupedFacts(state, marks),
    rest,
    el(
      "div",
      { class: "fact-groups wide-groups" },
      goalList(state),
      planList(state, answer),
      state.plan.length && !answer.some(item => item.index !== undefined)
        ? null
        : answerList(answer, keysOf([...state.facts, ...state.static])),
    ),
  );
}
