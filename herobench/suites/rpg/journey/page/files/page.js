// The page: a person walks the road action by action, and sends the whole walk as a plan.

import { say } from "./dialog.js";
import { answer, hasEnded, page, runClock, start, tell } from "./frame.js";

page.calls = [];
/** The regions ahead that are open at first. */
const NEXT_OPEN = 3;

const road = () => page.state.view.road;
/** What was done is kept in this window, so that a page that is loaded again loses nothing. */
const storeName = () => `${page.state.place} ${page.state.view.task}`;

// -- the walk -------------------------------------------------------------------------------------------------------

function choose(call) {
  page.calls = [...page.calls, call];
  showWalk();
}

function undo() {
  page.calls = page.calls.slice(0, -1);
  showWalk();
}

const GROUPS = { gather: "Gather", craft: "Craft", rest: "Rest", camp: "Rest", drop: "Drop", leave: "Leave" };
const groupOf = ([name, value]) => (name === "fight" ? `Fight ${value}` : GROUPS[name]);

/** The words on the button of an action in its group. */
function choiceWords([name, ...values]) {
  if (name === "fight") return values[1] || "bare hands";
  return values[0] || name;
}

function choiceButton(step) {
  const hearts = step.after.hearts - step.before.hearts;
  const heartWords = hearts ? `, ${hearts > 0 ? "+" : "−"}${Math.abs(hearts)} ♥` : "";
  const about = { type: "button", "data-call": step.call.join(" "), "aria-label": `${callWords(step.call)}: time ${step.time}${heartWords}` };
  const button = el("button", about, choiceWords(step.call), el("small", null, `${step.time}${heartWords}`));
  if (step.call[0] === "leave") button.classList.add("main");
  button.addEventListener("click", () => choose(step.call));
  return button;
}

/** True for all actions but a rest that gives no heart, which only takes time. */
const isOfUse = ({ call: [name], before, after }) => !["rest", "camp"].includes(name) || after.hearts > before.hearts;

/** Show the actions in groups. The same action keeps the focus, if it can be done again. */
function showActions(position) {
  const steps = possibleSteps(road(), position).filter(isOfUse);
  const focused = byId("actions").contains(document.activeElement) ? document.activeElement.dataset.call : null;
  const groups = Map.groupBy(steps, step => groupOf(step.call));
  const lines = [...groups].map(([name, own]) => el("div", { class: "choices" }, el("span", null, name), own.map(choiceButton)));
  byId("actions").replaceChildren(...lines);
  if (focused === null) return;
  const buttons = [...byId("actions").querySelectorAll("button")];
  (buttons.find(button => button.dataset.call === focused) || buttons[0] || byId("send")).focus();
}

const heroFacts = (position, clock) => [
  ["Clock", clock],
  ["Hearts", `${position.hearts} of ${road().limits.hearts}`],
  ["Bag", `${bagWords(position.bag)} (${position.bag.length} of ${road().limits.bag})`],
  ["Gear", `${gearWords(road(), position.gear)} (${position.gear.length} of ${road().limits.places})`],
];

function showRegion(position, steps) {
  const count = road().regions.length;
  const isOver = position.region === count;
  const number = Math.min(position.region, count - 1);
  const own = steps.filter(step => step.before.region === number);
  byId("region-title").textContent = `Region ${number + 1} of ${count}`;
  const here = isOver ? {} : { position };
  byId("region").replaceChildren(...[regionMap(road(), number, own, here), siteList(road(), number, own, here)].filter(Boolean));
}

function aheadFold(number, isOpen) {
  const fold = el("details", null, el("summary", null, `Region ${number + 1}`));
  fold.addEventListener("toggle", () => {
    if (fold.open && fold.children.length === 1) fold.append(...[regionMap(road(), number, []), siteList(road(), number, [])].filter(Boolean));
  });
  fold.open = isOpen;
  return fold;
}

/** The regions ahead change only at a gate. */
function showAhead(number) {
  if (byId("ahead").dataset.behind === `${storeName()} ${number}`) return;
  byId("ahead").dataset.behind = `${storeName()} ${number}`;
  const ahead = road().regions.map((_, at) => at).slice(number + 1);
  byId("ahead").replaceChildren(...ahead.map((at, place) => aheadFold(at, place < NEXT_OPEN)));
}

/** The list grows and shrinks at its end: a long road has a thousand actions. */
function showDone(steps) {
  const list = byId("done");
  while (list.children.length > steps.length) list.lastElementChild.remove();
  const added = steps.slice(list.children.length);
  list.append(...added.map(step => el("li", null, callWords(step.call), el("small", null, ` ${step.time}, clock ${step.clock}`))));
  list.scrollTop = list.scrollHeight;
}

function showWalk() {
  const steps = walkRoad(road(), page.calls);
  page.calls = steps.map(step => step.call);
  sessionStorage.setItem(storeName(), JSON.stringify(page.calls));
  const last = steps.at(-1);
  const position = last ? last.after : startOfRoad(road());
  const isOver = position.region === road().regions.length;
  const clock = last ? last.clock : 0;
  byId("hero").replaceChildren(
    ...heroFacts(position, clock).map(([name, text]) => el("div", null, el("dt", null, name), el("dd", null, text))),
  );
  showActions(position);
  showRegion(position, steps);
  showAhead(position.region);
  showDone(steps);
  byId("undo").disabled = !steps.length;
  byId("send").classList.toggle("main", isOver);
  byId("send").textContent = isOver ? "Send the plan" : "Give up, and send the plan as it is";
  tell(isOver ? `The road is walked in ${clock}. Send the plan, or undo and look for a faster one.` : "");
}

// -- the verdict ----------------------------------------------------------------------------------------------------

/** A mistake in words: where it is, what would have been better, and from where it is felt. */
function mistakeWords({ action, regret, reach, better }, actions) {
  const gates = actions.slice(0, action).filter(([name]) => name === "leave").length;
  return `Region ${gates + 1}, ${callWords(actions[action])}: regret ${regret}, ${feltWords(reach)}. Better: ${callWords(better)}.`;
}

function verdictParts({ ended, end_reason, time, least, choices, regret, events }) {
  const took = ended === "arrived" ? `Your plan takes ${time}.` : `Your plan does not arrive: ${end_reason}.`;
  const parts = [`${took} The least time of the road is ${least}.`];
  if (!events.mistakes) return parts;
  if (!events.mistakes.length) return [...parts, `None of your ${choices} decisions is a mistake.`];
  const items = events.mistakes.map(mistake => el("li", null, mistakeWords(mistake, events.actions)));
  const words = `Mistakes: ${events.mistakes.length} of your ${choices} decisions, with a regret of ${regret} together.`;
  return [...parts, words, el("ol", { class: "mistakes" }, items)];
}

/** A plan as a model answers with one. */
function planText(calls) {
  const lines = calls.map(([name, ...values]) => `${name}(${values.map(value => `"${value}"`).join(", ")})`);
  return ["```python", ...lines, "```"].join("\n");
}

async function send() {
  if (page.busy) return;
  const last = walkRoad(road(), page.calls).at(-1);
  const isOver = last && last.after.region === road().regions.length;
  const ask = ["Give up?", ["The hero has not left the last region: the plan wins nothing."], "Give up", "Go on"];
  if (!isOver && !(await say(...ask))) return;
  byId("game").inert = true;
  tell("The plan is being judged.");
  const [stored, { total }] = [storeName(), page.state];
  const isTaken = await answer(planText(page.calls));
  byId("game").inert = false;
  if (!isTaken) return;
  sessionStorage.removeItem(stored);
  const { verdict, over } = page.state;
  byId("game").hidden = Boolean(over);
  if (verdict) {
    const title = `${verdict.won ? "The best plan" : "The verdict"} on ${verdict.task}`;
    await say(title, verdictParts(verdict), over ? "Close" : `Go on (${page.state.place} of ${total})`);
  }
  show();
}

// -- a road ---------------------------------------------------------------------------------------------------------

function show() {
  if (hasEnded()) return;
  const { view, place, total } = page.state;
  page.calls = JSON.parse(sessionStorage.getItem(storeName()) || "[]");
  page.asked = Date.now();
  byId("place").textContent = `· road ${place} of ${total}: ${view.task}`;
  byId("prompt").textContent = view.prompt;
  byId("done").replaceChildren();
  byId("rules").replaceChildren(...roadRules(view.road));
  byId("game").hidden = false;
  showWalk();
}

byId("undo").addEventListener("click", undo);
byId("send").addEventListener("click", send);
runClock();
start(show);
