// The calls of an attempt as a tree: its branches, in them roles in turn, the calls of each, and in a call its question
// and its answer. A call that is alone in its turn names the role itself; a turn that is all of a branch has its title.

const SHORT_TEXT = 600;
const LACKING = "calls.jsonl in the run's folder has the rest";

/** A text of a call, open if it is short. What the page has no room for is said. */
function talkText(title, cut, id) {
  if (!cut) return null;
  const [text, left] = cut;
  const told = left ? `${text}\n… ${count(left, "more character")}: ${LACKING}` : text;
  return longText(title, told, id, text.length < SHORT_TEXT);
}

/** A fold whose content is made when it is opened. */
function fold(attributes, summary, content, open = false) {
  const details = el("details", attributes, el("summary", null, summary));
  const make = () => {
    if (details.open && details.childElementCount < 2) details.append(...content().filter(Boolean));
  };
  details.addEventListener("toggle", make);
  details.open = open;
  return details;
}

/** Tokens, cost and seconds of a call or a branch, as far as they are known. */
function talkTotals(totals) {
  const told = [
    known(totals.input, v => `${whole(v)} in`),
    known(totals.output, v => `${whole(v)} out`),
    known(totals.cost, v => `cost ${money(v)}`),
    known(totals.seconds, v => `${tenth(v)} s`),
  ];
  return told.filter(text => text !== DASH).join(" · ");
}

const callsAndTotals = branch => el("small", null, `${count(branch.calls, "call")} · ${talkTotals(branch)}`);

/** The sums over some calls. */
function together(calls) {
  const sum = name => {
    const told = calls.map(call => call[name]).filter(value => value !== null);
    return told.length ? told.reduce((a, b) => a + b) : null;
  };
  const [input, output, cost, seconds] = ["input", "output", "cost", "seconds"].map(sum);
  return { calls: calls.length, input, output, cost, seconds };
}

/** What calls in one role are called: their branch, if they are all of it, and the role. */
function turnName(call, title) {
  const role = call.role === null ? (title ? null : "no role") : spaced(call.role);
  return [title ? `${title} · ` : null, role ? [el("strong", null, role), " "] : null];
}

function talkCall(call, name) {
  const id = `call${call.number}`;
  const about = [talkTotals(call), call.retries ? count(call.retries, "retry", "retries") : null].filter(Boolean);
  const failed = call.error ? el("span", { class: "bad" }, ` ✕ ${spaced(call.error[0])}`) : null;
  const form = call.form ? ` → ${spaced(call.form)}` : "";
  const title = `Question${call.before ? `, after ${count(call.before, "message")}` : ""}`;
  const summary = [name, `call ${call.number}${form} `, el("small", null, about.join(" · ")), failed];
  return fold({ class: "call", id }, summary, () => [
    call.error ? el("p", { class: "note" }, `No reply: ${spaced(call.error[0])}. ${call.error[1]}`) : null,
    talkText(title, call.question, `${id}-question`),
    talkText("Reasoning", call.reasoning, `${id}-reasoning`),
    talkText("Answer", call.answer, `${id}-answer`),
  ]);
}

const isBranch = item => item.items !== undefined;

/** What is below a branch: branches, and turns, which are calls in a row with one role. */
function branchesAndTurns(items) {
  const found = [];
  for (const item of items) {
    const last = found[found.length - 1];
    if (isBranch(item)) found.push(item);
    else if (Array.isArray(last) && last[0].role === item.role) last.push(item);
    else found.push([item]);
  }
  return found;
}

const treeOf = items => el("ol", { class: "tree" }, items.map(item => el("li", null, item)));

function talkTurn(calls, title) {
  const name = turnName(calls[0], title);
  if (calls.length === 1) return talkCall(calls[0], name);
  const own = () => [treeOf(calls.map(call => talkCall(call)))];
  return fold({ class: "turn" }, [name, callsAndTotals(together(calls))], own, true);
}

function talkBranch(branch, open) {
  const below = branchesAndTurns(branch.items);
  if (below.length === 1 && below[0].length === branch.calls) return talkTurn(below[0], branch.title);
  const own = () => [treeOf(below.map(item => talkItem(item, false)))];
  return fold({ class: "branch" }, [`${branch.title} `, callsAndTotals(branch)], own, open);
}

const talkItem = (item, open) => (Array.isArray(item) ? talkTurn(item) : talkBranch(item, open));

/** The conversation of a sample; null where the page has none. */
function talkSection(talk) {
  if (!talk) return null;
  const { items, more } = talk;
  const plain = items.every(item => !isBranch(item) && item.role === null);
  return el(
    "section",
    { class: "talk", id: "talk" },
    el("h2", null, "Conversation"),
    el("p", { class: "hint" }, callsAndTotals(talk)),
    treeOf(plain ? items.map(call => talkCall(call)) : branchesAndTurns(items).map(item => talkItem(item, true))),
    more ? el("p", { class: "hint" }, `${count(more, "more call")}: ${LACKING}.`) : null,
  );
}
