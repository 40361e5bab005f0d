// The page: shows the newest view, and turns keys and clicks into actions.
//
// The server decides everything. The page holds only what is no action: the framed cell, the option that is thought of,
// and whether time is paused.

import { actionsOf, clicks } from "./actions.js";
import { isOpen, say } from "./dialog.js";
import { hasEnded, page, start, tell } from "./frame.js";
import { cellAt, colorAt, draw } from "./grid.js";
import { act } from "./talk.js";
import { ASKS, DISCLOSED, done, ENDED, LOST, PHASES, REFUSED, since, task, TUTORIAL } from "./words.js";

const world = byId("world");
const CURSOR = { w: [0, -1], a: [-1, 0], s: [0, 1], d: [1, 0] };
const LARGEST_CELL = 56;
const BESIDE = 140;
const MOST_WAITING = 8;

Object.assign(page, {
  scene: "",
  cursor: { x: 0, y: 0 },
  option: null,
  paused: false,
  queue: [],
  rate: 0,
  timer: 0,
  shown: "",
});

const view = () => page.state.view;
const actions = () => actionsOf(view(), page.option);

// -- what is done ---------------------------------------------------------------------------------------------------

/** Whether actions are taken now. Time stands still as long as they are not. */
const listens = () => page.state && !page.state.over && !page.busy && !isOpen();
const runs = () => listens() && !page.paused && document.visibilityState === "visible";

async function send(action) {
  page.busy = true;
  try {
    page.state = await act(page.state.number, action);
  } catch {
    clearInterval(page.timer);
    page.queue = [];
    say(...LOST);
    return;
  }
  page.busy = false;
  await show();
  if (!page.rate) next();
}

/** Send what waits to be sent. */
function next() {
  if (listens() && page.queue.length) send(page.queue.shift());
}

function tick() {
  if (runs()) send(page.queue.shift() || "noop");
}

async function take(action) {
  if (page.paused) {
    tell("Paused: press P to go on.");
    return;
  }
  if (action.ask) {
    const [title, text, yes] = ASKS[action.ask];
    page.queue = [];
    if (!(await say(title, [text], yes, "Go back"))) {
      world.focus();
      return;
    }
    world.focus();
  }
  const sent = typeof action.action === "function" ? action.action(page) : action.action;
  // a world that moves takes the newest key; one that waits takes all of them, but not those of a cat on the keyboard
  page.queue = [...(page.rate ? [] : page.queue), ...[sent].flat()].slice(0, MOST_WAITING);
  if (!page.rate) next();
}

function setTimer(rate) {
  if (rate === page.rate) return;
  clearInterval(page.timer);
  page.rate = rate;
  if (rate) page.timer = setInterval(tick, 1000 / rate);
}

function pause() {
  page.paused = !page.paused && page.rate > 0;
  tell(page.paused ? "Paused: press P to go on." : "");
  showCounts();
}

// -- what is shown --------------------------------------------------------------------------------------------------

const within = (value, count) => Math.min(count - 1, Math.max(0, value));

function showWorld() {
  const { grid, colors, phase } = view();
  const room = Math.min(world.parentElement.clientWidth - 8, window.innerHeight - BESIDE);
  const side = Math.max(8, Math.min(LARGEST_CELL, Math.floor(room / grid.length)));
  page.cursor = { x: within(page.cursor.x, grid[0].length), y: within(page.cursor.y, grid.length) };
  draw(world, grid, colors, side, clicks(view()) ? page.cursor : null);
  world.classList.toggle("clickable", clicks(view()));
  world.setAttribute("aria-label", `${PHASES[phase]}: a grid of ${grid[0].length} by ${grid.length} cells`);
  showCell();
}

function showCell() {
  const { x, y } = page.cursor;
  const [name] = colorAt(view().grid, view().colors, x, y);
  const text = clicks(view()) ? `Framed cell: column ${x}, row ${y}, ${name}` : "";
  if (byId("cell").textContent !== text) byId("cell").textContent = text;
}

function showCounts() {
  const { step, steps, turn, total, phase } = view();
  byId("exploring").hidden = phase !== "interaction";
  for (const [name, used, most] of [["steps", step, steps], ["turns", turn, total]]) {
    byId(name).textContent = `${used} of ${most} ${name === "steps" ? "steps" : "actions"} used`;
    byId(`${name}-bar`).value = used / most;
    byId(`${name}-bar`).classList.toggle("low", used / most > 0.85);
  }
  const moving = `The world moves ${page.rate} times a second.`;
  byId("time").textContent = page.paused ? "Paused." : page.rate ? moving : "The world waits for you.";
  byId("pause").hidden = !page.rate;
  byId("pause").replaceChildren(el("kbd", {}, "P"), page.paused ? " Go on" : " Pause");
}

function picture(grid, side, label) {
  const canvas = el("canvas", { role: "img", "aria-label": label });
  draw(canvas, grid, view().colors, side);
  return canvas;
}

const sideFor = (grid, most) => Math.max(5, Math.min(40, Math.floor(most / Math.max(grid.length, grid[0].length))));

/** The actions below the goal, or below the choices, are to be seen as well. */
const roomForGoal = () => Math.min(330, Math.max(160, window.innerHeight - 500));
const roomForChoice = () => Math.min(110, Math.max(50, (window.innerHeight - 420) / 2));

function showAsked() {
  const { goal, film, choices, frame } = view();
  const parts = [];
  if (goal) {
    parts.push(el("figure", {}, el("figcaption", {}, "The goal"), picture(goal, sideFor(goal, roomForGoal()), "The goal")));
  }
  if (film) parts.push(el("p", { class: "where" }, `Picture ${film.number} of ${film.last}, ${since(film.action)}`));
  if (frame) parts.push(el("p", { class: "where" }, `Picture ${frame.number} of ${frame.last}`));
  if (choices?.length) {
    const buttons = choices.map((choice, number) => {
      const name = `Option ${number + 1}`;
      const pressed = page.option === number;
      const button = el("button", { type: "button", "aria-pressed": String(pressed), "aria-label": name, class: "choice" });
      button.append(el("kbd", {}, `${number + 1}`), picture(choice, sideFor(choice, roomForChoice()), name));
      button.addEventListener("click", () => choose(number));
      return button;
    });
    parts.push(el("div", { class: "choices", role: "group", "aria-label": "Options for the hidden part" }, ...buttons));
  }
  const inside = byId("asked").contains(document.activeElement);
  byId("asked").replaceChildren(...parts);
  if (inside) world.focus();
}

function choose(number) {
  page.option = number;
  tell(`Option ${number + 1} is marked. Enter answers.`);
  showAsked();
  showActions();
}

function showActions() {
  const possible = actions();
  const signature = possible.map(action => action.label).join("|");
  if (signature === page.shown) return;
  page.shown = signature;
  const inside = byId("actions").contains(document.activeElement);
  const buttons = possible.map(({ label, shown, name, main }) => {
    const button = el("button", { type: "button", class: main ? "main" : name ? "arrow" : "" });
    if (name) button.setAttribute("aria-label", name);
    if (shown) button.append(el("kbd", {}, shown), " ");
    button.append(label);
    button.addEventListener("click", event => {
      if (event.detail) world.focus();
      const action = actions().find(other => other.label === label);
      if (action) take(action);
    });
    return button;
  });
  byId("actions").replaceChildren(...buttons);
  if (inside) world.focus();
}

function showTask() {
  const { phase } = view();
  byId("place").textContent = `· Challenge ${page.state.place} of ${page.state.total}`;
  byId("phase").textContent = PHASES[phase];
  byId("task").textContent = PHASES[phase];
  byId("task-text").textContent = task(view());
  const { film, frame, refused } = view();
  const at = film || frame;
  tell(refused ? REFUSED[refused] : at ? `Picture ${at.number} of ${at.last}` : "");
}

/** Show how things stand, and open the windows that belong to it. */
async function show() {
  if (hasEnded(ENDED)) {
    setTimer(0);
    return;
  }
  byId("game").hidden = false;
  const scene = `${page.state.place} ${view().phase}`;
  const changed = scene !== page.scene;
  const first = !page.scene;
  if (changed) {
    page.scene = scene;
    page.option = null;
    page.paused = false;
    page.queue = [];
    if (view().phase === "interaction") page.cursor = { x: view().grid.length >> 1, y: view().grid.length >> 1 };
  }
  setTimer(view().rate);
  if (!view().rate) page.paused = false;
  showTask();
  showCounts();
  showWorld();
  showAsked();
  showActions();
  if (changed) await introduce(first);
}

async function introduce(first) {
  const { phase, turn, family, hints, before } = view();
  const title = `Challenge ${page.state.place} of ${page.state.total}: ${PHASES[phase]}`;
  if (first && turn === 0) await tutorial();
  const more = phase === "interaction" ? [DISCLOSED[family] || "", ...hints.map(hint => `Hint: ${hint}`)] : [];
  if (before?.length) more.push(done(before));
  const back = first && turn > 0 ? ["Welcome back: all is as you left it."] : [];
  await say(title, [...back, task(view()), ...more.filter(Boolean)], first && turn > 0 ? "Go on" : "Begin");
  world.focus();
}

async function tutorial() {
  for (const [title, parts] of TUTORIAL) {
    if (!(await say(title, parts, "Next", "Skip the introduction"))) return;
  }
}

async function help() {
  for (const [title, parts] of [[PHASES[view().phase], [task(view())]], ...TUTORIAL.slice(1)]) {
    if (!(await say(title, parts, "Next", "Close"))) break;
  }
  world.focus();
}

// -- keys and the mouse -----------------------------------------------------------------------------------------------

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || isOpen() || !page.state || page.state.over) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if ((key === " " || key === "Enter") && event.target.closest("button")) return;
  if (perform(key, event.repeat)) event.preventDefault();
}

/** Do what a key means. Return whether it means anything. */
function perform(key, repeated) {
  if (key in CURSOR && clicks(view())) {
    const [x, y] = CURSOR[key];
    page.cursor = { x: page.cursor.x + x, y: page.cursor.y + y };
    showWorld();
    return true;
  }
  if (key === "h" || key === "p") {
    if (!repeated) (key === "h" ? help : pause)();
    return true;
  }
  const number = Number.parseInt(key, 10) - 1;
  if (view().choices?.[number]) {
    choose(number);
    return true;
  }
  const action = actions().find(({ keys }) => keys.includes(key));
  // a key that is held down must not use up the steps of a world that waits
  if (action && (!repeated || action.repeats || (page.rate && !action.ask))) take(action);
  return Boolean(action);
}

document.addEventListener("keydown", pressed);
window.addEventListener("resize", () => {
  if (!page.state?.view) return;
  showWorld();
  showAsked();
});
byId("pause").addEventListener("click", () => {
  pause();
  world.focus();
});
byId("help").addEventListener("click", () => page.state?.view && help());
world.addEventListener("click", event => {
  if (!listens() || !clicks(view())) return;
  page.cursor = cellAt(world, view().grid, event);
  showWorld();
  take({ action: `click ${page.cursor.x} ${page.cursor.y}` });
});

start(show, LOST);
