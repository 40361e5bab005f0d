// The suite acp's part of a sample's page: the question, the answer as it was read, both grades.

const gradeOf = score => ({ 0: "wrong", 1: "right" })[score] || "undecided";

function questionSection(full, given) {
  const { details, replies } = full.row;
  const rows = [
    ["Context", given && given.context],
    ["Question", given && given.question],
    ["Answer as read", replies ? known(details.parsed, text => text || "an empty list") : null],
    ["Sound grading", replies ? gradeOf(details.sound) : null],
    ["Reference grading", replies ? gradeOf(details.reference) : null],
    ["Published label", details.label_right === false ? "proven wrong" : null],
  ];
  const shown = rows.filter(([, text]) => text);
  return el(
    "section",
    null,
    el("h2", null, "Question"),
    el(
      "dl",
      { class: "question" },
      shown.map(([name, text]) => [el("dt", null, name), el("dd", null, text)]),
    ),
  );
}

PANELS.acp = {
  facts: ({ details }) => [
    ["Domain", details.domain || DASH],
    ["Split", details.split || DASH],
    ["Jaccard", known(details.jaccard, v => fixed(v, 2))],
    ["Left out", known(details.removed, v => `${whole(v)}${details.removable ? ` of ${details.removable}` : ""}`)],
  ],
  show: (sample, full, given) => ({
    nodes: [questionSection(full, given), given && given.state && stateSection(given.state, full.panel.answer || [])],
    player: null,
  }),
  texts: (full, given) => [
    ["The published label", given && given.label, "label"],
    ["The proven answer", given && given.proven, "proven"],
    ["The domain in PDDL", given && given.domain, "pddl-domain"],
    ["The problem in PDDL", given && given.problem, "pddl-problem"],
  ],
};
