// The page: shows the conversation as a model gets it, and sends calls of tools and answers in words.

import { answer, hasEnded, page, runClock, start, tell } from "./frame.js";
import { codesIn, mapOf, placesIn } from "./map.js";

Object.assign(page, { task: "", hero: null, here: null });

/** Send an answer. Return whether it was taken. */
async function send(action) {
  if (page.busy || page.state.over || !(await answer(action))) return false;
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

const pictures = message => message.pictures.map(source => el("img", { src: source, alt: "A picture of the task" }));

/** The part of a conversation that opens it: all before the first reply. */
function openingOf(messages) {
  const first = messages.findIndex(message => message.role === "assistant");
  return first < 0 ? messages : messages.slice(0, first);
}

function entry(message) {
  if (message.role === "assistant") {
    const said = message.calls.length ? message.calls.map(callText).join("; ") : message.text;
    return el("li", {}, el("code", {}, said));
  }
  const answer = message.role === "tool" ? parsed(message.text) : null;
  if (!answer) return el("li", {}, el("pre", {}, message.text), ...pictures(message));
  return el("li", answer.error ? { class: "refused" } : {}, el("code", {}, message.text));
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
  byId("opening").replaceChildren(...opening.flatMap(one => [el("pre", {}, one.text), ...pictures(one)]));
  byId("log").replaceChildren(...messages.slice(opening.length).map(entry));
  byId("log").scrollTop = byId("log").scrollHeight;
  const newest = messages.at(-1);
  const isAsked = messages.length > opening.length && newest.role === "user";
  tell(isAsked ? "Something new is asked: it stands at the end of the log." : "");
}

// -- what can be done -----------------------------------------------------------------------------------------------

function fieldFor(name, schema, isNeeded) {
  const type = [schema.type].flat()[0];
  const shared = { name, "aria-label": name, placeholder: name, ...(isNeeded ? { required: "" } : {}) };
  if (schema.enum) {
    const options = schema.enum.map(value => el("option", { value }, `${value}`));
    return el("select", { name, "aria-label": name }, ...options);
  }
  if (type === "integer") return el("input", { ...shared, type: "number", step: 1 });
  if (type === "number") return el("input", { ...shared, type: "number", step: "any" });
  return el("input", { ...shared, type: "text", list: "names", autocomplete: "off" });
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
  const button = el("button", { type: "submit", title: description }, name);
  const form = el("form", { class: "tool", "data-tool": name }, button, ...fields.map(([, , field]) => field));
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
  if (byId("tools").dataset.of === signature) return;
  byId("tools").dataset.of = signature;
  byId("tools").replaceChildren(...tools.map(toolForm));
}

function showMap(opening, tools) {
  const places = placesIn(opening);
  const canGo = tools.some(({ name, parameters: { properties } }) => name === "move" && properties.x && properties.y);
  byId("map").hidden = places.length === 0;
  const go = ({ x, y }) => canGo && send({ name: "move", arguments: { x, y } });
  byId("map").replaceChildren(byId("map").firstElementChild, mapOf(places, page.here, go));
}

const factText = value => (value && typeof value === "object" ? JSON.stringify(value).replaceAll('"', "") : `${value}`);

function showHero() {
  byId("hero").hidden = !page.hero;
  const facts = Object.entries(page.hero || {}).filter(([name, value]) => value && !name.endsWith("xp"));
  const pair = ([name, value]) => [el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, factText(value))];
  byId("facts").replaceChildren(...facts.flatMap(pair));
}

function show() {
  if (hasEnded()) return;
  const { view, place, total } = page.state;
  const key = `${place} ${view.task}`;
  if (page.task !== key) {
    Object.assign(page, { task: key, hero: null, here: null, asked: Date.now() });
    byId("task").open = true;
    byId("text").value = "";
  }
  byId("game").hidden = false;
  byId("place").textContent = `· task ${place} of ${total}: ${view.task}`;
  const opening = openingOf(view.messages);
  follow(view.messages.slice(opening.length));
  showTold(view.messages);
  showTools(view.tools);
  const text = opening.map(message => message.text).join("\n");
  byId("names").replaceChildren(...codesIn(text).map(value => el("option", { value })));
  showMap(text, view.tools);
  showHero();
}

byId("answer").addEventListener("submit", async event => {
  event.preventDefault();
  const text = byId("text").value;
  if (text.trim() === "") {
    tell("Write something first.");
    return;
  }
  if (await send(text)) byId("text").value = ""; // a plan that did not arrive must not be lost
});
runClock();
start(show);
