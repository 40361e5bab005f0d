// The page: shows the conversation as a model gets it, and sends calls of tools and answers in words.

import { say } from "./dialog.js";
import { codesIn, mapOf, placesIn } from "./map.js";
import { act, begin } from "./talk.js";

const node = id => document.getElementById(id);
const page = { state: null, busy: false, task: "", asked: Date.now(), hero: null, here: null };
const ENDED = {
  done: ["All tasks are done", ["Thank you. You can close this page."]],
  stopped: ["The session was stopped", ["What you did is kept. The command in the terminal says how to go on."]],
};
const LOST = ["No connection", ["The program does not answer. Is it still running? Load this page again then."]];

function made(tag, attributes, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...children);
  return element;
}

function tell(text) {
  node("status").textContent = text;
}

/** Send an answer. Return whether it was taken. */
async function send(answer) {
  if (page.busy || page.state.over) return false;
  page.busy = true;
  try {
    page.state = await act(page.state.number, answer);
  } catch {
    say(...LOST);
    return false;
  } finally {
    page.busy = false;
  }
  show();
  return true;
}

// -- what was said --------------------------------------------------------------------------------------------------

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const callText = ([name, given]) => {
  const values = parsed(given);
  return `${name}(${values ? Object.values(values).map(value => JSON.stringify(value)).join(", ") : given})`;
};

const pictures = message => message.pictures.map(source => made("img", { src: source, alt: "A picture of the task" }));

/** The part of a conversation that opens it: all before the first reply. */
function openingOf(messages) {
  const first = messages.findIndex(message => message.role === "assistant");
  return first < 0 ? messages : messages.slice(0, first);
}

function entry(message) {
  if (message.role === "assistant") {
    const said = message.calls.length ? message.calls.map(callText).join("; ") : message.text;
    return made("li", {}, made("code", {}, said));
  }
  const answer = message.role === "tool" ? parsed(message.text) : null;
  if (!answer) return made("li", {}, made("pre", {}, message.text), ...pictures(message));
  return made("li", answer.error ? { class: "refused" } : {}, made("code", {}, message.text));
}

/** Note where the hero is and what he has, as the newest answers say. */
function follow(messages) {
  for (const message of messages) {
    const answer = message.role === "tool" ? parsed(message.text) : null;
    if (!answer || typeof answer !== "object") continue;
    if (Number.isInteger(answer.x) && Number.isInteger(answer.y)) page.here = [answer.x, answer.y];
    if (answer.reset) page.here = null;
    if (Number.isInteger(answer.hp) || answer.inventory) page.hero = answer;
  }
}

function showTold(messages) {
  const opening = openingOf(messages);
  node("opening").replaceChildren(...opening.flatMap(one => [made("pre", {}, one.text), ...pictures(one)]));
  node("log").replaceChildren(...messages.slice(opening.length).map(entry));
  node("log").scrollTop = node("log").scrollHeight;
  const newest = messages.at(-1);
  const isAsked = messages.length > opening.length && newest.role === "user";
  tell(isAsked ? "Something new is asked: it stands at the end of the log." : "");
}

// -- what can be done -----------------------------------------------------------------------------------------------

function fieldFor(name, schema, isNeeded) {
  const type = [schema.type].flat()[0];
  const shared = { name, "aria-label": name, placeholder: name, ...(isNeeded ? { required: "" } : {}) };
  if (schema.enum) {
    const options = schema.enum.map(value => made("option", { value }, `${value}`));
    return made("select", { name, "aria-label": name }, ...options);
  }
  if (type === "integer") return made("input", { ...shared, type: "number", step: 1 });
  if (type === "number") return made("input", { ...shared, type: "number", step: "any" });
  return made("input", { ...shared, type: "text", list: "names", autocomplete: "off" });
}

function valueOf(field, schema) {
  if (field.value === "") return undefined;
  const type = [schema.type].flat()[0];
  if (type === "integer" || type === "number") return Number(field.value);
  if (type === "string" || schema.enum) return field.value;
  return parsed(field.value) ?? field.value;
}

function toolForm({ name, description, parameters }) {
  const { properties = {}, required = [] } = parameters;
  const fields = Object.entries(properties).map(([key, schema]) => {
    return [key, schema, fieldFor(key, schema, required.includes(key))];
  });
  const button = made("button", { type: "submit", title: description }, name);
  const form = made("form", { class: "tool", "data-tool": name }, button, ...fields.map(([, , field]) => field));
  form.addEventListener("submit", event => {
    event.preventDefault();
    const given = fields.map(([key, schema, field]) => [key, valueOf(field, schema)]);
    send({ name, arguments: Object.fromEntries(given.filter(([, value]) => value !== undefined)) });
  });
  return form;
}

/** Tools stay as they are, with what was typed into them, as long as they are the same. */
function showTools(tools) {
  const signature = JSON.stringify(tools);
  if (node("tools").dataset.of === signature) return;
  node("tools").dataset.of = signature;
  node("tools").replaceChildren(...tools.map(toolForm));
}

function showMap(opening, tools) {
  const places = placesIn(opening);
  const canGo = tools.some(({ name, parameters: { properties } }) => name === "move" && properties.x && properties.y);
  node("map").hidden = places.length === 0;
  const go = ({ x, y }) => canGo && send({ name: "move", arguments: { x, y } });
  node("map").replaceChildren(node("map").firstElementChild, mapOf(places, page.here, go));
}

const factText = value => (value && typeof value === "object" ? JSON.stringify(value).replaceAll('"', "") : `${value}`);

function showHero() {
  node("hero").hidden = !page.hero;
  const facts = Object.entries(page.hero || {}).filter(([name, value]) => value && !name.endsWith("xp"));
  const pair = ([name, value]) => [made("dt", {}, name.replaceAll("_", " ")), made("dd", {}, factText(value))];
  node("facts").replaceChildren(...facts.flatMap(pair));
}

function show() {
  if (page.state.over) {
    node("game").hidden = true;
    say(...ENDED[page.state.over]);
    return;
  }
  const { view, place, total } = page.state;
  const key = `${place} ${view.task}`;
  if (page.task !== key) {
    Object.assign(page, { task: key, hero: null, here: null, asked: Date.now() });
    node("task").open = true;
    node("text").value = "";
  }
  node("game").hidden = false;
  node("place").textContent = `· task ${place} of ${total}: ${view.task}`;
  const opening = openingOf(view.messages);
  follow(view.messages.slice(opening.length));
  showTold(view.messages);
  showTools(view.tools);
  const text = opening.map(message => message.text).join("\n");
  node("names").replaceChildren(...codesIn(text).map(value => made("option", { value })));
  showMap(text, view.tools);
  showHero();
}

function showTime() {
  const seconds = Math.floor((Date.now() - page.asked) / 1000);
  node("time").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

node("answer").addEventListener("submit", async event => {
  event.preventDefault();
  const text = node("text").value;
  if (text.trim() === "") {
    tell("Write something first.");
    return;
  }
  if (await send(text)) node("text").value = ""; // a plan that did not arrive must not be lost
});
setInterval(showTime, 1000);

try {
  page.state = await begin();
  show();
} catch {
  say(...LOST);
}
