// One sample: what was asked, what came, how it was scored, and the suite's own panel.

const FACTS = [
  ["Score", row => tenth(row.score)],
  ["Progress before the end", row => tenth(row.progress)],
  ["Failure", row => spaced(row.failure)],
];
const FACTS_OF_ASKING = [
  ["Calls", row => (row.calls > 1 ? whole(row.calls) : DASH)],
  ["Tokens", row => whole(row.output_tokens)],
  ["Cost", row => money(row.cost)],
  ["Seconds", row => known(row.seconds, v => v.toFixed(1))],
  ["Model", row => row.model || DASH],
];

function facts(row) {
  const own = ([name, show]) => [name, show(row)];
  const all = [...FACTS.map(own), ...panel().facts(row), ...FACTS_OF_ASKING.map(own)];
  const shown = all.filter(([, text]) => text !== DASH && text !== "");
  return el(
    "dl",
    { class: "facts" },
    shown.map(([name, text]) =>
      el("div", { class: text.length > 24 ? "long-fact" : null }, el("dt", null, name), el("dd", null, text)),
    ),
  );
}

/** The cause in a few words, for the line of the plan that it is in. */
const causeText = (found, setting) =>
  [spaced(found.cause), found.subject === null ? null : `(${panel().subject(found.subject, setting)})`]
    .filter(Boolean)
    .join(" ");

function causeNote(found, setting) {
  if (!found) return null;
  const where = found.line === null ? "" : `, line ${found.line}`;
  return el(
    "p",
    { class: "note", id: "cause" },
    el("strong", null, `Lost by: ${causeText(found, setting)}${where}. `),
    INDEX.causes[found.cause],
  );
}

function heading(sample, row, found) {
  const [before, after] = TABLE.beside(sample);
  const ended = panel().ended(row);
  const way = (to, text, rel) =>
    to ? el("a", { href: addressOf(to), rel }, text) : el("span", { class: "hint" }, text);
  const group = `${spaced(GROUP)} ${sample.group}`;
  const about = [RUNS[sample.run].name, group, several("epoch") ? `epoch ${sample.epoch}` : null]
    .filter(Boolean)
    .join(" · ");
  return el(
    "header",
    { class: "sample-head" },
    el(
      "nav",
      { class: "ways", "aria-label": "Samples" },
      el("a", { href: TABLE.address(), id: "back-to-overview" }, "‹ overview"),
      way(before, "‹ before", "prev"),
      way(after, "next ›", "next"),
    ),
    el("h1", { tabindex: -1 }, sample.task),
    el("p", { class: "about" }, outcomeMark(sample.outcome), ` · ${about}`),
    causeNote(found, settingOf(sample)),
    row.error ? el("p", { class: "note" }, `No reply: ${spaced(row.error.kind)}. ${row.error.message}`) : null,
    ended ? el("p", { class: "note" }, ended) : null,
    row.unfinished ? el("p", { class: "note", id: "unfinished" }, `Ended early: ${row.unfinished}.`) : null,
  );
}

/** The page of a sample; `player` comes with it if there is anything to play. */
async function samplePage(sample) {
  const [full, given] = await Promise.all([
    block(`sample${sample.number}`),
    sample.given === null ? null : block(`given${sample.given}`),
  ]);
  const { nodes: own, player } = panel().show(sample, full, given);
  const row = full.row;
  const talk = talkSection(full.talk);
  const nodes = [
    heading(sample, row, full.found),
    facts(row),
    ...(talk ? [el("div", { class: "with-talk" }, el("div", null, own), talk)] : own),
    el(
      "section",
      null,
      el("h2", null, "Texts"),
      longText("Prompt", given && given.prompt, "prompt"),
      talk ? foldedConversation(row) : conversation(row),
      panel().texts(full, given).map(([title, text, id]) => longText(title, text, id)),
      longText("The sample as it is stored", JSON.stringify(row, null, 1), "row"),
    ),
  ];
  return { nodes: nodes.filter(Boolean), player };
}
