// The calls of an attempt as a tree: roles in turn, the calls of each, and in a call its question and its answer.
// A call that is alone in its turn names the role itself.

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

/** Tokens, cost and seconds of some calls, as far as they are known. */
function talkTolls(calls) {
  const sum = name => {
    const told = calls.map(call => call[name]).filter(value => value !== null);
    return told.length ? told.reduce((a, b) => a + b) : null;
  };
  const tolls = [
    known(sum("input"), v => `${whole(v)} in`),
    known(sum("output"), v => `${whole(v)} out`),
    known(sum("cost"), v => `cost ${money(v)}`),
    known(sum("seconds"), v => `${tenth(v)} s`),
  ];
  return tolls.filter(text => text !== DASH).join(" · ");
}

const roleName = call => el("strong", null, call.role === null ? "no role" : spaced(call.role));

function talkCall(call, alone) {
  const id = `call${call.number}`;
  const about = [talkTolls([call]), call.retries ? count(call.retries, "retry", "retries") : null].filter(Boolean);
  const failed = call.error ? el("span", { class: "bad" }, ` ✕ ${spaced(call.error[0])}`) : null;
  const form = call.form ? ` → ${spaced(call.form)}` : "";
  const title = `Question${call.before ? `, after ${count(call.before, "message")}` : ""}`;
  const name = [alone ? [roleName(call), " "] : null, `call ${call.number}${form} `];
  return fold({ class: "call", id }, [name, el("small", null, about.join(" · ")), failed], () => [
    call.error ? el("p", { class: "note" }, `No reply: ${spaced(call.error[0])}. ${call.error[1]}`) : null,
    talkText(title, call.question, `${id}-question`),
    talkText("Reasoning", call.reasoning, `${id}-reasoning`),
    talkText("Answer", call.answer, `${id}-answer`),
  ]);
}

/** Calls in a row with one role. */
function talkTurns(calls) {
  const turns = [];
  for (const call of calls) {
    const last = turns[turns.length - 1];
    if (last && last[0].role === call.role) last.push(call);
    else turns.push([call]);
  }
  return turns;
}

const treeOf = items => el("ol", { class: "tree" }, items.map(item => el("li", null, item)));

function talkTurn(calls) {
  if (calls.length === 1) return talkCall(calls[0], true);
  const about = `${count(calls.length, "call")} · ${talkTolls(calls)}`;
  const own = () => [treeOf(calls.map(call => talkCall(call)))];
  return fold({ class: "turn" }, [roleName(calls[0]), " ", el("small", null, about)], own, true);
}

/** The conversation of a sample; null where the page has none. */
function talkSection(talk) {
  if (!talk) return null;
  const { calls, more } = talk;
  const plain = calls.every(call => call.role === null);
  return el(
    "section",
    { class: "talk", id: "talk" },
    el("h2", null, "Conversation"),
    el("p", { class: "hint" }, `${count(calls.length + more, "call")} · ${talkTolls(calls)}`),
    treeOf(plain ? calls.map(call => talkCall(call)) : talkTurns(calls).map(talkTurn)),
    more ? el("p", { class: "hint" }, `${count(more, "more call")}: ${LACKING}.`) : null,
  );
}
