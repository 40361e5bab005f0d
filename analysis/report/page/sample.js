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
  ["Seconds", row => tenth(row.seconds)],
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

/** The ways to the table, and to the samples before and after, beside the same run if one is shown beside. */
function ways(sample, beside) {
  const [before, after] = TABLE.beside(sample);
  const way = (to, text, rel) =>
    to ? el("a", { href: addressOf(to, 0, besideOf(to, beside)), rel }, text) : el("span", { class: "hint" }, text);
  return el(
    "nav",
    { class: "ways", "aria-label": "Samples" },
    el("a", { href: TABLE.address(), id: "back-to-overview" }, "‹ overview"),
    way(before, "‹ before", "prev"),
    way(after, "next ›", "next"),
  );
}

/** What an attempt came to, and why. */
function verdict(sample, row, found) {
  const ended = panel().ended(row);
  const group = placeOf(sample.group);
  const about = [RUNS[sample.run].name, group, several("epoch") ? `epoch ${sample.epoch}` : null]
    .filter(Boolean)
    .join(" · ");
  return [
    el("p", { class: "about" }, outcomeMark(sample.outcome), ` · ${about}`),
    causeNote(found, settingOf(sample)),
    row.error ? el("p", { class: "note" }, `No reply: ${spaced(row.error.kind)}. ${row.error.message}`) : null,
    ended ? el("p", { class: "note" }, ended) : null,
    row.unfinished ? el("p", { class: "note", id: "unfinished" }, `Ended early: ${row.unfinished}.`) : null,
  ];
}

const heading = (sample, row, found) =>
  el(
    "header",
    { class: "sample-head" },
    ways(sample, null),
    el("h1", { tabindex: -1 }, sample.task),
    verdict(sample, row, found),
    rivalChoice(sample, null),
  );

/** What the file holds of a sample, and what the suite's panel shows of it. */
async function contentOf(sample) {
  const [full, given] = await Promise.all([
    stored("sample", sample.number),
    sample.given === null ? null : stored("given", sample.given),
  ]);
  return { full, given, shown: panel().show(sample, full, given) };
}

/** The page of a sample; `player` comes with it if there is anything to play. */
async function samplePage(sample) {
  const { full, given, shown } = await contentOf(sample);
  const { nodes: own, player } = shown;
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
  return { nodes: nodes.filter(Boolean), player, players: [player].filter(Boolean) };
}
